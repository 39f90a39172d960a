/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders of traces: with one rank the named folder; with several, a subfolder of it for each rank,
 * on a file system that all hosts share. */
#ifndef ZOID_RUNTIME_TRACE_TRACE_FOLDER_H
#define ZOID_RUNTIME_TRACE_TRACE_FOLDER_H

#include <stdbool.h>

#include "runtime/zoid.h"

/* StarPU keeps paths in buffers of 1024 bytes, and cuts longer ones; ZOID_TRACE_NAME bytes are
 * reserved for the names of files. */
enum { ZOID_TRACE_PATH = 1024, ZOID_TRACE_NAME = 160 };

struct zoid_trace_folder {
    char all[ZOID_TRACE_PATH - ZOID_TRACE_NAME];  /* as named: of all ranks, */
    char mine[ZOID_TRACE_PATH - ZOID_TRACE_NAME]; /* and of this one */
    bool created, created_mine;
};

/* Folder of a rank, within `all` if there are several. False: the path is too long. */
bool zoid_trace_folder_of(const char *all, int rank, int ranks,
                          char mine[ZOID_TRACE_PATH - ZOID_TRACE_NAME]);
/* Create both folders unless they exist. Collective; returns the same status on all ranks.
 * ZOID_RESOURCE: one cannot be created, or a rank does not see the first rank's. */
enum zoid_status zoid_trace_folder_make(const char *name, struct zoid_trace_folder *folder);
/* Remove the folders that were created and are empty. */
void zoid_trace_folder_remove(const struct zoid_trace_folder *folder);

/* Return ZOID_RESOURCE with a message: the folder cannot be written because of `error`, an errno
 * value. */
enum zoid_status zoid_trace_folder_refuse(const char *name, int error);

#endif
