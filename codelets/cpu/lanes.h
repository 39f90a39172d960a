/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelined sweeps in order, one per SIMD lane of a vector. Lane l computes time t0 + 1 + l, l
 * planes below lane 0, so that the output of a lane is the input of the next one: neighbours that
 * come later in the order are the previous lane's values, shifted up a lane, and neighbours that
 * are already relaxed are the lane's own.
 *
 *     t0 + 4    . . . 3 . . . .        planes, upwards: a leaning block is a rectangle of steps,
 *     t0 + 3    . . . . 2 . . .        since all lanes reach a face at the same step
 *     t0 + 2    . . . . . 1 . .
 *     t0 + 1    . . . . . . 0 .        lane 0 reads time t0 from memory
 *
 * Compiled once per instruction set and type: see lane_rows.c. */
#ifndef ZOID_CODELETS_CPU_LANES_H
#define ZOID_CODELETS_CPU_LANES_H

#include "codelets/block.h"

/* Lanes of the widest vector; lag of a lane behind the one before it, in columns: along a row in
 * 2-D and along the line in 1-D. In 3-D the lag is one row instead. */
enum { ZOID_LANES = 16, ZOID_LANE_LAG = 6 };

/* A row of steps of all lanes, each in its own plane and row. Arrays of vectors have one element
 * per step along the row. In 1-D the row is the block, and steps, lo and hi count from `first`. */
struct zoid_lane_row {
    const struct zoid_params *params;
    long n;                 /* points per row; in 1-D steps */
    int lanes;              /* lanes in use */
    unsigned computed;      /* mask of lanes whose points are computed, not carried */
    void *here;             /* vectors of the plane before, overwritten with those of this one */
    const void *below;      /* 3-D: vectors of the row before, in this plane */
    const void *older;      /* and in the plane before */
    void *keep;             /* 3-D: receives the overwritten `here` */
    const void *now;        /* time t0: the row */
    const void *north, *up; /* the next row in its plane, and in the next plane */
    const void *b;          /* right-hand side: its row, and vectors as above */
    void *b_here, *b_keep;
    const void *b_older;
    void *out; /* output of the last lane */
    /* 2-D: the steps [begin, end) of the row, multiples of ZOID_LANE_LAG except at the row's end,
     * and the state taken from the steps before and left to those after: `carried` bytes, NULL at
     * the row's begin and end. `kept`: ZOID_LANE_LAG vectors of the row before that were taken;
     * unset in the `first` row. */
    long begin, end;
    const void *taken;
    void *left, *kept;
    bool first;
    /* 1-D: points that lanes compute, and the value below them (`given`), 0 if not present. */
    long lo[ZOID_LANES], hi[ZOID_LANES];
    double given[ZOID_LANES];
    /* First step at which a lane is at its last point. From it on all vectors are kept, in here[1],
     * here[2], ... */
    long tail;
};

typedef void zoid_lane_row_fn(const struct zoid_lane_row *row);

struct zoid_lane_rows {
    int lanes;
    size_t carried;                      /* bytes between two parts of a row in 2-D */
    zoid_lane_row_fn *row[ZOID_AXES][2]; /* [dims - 1][with a right-hand side] */
};

/* Returns the functions for an instruction set and type; NULL: not in this build. */
const struct zoid_lane_rows *zoid_lane_rows_of(enum zoid_isa isa, enum zoid_type type);
/* For operators with the point update of sor or sor_rhs: see zoid_lanes_know. */
extern const struct zoid_block_runner *const zoid_lane_runners[];

#endif
