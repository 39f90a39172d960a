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
 * twice as many, and the most rows in 3-D: as many as leave room for ENOUGH warps on a
 * multiprocessor, since each row of steps has costs besides its points. TABLE: the most values that
 * a launch has of tables of the run. */
enum { ZOID_WARP_STEPS = 16, ZOID_WARP_TABLE = 512 };
enum { ZOID_WARP_ENOUGH = 12, ZOID_WARP_ENOUGH_3D = 4 };
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

/* Offsets of the steps of such rows. Columns are points along x, rows along y in 3-D, and planes
 * along the chain axis; axes that a row's dimensions lack have no reach. */
struct zoid_warp_skew {
    int left, right; /* columns that an update reads on either side */
    int south, north;
    int below, above;
    /* Columns, rows and planes from a lane to the next one. A step reads, of the step before it,
     * its own lane's value alone, so its loads go out ahead. */
    int lag, lag_rows, apart;
    /* Columns from a row of steps to the next one; columns and rows from a plane to the next one.
     */
    int slant, lean, lean_rows;
    int by, by_rows; /* by which the steps lie further on at which the next lane is at a point */
    int edge, edge_rows; /* before a tile's first column and row, which its steps read */
    int planes;          /* of steps that are kept besides the newest one */
    /* First lane that may store planes over those that the block is given: the tiles that read a
     * point there are at its column and row, or before. */
    int storing;
};

static inline ZOID_CONSTANT int zoid_warp_larger(int a, int b)
{
    return a > b ? a : b;
}

static inline ZOID_CONSTANT struct zoid_warp_skew zoid_warp_skew_of(const struct zoid_stage *stage,
                                                                    int dims)
{
    int lo[ZOID_AXES] = {0, 0, 0}, hi[ZOID_AXES] = {0, 0, 0}, shift = 0;
    const int chain = dims - 1;
    struct zoid_warp_skew k = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    for (int i = 0; i < stage->nreads; i++)
        for (int a = 0; a < dims; a++) {
            lo[a] = zoid_warp_larger(lo[a], (int)stage->read[i].reach.lo[a]);
            hi[a] = zoid_warp_larger(hi[a], (int)stage->read[i].reach.hi[a]);
        }
    k.below = lo[chain];
    k.above = k.apart = hi[chain];
    k.planes = zoid_warp_larger(zoid_warp_larger(k.below, k.above), 1);
    if (dims == 1) {
        k.apart = k.planes = zoid_warp_larger(k.below, k.above + 1);
        return k;
    }
    k.left = lo[0];
    k.right = hi[0];
    k.lag = k.right + 2;
    if (dims == 3) {
        k.south = lo[1];
        k.north = hi[1];
        k.lag_rows = zoid_warp_larger(k.north, 1);
        k.lean_rows = k.below ? k.north : 0;
        k.slant = k.south || k.lean_rows ? k.right : 0;
    }
    shift = k.below ? k.right : 0;
    k.lean = k.lean_rows * k.slant + shift;
    k.by_rows = k.lag_rows + k.apart * k.lean_rows;
    k.by = k.lag + k.by_rows * k.slant + k.apart * shift;
    /* Of the points before a step's own, in the same lane; then of those after it, in the one
     * before. */
    k.edge = k.left + (k.south + k.below * k.lean_rows) * k.slant + k.below * shift;
    k.edge = zoid_warp_larger(k.edge, k.by + (k.north ? k.left - k.slant : 0));
    k.edge = zoid_warp_larger(k.edge, k.by);
    k.edge_rows = zoid_warp_larger(k.south + k.below * k.lean_rows, k.by_rows);
    if (k.above) {
        k.edge = zoid_warp_larger(k.edge, k.by + k.left + k.south * k.slant - k.lean);
        k.edge_rows = zoid_warp_larger(k.edge_rows, k.by_rows + k.south - k.lean_rows);
    }
    k.storing = (k.edge - 1) / (k.lag + k.lag_rows * k.slant);
    if (k.lag_rows)
        k.storing = zoid_warp_larger(k.storing, (k.edge_rows - 1) / k.lag_rows);
    return k;
}

/* A tile of such rows; {0, 0}: none. */
struct zoid_warp_tile {
    int columns, rows;
};

/* Rows of a tile's steps, those before its first one included, and of the ring that keeps a plane
 * of them: a row takes the place of the one before the first that later rows read of that plane. */
static inline ZOID_CONSTANT int zoid_warp_high(const struct zoid_warp_skew *k,
                                               struct zoid_warp_tile tile)
{
    return k->edge_rows + tile.rows;
}
static inline ZOID_CONSTANT int zoid_warp_ring(const struct zoid_warp_skew *k,
                                               struct zoid_warp_tile tile)
{
    return zoid_warp_high(k, tile) + k->edge_rows + 1;
}

