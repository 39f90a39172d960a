/* SPDX-License-Identifier: BSD-3-Clause */
/* Where traces go. Of one rank that is the folder that was named; of several it is, for each of
 * them, one within that, which all hosts share. */
#ifndef ZOID_RUNTIME_TRACE_TRACE_FOLDER_H
#define ZOID_RUNTIME_TRACE_TRACE_FOLDER_H

#include "runtime/zoid.h"

/* StarPU keeps paths in 1024 bytes, and cuts longer ones; ZOID_TRACE_NAME of them are for the
 * names of files. */
enum { ZOID_TRACE_PATH = 1024, ZOID_TRACE_NAME = 160 };

struct zoid_trace_folder {
    char all[ZOID_TRACE_PATH - ZOID_TRACE_NAME];  /* as it was named: of all ranks, */
    char mine[ZOID_TRACE_PATH - ZOID_TRACE_NAME]; /* and this one's */
    bool created, created_mine;
};

/* That of a rank, within `all` if there are several. False: the path is too long. */
bool zoid_trace_folder_of(const char *all, int rank, int ranks,
                          char mine[ZOID_TRACE_PATH - ZOID_TRACE_NAME]);
/* Makes what is missing of both. All ranks call it, and get the same status. ZOID_RESOURCE: one
 * cannot be made, or a rank does not see the first one's. */
enum zoid_status zoid_trace_folder_make(const char *name, struct zoid_trace_folder *folder);
/* Removes what was made and is empty. */
void zoid_trace_folder_remove(const struct zoid_trace_folder *folder);

/* What a folder that cannot be written is refused with. */
enum zoid_status zoid_trace_folder_refuse(const char *name, int error);

#endif
