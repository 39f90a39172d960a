/* SPDX-License-Identifier: BSD-3-Clause */
/* Wavefront over consecutive sweeps in order (Gauss-Seidel, SOR) on a GPU: each lane of a warp
 * computes one time, as in the vectors of cpu/lanes.h. Also the memory that this takes besides the
 * planes, which the planner counts. */
#ifndef ZOID_CODELETS_CUDA_LANES_H
#define ZOID_CODELETS_CUDA_LANES_H

#include "codelets/block/lanes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* LANES: sweeps of a warp, one per lane. LAG: columns between a lane and the one before it in 1-D
 * and 2-D; in 3-D the lag is one column and one row. */
enum { ZOID_WARP_LANES = 32, ZOID_WARP_LAG = 4 };
/* STEPS: columns of a tile of rows in order that are compiled for GPUs (inorder/skewed.cu), or
 * twice as many where memory has room for ENOUGH warps of these on a multiprocessor: each row of
 * steps has costs besides its points. TABLE: the most values that a launch has of tables of the
 * run. */
enum { ZOID_WARP_STEPS = 16, ZOID_WARP_ENOUGH = 12, ZOID_WARP_TABLE = 512 };
/* ROW: bytes of a row of a 2-D tile. COLUMNS, ROWS: of a 3-D tile, the rows for 4-byte values. */
enum { ZOID_WARP_ROW = 512, ZOID_WARP_COLUMNS = 16, ZOID_WARP_ROWS = 12 };
/* AHEAD: steps along the chain axis by which a warp may be ahead of the warps that it sends vectors
 * to, in 2-D and 3-D. WARPS: the most warps of a launch. */
enum { ZOID_WARP_AHEAD = 8, ZOID_WARP_AHEAD_3D = 4, ZOID_WARPS = 1 << 11 };
/* STATES: the most parts with state that a block reads, and that it writes: a slab; the reuse data
 * of the block below, from this rank or the one below; its own for the block above, in either rank;
 * and a message. PIECES: the most parts with the right-hand side. */
enum { ZOID_WARP_STATES = 4, ZOID_WARP_PIECES = 12 };
/* Shared memory of a multiprocessor in bytes, including the overhead of each resident warp. */
enum { ZOID_WARP_SHARED = 227 << 10, ZOID_WARP_RESERVED = 1 << 10 };

/* Partition of a plane's points, as lane 0 sees them, into tiles. A warp owns a tile and streams it
 * along the chain axis. */
struct zoid_warp_tiles {
    int columns, rows;
    long across, along; /* tiles along x, and along y */
    /* Vectors that a tile sends at each step to its neighbour in +x and, in 3-D, in +y. */
    int east, north;
    size_t vector;    /* bytes of a vector, right-hand side included */
    size_t shared;    /* bytes of shared memory of a tile */
    int ahead, apart; /* planes by which lanes are apart */
};

#ifdef __cplusplus
#define ZOID_CONSTANT constexpr
#else
#define ZOID_CONSTANT
#endif

/* Offsets of the steps of such rows. */
struct zoid_warp_skew {
    int left, right; /* columns that an update reads on either side */
    /* Columns from a lane to the next one, one more than the values handed on need: so a step reads
     * nothing of the step before it but its own lane's value, and its loads go out ahead. */
    int lag;
    int apart;  /* and planes */
    int lean;   /* columns from a row of steps to the next one */
    int by;     /* columns by which a step that is handed on comes later, `apart` rows up */
    int edge;   /* steps that a tile sends to the next one, of each row and field */
    int below;  /* rows of steps that an update reads, besides its own and `apart` above it */
    int beyond; /* steps after a tile's last one that it reads */
    /* First lane that may store planes over those that the block is given, which lie `apart` rows
     * above: the tiles that read a point there are at its column or to the left. */
    int storing;
};

static inline ZOID_CONSTANT struct zoid_warp_skew zoid_warp_skew_of(const struct zoid_stage *stage)
{
    struct zoid_warp_skew k = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    for (int i = 0; i < stage->nreads; i++) {
        const struct zoid_reach *reach = &stage->read[i].reach;

        k.left = (int)reach->lo[0] > k.left ? (int)reach->lo[0] : k.left;
        k.right = (int)reach->hi[0] > k.right ? (int)reach->hi[0] : k.right;
        k.below = (int)reach->lo[1] > k.below ? (int)reach->lo[1] : k.below;
        k.apart = (int)reach->hi[1] > k.apart ? (int)reach->hi[1] : k.apart;
    }
    k.lag = k.right + 2;
    k.lean = k.below ? k.right : 0;
    k.by = k.lag + k.apart * k.lean;
    k.edge = k.apart ? k.left + k.by - k.lean : k.left;
    k.edge = k.edge > k.left + k.lean * k.below ? k.edge : k.left + k.lean * k.below;
    k.edge = k.edge > k.by ? k.edge : k.by;
    k.beyond = k.right + k.apart * k.lean;
    k.storing = (k.edge - 1) / k.lag;
    return k;
}

