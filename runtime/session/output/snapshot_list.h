/* SPDX-License-Identifier: BSD-3-Clause */
/* The snapshots of a folder that are whole, and their list for ParaView, snapshots.xmf. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_SNAPSHOT_LIST_H
#define ZOID_RUNTIME_SESSION_OUTPUT_SNAPSHOT_LIST_H

#include "runtime/io/folder.h"
#include "runtime/session/output/xdmf.h"

/* What their names begin with. */
extern const char zoid_snapshot_file[];

struct zoid_snapshot_list {
    const char *folder;
    const struct zoid_xdmf_grid *grid; /* that all of them have */
    double dt;                         /* from step to step */
    struct zoid_folder listed;
};

/* A run that goes on from a step lists what was written before it, up to there. */
enum zoid_status zoid_snapshot_list_find(struct zoid_snapshot_list *list, long start);
/* The snapshot of a step is whole: writes the list anew. */
enum zoid_status zoid_snapshot_list_add(struct zoid_snapshot_list *list, long step);

#endif
