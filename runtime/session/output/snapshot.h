/* SPDX-License-Identifier: BSD-3-Clause */
/* Snapshots: some fields of a state while a run goes on, one HDF5 file for each time, and a list of
 * them that ParaView opens, snapshots.xmf, which has all that are whole.
 *
 * Of several ranks all call all of this, and the first one writes. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_SNAPSHOT_H
#define ZOID_RUNTIME_SESSION_OUTPUT_SNAPSHOT_H

#include "runtime/session/output/dump.h"

struct zoid_snapshot_wish {
    const char *folder;
    const char *fields; /* with commas between them; NULL: all state fields */
    long stride;        /* every so many points along each axis */
    int axis;           /* the points at `slice` of that axis; slice -1: all */
    long slice;
    struct zoid_dump_units units;
    long start; /* the step that the run begins at: later snapshots are another one's */
    /* Bytes of memory that a snapshot may wait in while the run goes on; with less than it takes
     * the run waits until it is written. */
    uint64_t room;
};

struct zoid_background;
struct zoid_snapshots;

/* Bytes of memory that one takes to wait in; 0: there will be none. */
size_t zoid_snapshots_staging(const struct zoid_snapshot_wish *wish,
                              const struct zoid_problem *problem);

/* Makes the folder if it is missing. ZOID_BAD_ARGUMENT: no such field or plane. ZOID_RESOURCE: it
 * cannot be written. The problem stays where it is. */
enum zoid_status zoid_snapshots_open(const struct zoid_snapshot_wish *wish,
                                     const struct zoid_problem *problem,
                                     struct zoid_snapshots **snapshots);
/* Drops what is not whole yet. Accepts NULL in *snapshots. */
void zoid_snapshots_close(struct zoid_snapshots **snapshots);
/* Takes that of the job's state, when the one before is whole; *bytes: how much that was. It goes
 * to the disk while the run goes on. ZOID_CHECK_FAILED: it is whole, and has a value that is no
 * number (finite.h). */
enum zoid_status zoid_snapshots_write(struct zoid_snapshots *snapshots, const struct zoid_job *job,
                                      double *bytes);
/* Waits until the last one is whole. */
enum zoid_status zoid_snapshots_finish(struct zoid_snapshots *snapshots);

/* What makes them whole, of the first rank. */
struct zoid_background *zoid_snapshots_background(struct zoid_snapshots *snapshots);

#endif