/* Bytes of a warp's steps in tiles of some columns, a column of padding included. */
static inline ZOID_CONSTANT size_t zoid_warp_steps(const struct zoid_warp_skew *k, int columns,
                                                   int fields, size_t size)
{
    return (size_t)(fields * (k->below + 1 + k->apart) * (k->edge + columns + k->beyond)) *
           (ZOID_WARP_LANES + 1) * size;
}

/* Columns of a tile of such rows. */
static inline ZOID_CONSTANT int zoid_warp_columns(const struct zoid_warp_skew *k, int fields,
                                                  size_t size)
{
    const size_t room = ZOID_WARP_SHARED / (size_t)ZOID_WARP_ENOUGH - ZOID_WARP_RESERVED;
    const bool wide = zoid_warp_steps(k, 2 * ZOID_WARP_STEPS, fields, size) <= room;

    return wide ? 2 * ZOID_WARP_STEPS : ZOID_WARP_STEPS;
}

/* Returns whether GPUs take a row in order of these dimensions and stages, of values of `size`
 * bytes: its update is by words, and every field that is not a coefficient is written. */
static inline ZOID_CONSTANT bool zoid_warp_takes(const struct zoid_op *row, int dims, int stages,
                                                 size_t size)
{
    const struct zoid_stage *stage = &row->stage[0];
    const struct zoid_warp_skew skew = zoid_warp_skew_of(stage);
    const int fields = row->nstate + row->ncoef, columns = zoid_warp_columns(&skew, fields, size);

    return row->by_words && dims == 2 && stages == 1 && stage->order == ZOID_ASCENDING &&
           stage->writes == (1u << row->nstate) - 1 && row->sources == 0 && !row->runner &&
           !row->coefficient_bytes && row->width < 2 && size > 1 && skew.edge <= columns &&
           zoid_warp_steps(&skew, columns, fields, size) + ZOID_WARP_RESERVED <= ZOID_WARP_SHARED;
}

static inline struct zoid_warp_tiles zoid_warp_tiles_of(const struct zoid_op *op,
                                                        const long n[ZOID_AXES])
{
    const size_t size = zoid_type_size(op->type), fields = op->ncoef ? 2 : 1;
    const int last = ZOID_WARP_LANES - 1;
    struct zoid_warp_tiles t = {
        .columns = 1, .rows = 1, .across = 1, .along = 1, .ahead = 1, .apart = 1};

    t.vector = size * ZOID_WARP_LANES * fields;
    if (!zoid_lanes_know(op)) {
        const struct zoid_warp_skew skew = zoid_warp_skew_of(&op->stage[0]);
        const int all = op->nstate + op->ncoef, columns = zoid_warp_columns(&skew, all, size);

        t.vector = size * ZOID_WARP_LANES * (size_t)all;
        t.columns = columns;
        /* The columns that a circle of tiles has more than the lanes see are never needed. */
        t.across = (n[0] + last * skew.lag + skew.edge + columns + columns - 1) / columns;
        t.east = skew.edge;
        t.ahead = ZOID_WARP_AHEAD;
        t.apart = skew.apart;
        t.shared = zoid_warp_steps(&skew, columns, all, size);
    } else if (op->dims == 2) {
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

/* Returns the bytes of GPU memory that warps of a block exchange data through, for at most `planes`
 * planes and `times` times, alignment to a cache line included: the ring of vectors, in which each
 * word is stored with its step; a progress word per warp; and the vectors at all steps that the
 * last tiles of one launch leave for the next. */
static inline size_t zoid_warp_room(const struct zoid_op *op, const long n[ZOID_AXES], long planes,
                                    long times)
{
    const struct zoid_warp_tiles t = zoid_warp_tiles_of(op, n);
    const long groups = (times + ZOID_WARP_LANES - 1) / ZOID_WARP_LANES;
    const long all = t.across * t.along * groups;
    const size_t warps = (size_t)(all < ZOID_WARPS ? all : ZOID_WARPS);
    const size_t steps = (size_t)(planes + ZOID_WARP_LANES * t.apart);

    return (1 + warps) * ZOID_LINE + warps * (size_t)(t.ahead * (t.east + t.north)) * 2 * t.vector +
           steps * ((size_t)t.east + (size_t)(t.north * t.across)) * t.vector;
}

/* Returns the planes of scratch that such a block needs: those kept between launches, and
 * zoid_warp_room. */
static inline long zoid_warp_scratch(const struct zoid_op *op, const struct zoid_shape *shape,
                                     const struct zoid_layout *layout, long planes, long times)
{
    const size_t plane = zoid_layout_plane_bytes(layout);

    return planes + (long)((zoid_warp_room(op, shape->n, planes, times) + plane - 1) / plane);
}

/* Queues a block of an operator in order, which GPUs take. run->scratch has
 * zoid_warp_scratch planes. Returns CUDA's error code. */
int zoid_cuda_lanes(const struct zoid_block_args *run, void *stream);
/* Loads the operator's kernels onto the calling thread's GPU. Returns CUDA's error code. */
int zoid_cuda_load_lanes(const struct zoid_op *op);

#ifdef __cplusplus
}
#endif
#endif