/* Bytes of a warp's steps: of its lanes, and of the points that the first one is given. */
static inline ZOID_CONSTANT size_t zoid_warp_steps(const struct zoid_warp_skew *k,
                                                   struct zoid_warp_tile tile, int fields,
                                                   size_t size)
{
    return (size_t)(fields * k->planes * zoid_warp_ring(k, tile) * (k->edge + tile.columns)) *
           (ZOID_WARP_LANES + 1) * size;
}

/* Warps of such tiles for which a multiprocessor has shared memory. */
static inline ZOID_CONSTANT int zoid_warp_each(const struct zoid_warp_skew *k,
                                               struct zoid_warp_tile tile, int fields, size_t size)
{
    return (int)((size_t)ZOID_WARP_SHARED /
                 (zoid_warp_steps(k, tile, fields, size) + ZOID_WARP_RESERVED));
}

/* The largest tile of which a multiprocessor has room for enough, or else the one of which it has
 * room for the most; a tile's edges lie in the tile before it. */
static inline ZOID_CONSTANT struct zoid_warp_tile
zoid_warp_tile_of(const struct zoid_warp_skew *k, int dims, int fields, size_t size)
{
    const int enough = dims == 3 ? ZOID_WARP_ENOUGH_3D : ZOID_WARP_ENOUGH;
    const int first = dims == 3 ? ZOID_WARP_STEPS : 1;
    struct zoid_warp_tile best = {0, 0};
    int most = 0;

    if (dims == 1) {
        const struct zoid_warp_tile point = {1, 1};

        return zoid_warp_each(k, point, fields, size) ? point : best;
    }
    for (int rows = first; rows >= (dims == 3 ? 4 : 1); rows /= 2)
        for (int columns = 2 * ZOID_WARP_STEPS; columns >= ZOID_WARP_STEPS; columns /= 2) {
            const struct zoid_warp_tile tile = {columns, rows};
            int each = zoid_warp_each(k, tile, fields, size);

            each = each < enough ? each : enough;
            if (k->edge <= columns && k->edge_rows <= (dims == 3 ? rows : 0) && each > most) {
                best = tile;
                most = each;
            }
        }
    return best;
}

/* Returns whether GPUs take a row in order of these dimensions and stages, of values of `size`
 * bytes: its update is by words, and every field that is not a coefficient is written. */
static inline ZOID_CONSTANT bool zoid_warp_takes(const struct zoid_op *row, int dims, int stages,
                                                 size_t size)
{
    const struct zoid_stage *stage = &row->stage[0];
    const struct zoid_warp_skew skew = zoid_warp_skew_of(stage, dims);

    return row->by_words && stages == 1 && stage->order == ZOID_ASCENDING &&
           stage->writes == (1u << row->nstate) - 1 && row->sources == 0 && !row->runner &&
           !row->coefficient_bytes && row->width < 2 && size > 1 &&
           skew.storing < ZOID_WARP_LANES &&
           zoid_warp_tile_of(&skew, dims, row->nstate + row->ncoef, size).columns > 0;
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
        const struct zoid_warp_skew k = zoid_warp_skew_of(&op->stage[0], op->dims);
        const int all = op->nstate + op->ncoef;
        const struct zoid_warp_tile tile = zoid_warp_tile_of(&k, op->dims, all, size);
        const int high = zoid_warp_high(&k, tile);

        t.vector = size * ZOID_WARP_LANES * (size_t)all;
        t.columns = tile.columns;
        t.rows = tile.rows;
        /* Where a circle of tiles ends and begins again, no lane is at a point of the domain, in
         * any row and edge of a tile. */
        if (op->dims > 1)
            t.across =
                (n[0] + ZOID_WARP_LANES * k.lag + k.edge + high * k.slant + 2 * tile.columns - 1) /
                tile.columns;
        if (op->dims > 2)
            t.along =
                (n[1] + ZOID_WARP_LANES * k.lag_rows + k.edge_rows + 2 * tile.rows - 1) / tile.rows;
        t.east = k.edge * high;
        t.north = k.edge_rows * tile.columns;
        t.ahead = op->dims > 2 ? ZOID_WARP_AHEAD_3D : ZOID_WARP_AHEAD;
        t.apart = k.apart;
        t.shared = zoid_warp_steps(&k, tile, all, size);
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

/* Returns the planes of scratch, each of all fields with state, that such a block needs: those kept
 * between launches, and zoid_warp_room. */
static inline long zoid_warp_scratch(const struct zoid_op *op, const struct zoid_shape *shape,
                                     const struct zoid_layout *layout, long planes, long times)
{
    const size_t plane = zoid_layout_plane_bytes(layout) * (size_t)op->nstate;

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
