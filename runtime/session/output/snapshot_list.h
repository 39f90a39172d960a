/* SPDX-License-Identifier: BSD-3-Clause */
/* The complete snapshots of a folder, and their list for ParaView, snapshots.xmf. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_SNAPSHOT_LIST_H
#define ZOID_RUNTIME_SESSION_OUTPUT_SNAPSHOT_LIST_H

#include "runtime/io/folder.h"
#include "runtime/session/output/xdmf.h"

/* Prefix of the names of their files. */
extern const char zoid_snapshot_file[];

struct zoid_snapshot_list {
    const char *folder;
    const struct zoid_xdmf_grid *grid; /* of all of them */
    double dt;                         /* between steps */
    struct zoid_folder listed;
};

/* List the snapshots up to step `start`, from which a run continues. ZOID_RESOURCE: the folder
 * cannot be read, or out of memory. */
enum zoid_status zoid_snapshot_list_find(struct zoid_snapshot_list *list, long start);
/* Add the complete snapshot of a step, and write the list to the disk again. ZOID_RESOURCE: it
 * cannot be written. */
enum zoid_status zoid_snapshot_list_add(struct zoid_snapshot_list *list, long step);

#endif
