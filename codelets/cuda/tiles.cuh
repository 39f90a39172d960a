/* SPDX-License-Identifier: BSD-3-Clause */
/* Thin boxes of points in tiles, one for each block of threads: x, y and planes of a tile are
 * powers of 2 and THREADS in all, whatever a box's widths are. */
#ifndef ZOID_CODELETS_CUDA_TILES_CUH
#define ZOID_CODELETS_CUDA_TILES_CUH

#include "codelets/cuda/order.cuh"

namespace
{

enum { TILE_THREADS = 256, TILE_BITS = 8 };

/* Tiles of a box; the first one is tile `first` of the launch. */
struct tiled {
    extent box;
    int bits[ZOID_AXES]; /* logarithms of a tile's points */
    int across, down;    /* tiles of a row and of a column */
    int first;
};

/* The tile of a block of threads, and the point of a thread. */
struct tile {
    int lo, planes; /* planes of the tile */
    int p[ZOID_AXES];
    bool inside; /* the point is in the box */
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
    const int rows = box.hi[1] - box.lo[1];
    tiled t = {box, {}, 0, 0, first};

    t.bits[0] = tile_bits(box.hi[0] - box.lo[0], LEAST, TILE_BITS);
    t.bits[1] = tile_bits(rows, TILE_BITS - t.bits[0], TILE_BITS - t.bits[0]);
    t.bits[2] = TILE_BITS - t.bits[0] - t.bits[1];
    t.across = ceil_div(box.hi[0] - box.lo[0], 1 << t.bits[0]);
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
    const int i = threadIdx.x;
    tile own;

    own.lo = t.box.lo[2] + (n / (t.across * t.down) << t.bits[2]);
    own.planes = min(1 << t.bits[2], t.box.hi[2] - own.lo);
    own.p[0] = t.box.lo[0] + (column % t.across << t.bits[0]) + (i & (1 << t.bits[0]) - 1);
    own.p[1] =
        t.box.lo[1] + (column / t.across << t.bits[1]) + (i >> t.bits[0] & (1 << t.bits[1]) - 1);
    own.p[2] = own.lo + (i >> t.bits[0] + t.bits[1]);
    own.inside = own.p[0] < t.box.hi[0] && own.p[1] < t.box.hi[1] && own.p[2] < t.box.hi[2];
    return own;
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
