/* SPDX-License-Identifier: BSD-3-Clause */
/* Consecutive sweeps in order in the lanes of a vector. Lane l does time t0 + 1 + l, l planes below
 * lane 0, so that what a lane has done is what the next one finds there as the time before: its
 * neighbours that come later are those of the lane below, moved up a lane, and those that have been
 * relaxed are its own.
 *
 *     t0 + 4    . . . 3 . . . .        planes, upwards: a leaning block is a rectangle of steps,
 *     t0 + 3    . . . . 2 . . .        for all lanes are at a face at the same step
 *     t0 + 2    . . . . . 1 . .
 *     t0 + 1    . . . . . . 0 .        lane 0 reads time t0 from memory
 *
 * Compiled once per instruction set and type: see lane_rows.c. */
#ifndef ZOID_CODELETS_CPU_LANES_H
#define ZOID_CODELETS_CPU_LANES_H

#include "codelets/block.h"

/* Lanes of the widest vector; columns that a lane is behind the one before it, along a row in 2-D
 * and along the line in 1-D. In 3-D it is none, but a row. */
enum { ZOID_LANES = 16, ZOID_LANE_LAG = 6 };

/* A row of steps: of all lanes, each in its own plane and row. Pointers to vectors have one for
 * each step along the row. In 1-D the row is the block, and steps, lo and hi count from `first`. */
struct zoid_lane_row {
    const struct zoid_params *params;
    long n;                 /* points of a row; in 1-D steps */
    int lanes;              /* that are used */
    unsigned computed;      /* lanes whose points here are computed, not carried */
    void *here;             /* vectors of the plane before, replaced by those of this one; */
    const void *below;      /* 3-D: of the row before, in this plane, */
    const void *older;      /* and in the plane before; */
    void *keep;             /* where `here` goes that is replaced */
    const void *now;        /* of time t0: the row, */
    const void *north, *up; /* the next one in its plane, and in the next plane */
    const void *b;          /* the right-hand side's row, and its vectors, as those above */
    void *b_here, *b_keep;
    const void *b_older;
    void *out; /* what the last lane has become */
    /* 1-D: points that lanes compute, and the one below them, if there is one. */
    long lo[ZOID_LANES], hi[ZOID_LANES];
    double given[ZOID_LANES];
    long tail; /* the first step at which a lane is at its last point: from there on all are kept,
                * in here[1], here[2], ... */
};

typedef void zoid_lane_row_fn(const struct zoid_lane_row *row);

struct zoid_lane_rows {
    int lanes;
    zoid_lane_row_fn *row[ZOID_AXES][2]; /* by dimensions; with a right-hand side */
};

/* NULL where this build has none. */
const struct zoid_lane_rows *zoid_lane_rows_of(enum zoid_isa isa, enum zoid_type type);
/* For the rows of operators whose point update is that of sor or sor_rhs; and whether an operator
 * is one of those, which GPUs run in the lanes of warps (codelets/cuda/lanes.h). */
extern const struct zoid_block_runner *const zoid_lane_runners[];
bool zoid_lanes_know(const struct zoid_op *op);

#endif
