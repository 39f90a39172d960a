/* SPDX-License-Identifier: BSD-3-Clause */
/* Thin boxes of points in tiles, one for each block of threads: x, y and planes of a tile are
 * powers of 2, whatever a box's widths are, and a thread has up to TILE_POINTS points. */
#ifndef ZOID_CODELETS_CUDA_TILES_CUH
#define ZOID_CODELETS_CUDA_TILES_CUH

#include <algorithm>

#include "codelets/cuda/order.cuh"

namespace
{

/* A tile finds its planes once, which pays for several points of a thread where there are many
 * tiles. */
enum { TILE_THREADS = 256, THREAD_BITS = 8, POINT_BITS = 2 };
enum { TILE_POINTS = 1 << POINT_BITS, TILE_PLANES = TILE_THREADS, MANY_TILES = 1 << 12 };

/* Tiles of a box; the first one is tile `first` of the launch. */
struct tiled {
    extent box;
    int bits[ZOID_AXES]; /* logarithms of a tile's points */
    int across, down;    /* tiles of a row and of a column */
    int first;
};

/* The tile of a block of threads. */
struct tile {
    int x, y, lo; /* its first point */
    int planes;
};

/* A point of a thread. */
struct tile_point {
    int p[ZOID_AXES];
    bool inside; /* in the tile and in the box */
};

/* Returns the logarithm of a tile's points along an axis: as few as possible lie outside, then as
 * many as possible along the axis. */
inline int tile_bits(int points, int least, int most)
{
    int best = most;

    while (best > 0 && 1 << (best - 1) >= points)
        best--;
    for (int bits = best - 1; bits >= least; bits--)
        if (ceil_div(points, 1 << bits) << bits < ceil_div(points, 1 << best) << best)
            best = bits;
    return best;
}

/* Returns the tiles of a box that is not empty. */
inline tiled tiled_of(const extent &box, int first)
{
    enum { LEAST = 4 };
    const int across = box.hi[0] - box.lo[0], rows = box.hi[1] - box.lo[1];
    const long points = (long)across * rows * (box.hi[2] - box.lo[2]);
    const int all = THREAD_BITS + (points >> THREAD_BITS >= MANY_TILES ? POINT_BITS : 0);
    tiled t = {box, {}, 0, 0, first};

    t.bits[0] = tile_bits(across, LEAST, all);
    t.bits[1] = tile_bits(rows, all - t.bits[0], all - t.bits[0]);
    t.bits[2] = std::min<int>(all - t.bits[0] - t.bits[1], THREAD_BITS);
    t.across = ceil_div(across, 1 << t.bits[0]);
    t.down = ceil_div(rows, 1 << t.bits[1]);
    return t;
}

inline int tiles_of(const tiled &t)
{
    return t.across * t.down * ceil_div(t.box.hi[2] - t.box.lo[2], 1 << t.bits[2]);
}

__device__ __forceinline__ tile tile_of(const tiled &t)
{
    const int n = (int)blockIdx.x - t.first, column = n % (t.across * t.down);
    const int lo = t.box.lo[2] + (n / (t.across * t.down) << t.bits[2]);

    return {t.box.lo[0] + (column % t.across << t.bits[0]),
            t.box.lo[1] + (column / t.across << t.bits[1]), lo,
            min(1 << t.bits[2], t.box.hi[2] - lo)};
}

/* Returns the thread's k-th point of a tile. */
__device__ __forceinline__ tile_point point_of(const tiled &t, const tile &own, int k)
{
    const int i = threadIdx.x + k * TILE_THREADS;
    tile_point at = {{own.x + (i & (1 << t.bits[0]) - 1),
                      own.y + (i >> t.bits[0] & (1 << t.bits[1]) - 1),
                      own.lo + (i >> t.bits[0] + t.bits[1])},
                     false};

    at.inside = at.p[0] < t.box.hi[0] && at.p[1] < t.box.hi[1] && at.p[2] < own.lo + own.planes;
    return at;
}

/* Layers at faces of a domain: [lo, hi) along each axis of an extent. */
struct face_layers {
    long lo[ZOID_AXES][ZOID_SIDES], hi[ZOID_AXES][ZOID_SIDES];
};

/* Tiles of boxes without a point in common. */
struct tiled_boxes {
    int n, tiles;
    tiled box[ZOID_AXES * ZOID_SIDES];
};

/* Returns the points of a box that are in layers: layers of the chain axis have whole planes, those
 * of other axes the points that remain. */
inline tiled_boxes in_layers(extent rest, const face_layers &layers)
{
    tiled_boxes found = {};

    for (int a = ZOID_AXES - 1; a >= 0; a--)
        for (int side = 0; side < ZOID_SIDES; side++) {
            const long lo = std::max<long>(layers.lo[a][side], rest.lo[a]);
            const long hi = std::min<long>(layers.hi[a][side], rest.hi[a]);
            extent layer = rest;

            if (lo >= hi)
                continue;
            layer.lo[a] = (int)lo;
            layer.hi[a] = (int)hi;
            (side == ZOID_LOW ? rest.lo[a] : rest.hi[a]) =
                side == ZOID_LOW ? layer.hi[a] : layer.lo[a];
            if (layer.lo[0] >= layer.hi[0] || layer.lo[1] >= layer.hi[1] ||
                layer.lo[2] >= layer.hi[2])
                continue;
            found.box[found.n] = tiled_of(layer, found.tiles);
            found.tiles += tiles_of(found.box[found.n++]);
        }
    return found;
}

/* Returns the box of the tile of a block of threads. */
__device__ __forceinline__ const tiled &box_of(const tiled_boxes &boxes)
{
    int b = 0;

    while (b + 1 < boxes.n && (int)blockIdx.x >= boxes.box[b + 1].first)
        b++;
    return boxes.box[b];
}

/* Finds a field's planes [lo, lo + n) for a block of threads, which synchronizes before it reads
 * them. */
__device__ __forceinline__ void find_planes(char **to, const list &l, const field_layout &f,
                                            int field, int lo, int n)
{
    for (int i = threadIdx.x; i < n; i += TILE_THREADS) {
        int stop = NEVER;
        const spot found = find(l, lo + i, f.plane, &stop);

        to[i] = found.at ? found.at + field * found.field : nullptr;
    }
}

} // namespace
#endif
