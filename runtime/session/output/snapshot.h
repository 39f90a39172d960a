/* SPDX-License-Identifier: BSD-3-Clause */
/* Snapshots: some fields of a state during a run, one HDF5 file for each time, and a list for
 * ParaView of those that are complete, snapshots.xmf.
 *
 * All functions are collective, and the first rank writes. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_SNAPSHOT_H
#define ZOID_RUNTIME_SESSION_OUTPUT_SNAPSHOT_H

#include "runtime/session/output/dump.h"

struct zoid_snapshot_wish {
    const char *folder;
    const char *fields; /* separated by commas; NULL: all state fields */
    long stride;        /* take every stride-th point along each axis */
    int axis;           /* only the points at `slice` of that axis; slice -1: all */
    long slice;
    struct zoid_dump_units units;
    long start; /* the first step of the run: later snapshots are another run's */
    /* Bytes of memory in which a snapshot may wait for the disk while the run goes on; if they are
     * too few, the run waits until the snapshot is written. */
    uint64_t room;
};

struct zoid_background;
struct zoid_snapshots;

/* Bytes of memory that a stream of snapshots allocates for that; 0: the wish is not valid. */
size_t zoid_snapshots_staging(const struct zoid_snapshot_wish *wish,
                              const struct zoid_problem *problem);

/* Create the folder unless it exists. The problem, and the strings of the wish, must outlive the
 * result. ZOID_BAD_ARGUMENT: no such field or plane. ZOID_RESOURCE: the folder cannot be written,
 * or out of memory. */
enum zoid_status zoid_snapshots_open(const struct zoid_snapshot_wish *wish,
                                     const struct zoid_problem *problem,
                                     struct zoid_snapshots **snapshots);
/* Wait for the snapshot in progress, drop it if it is incomplete, and free everything. Accepts NULL
 * in *snapshots. */
void zoid_snapshots_close(struct zoid_snapshots **snapshots);
/* Take a snapshot of the job's state, when the previous one is complete; *bytes is its size. It
 * goes to the disk while the run goes on. ZOID_CHECK_FAILED: it is complete, and has a non-finite
 * value (finite.h). */
enum zoid_status zoid_snapshots_write(struct zoid_snapshots *snapshots, const struct zoid_job *job,
                                      double *bytes);
/* Wait until the last snapshot is complete. */
enum zoid_status zoid_snapshots_finish(struct zoid_snapshots *snapshots);

/* The thread that completes snapshots, on the first rank. */
struct zoid_background *zoid_snapshots_background(struct zoid_snapshots *snapshots);

#endif
