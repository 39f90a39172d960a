/* SPDX-License-Identifier: BSD-3-Clause */
/* Consecutive sweeps in order on a GPU, in the lanes of warps, as cpu/lanes.h has them in those of
 * vectors; and what that wants beside the planes themselves, which the planner counts. */
#ifndef ZOID_CODELETS_CUDA_LANES_H
#define ZOID_CODELETS_CUDA_LANES_H

#include "codelets/lanes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sweeps of a warp; columns that a lane is behind the one before it, in 1-D and in 2-D. In 3-D it
 * is a column and a row. */
enum { ZOID_WARP_LANES = 32, ZOID_WARP_LAG = 4 };
/* In 2-D, bytes of a row of a tile; in 3-D, its columns, and so many rows of 4 bytes. */
enum { ZOID_WARP_ROW = 512, ZOID_WARP_COLUMNS = 16, ZOID_WARP_ROWS = 12 };
/* Steps up the chain axis that a warp may be ahead of those it hands vectors to, in 2-D and 3-D;
 * and the most warps that are at work at once. */
enum { ZOID_WARP_AHEAD = 8, ZOID_WARP_AHEAD_3D = 4, ZOID_WARPS = 1 << 11 };
/* Parts with state that a block reads at most, and that it writes: a slab; what the block below it
 * has left, in its rank or in the one below, and what it leaves for that above it in either; and a
 * message. And those with the right-hand side. */
enum { ZOID_WARP_STATES = 4, ZOID_WARP_PIECES = 12 };
/* Bytes of shared memory that the warps of a multiprocessor share, of which each costs some more.
 */
enum { ZOID_WARP_SHARED = 227 << 10 };

/* How the points of planes, as lane 0 sees them, are cut into tiles: each is a warp's, which goes
 * up all planes with it. */
struct zoid_warp_tiles {
    int columns, rows;
    long across, along; /* tiles of a row of tiles, rows of tiles */
    /* Vectors that a tile hands to the one beside it at each step, and in 3-D to the one beyond. */
    int east, north;
    size_t vector; /* bytes of them, with the right-hand side's */
    size_t shared; /* bytes of shared memory that a tile takes */
    int ahead;
};

static inline struct zoid_warp_tiles zoid_warp_tiles_of(const struct zoid_op *op,
                                                        const long n[ZOID_AXES])
{
    const size_t size = zoid_type_size(op->type), fields = op->ncoef ? 2 : 1;
    const int last = ZOID_WARP_LANES - 1;
    struct zoid_warp_tiles t = {.columns = 1, .rows = 1, .across = 1, .along = 1, .ahead = 1};

    t.vector = size * ZOID_WARP_LANES * fields;
    if (op->dims == 2) {
        t.columns = (int)(ZOID_WARP_ROW / size);
        t.across = (n[0] + last * ZOID_WARP_LAG + t.columns - 1) / t.columns;
        t.east = ZOID_WARP_LAG;
        t.ahead = ZOID_WARP_AHEAD;
        t.shared = (size_t)t.columns * t.vector +
                   (2 + fields - 1) * (size_t)(t.columns + ZOID_WARP_LAG) * size;
    } else if (op->dims == 3) {
        t.columns = ZOID_WARP_COLUMNS;
        t.rows = ZOID_WARP_ROWS * (int)sizeof(zoid_f32) / (int)(size * fields);
        t.across = (n[0] + last + t.columns - 1) / t.columns;
        t.along = (n[1] + last + t.rows - 1) / t.rows;
        t.east = t.rows + 1;
        t.north = t.columns;
        t.ahead = ZOID_WARP_AHEAD_3D;
        t.shared = (size_t)((t.rows + 1) * (t.columns + 2) + t.columns) * t.vector +
                   (2 + fields - 1) * (size_t)((t.rows + 1) * (t.columns + 4)) * size;
    }
    return t;
}

/* Bytes of a GPU's memory for what warps hand to one another in a block of at most so many planes
 * and so many times, from the next cache line on: each word with the step that it is of; a word
 * that says how far a warp is; and what the last tiles of a launch leave for those of the next one,
 * at all steps. */
static inline size_t zoid_warp_room(const struct zoid_op *op, const long n[ZOID_AXES], long planes,
                                    long times)
{
    const struct zoid_warp_tiles t = zoid_warp_tiles_of(op, n);
    const long groups = (times + ZOID_WARP_LANES - 1) / ZOID_WARP_LANES;
    const long all = t.across * t.along * groups;
    const size_t warps = (size_t)(all < ZOID_WARPS ? all : ZOID_WARPS);
    const size_t steps = (size_t)(planes + ZOID_WARP_LANES);

    return (1 + warps) * ZOID_LINE + warps * (size_t)(t.ahead * (t.east + t.north)) * 2 * t.vector +
           steps * ((size_t)t.east + (size_t)(t.north * t.across)) * t.vector;
}

/* Planes of scratch for such a block: what it has between launches, and that room. */
static inline long zoid_warp_scratch(const struct zoid_op *op, const struct zoid_shape *shape,
                                     const struct zoid_layout *layout, long planes, long times)
{
    const size_t plane = zoid_layout_plane_bytes(layout);

    return planes + (long)((zoid_warp_room(op, shape->n, planes, times) + plane - 1) / plane);
}

/* Queues a block of an operator whose updates are those of sor or sor_rhs. The scratch has as many
 * planes as zoid_warp_scratch says. Returns CUDA's error code. */
int zoid_cuda_lanes(const struct zoid_run *run, void *stream);
/* Has its kernels brought to the calling thread's GPU. */
int zoid_cuda_load_lanes(const struct zoid_op *op);

#ifdef __cplusplus
}
#endif
#endif
