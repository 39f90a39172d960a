/* SPDX-License-Identifier: BSD-3-Clause */
/* Thin boxes of points in tiles, one for each block of threads: tiles of a box are about the same
 * size, and a thread has up to TILE_POINTS points, scattered over the tile or in a line. */
#ifndef ZOID_CODELETS_CUDA_TILES_CUH
#define ZOID_CODELETS_CUDA_TILES_CUH

#include <algorithm>

#include "codelets/cuda/order.cuh"

namespace
{

/* A tile finds its planes once, which takes as long as some points of a thread: so a launch has as
 * many tiles as a GPU works on at a time, USUAL_TILES, unless threads had more than TILE_POINTS
 * points each. */
enum { TILE_THREADS = 256, TILE_POINTS = 16, TILE_PLANES = TILE_THREADS, USUAL_TILES = 512 };

/* Points whose values a thread loads together. */
enum { TOGETHER = 4 };

/* Quotients of the points of a tile are products with 2^31 / size, rounded up, which is right for
 * indices and sizes whose product is less than 2^31. */
enum { QUOTIENT_BITS = 31 };

/* Tiles of a box; the first one is tile `first` of the launch. Where the points of a thread are in
 * a line, the box and its tiles have one point for each thread, the first of its line. */
struct tiled {
    extent box;
    int axis, side;        /* layer of its points, which no layer of a later axis has */
    int size[ZOID_AXES];   /* most points of a tile along the axes */
    unsigned part[2];      /* 2^31 / size of x and y */
    unsigned across, down; /* tiles of a row and of a column */
    int points;            /* of a thread, at most */
    int first;
    int along, end; /* axis of lines, and where they end */
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

/* Returns the points of a tile, up to `most`, of the fewest tiles that cover `points`. */
inline int share_of(int points, int most)
{
    return ceil_div(points, ceil_div(points, most));
}

/* Returns the points of an extent that is not empty. */
inline long points_in(const extent &box)
{
    return (long)(box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]) * (box.hi[2] - box.lo[2]);
}

/* Returns the points of a thread, at most, in a launch of `all`. */
inline int points_each(long all)
{
    return (int)std::min<long>(all / ((long)TILE_THREADS * USUAL_TILES) + 1, TILE_POINTS);
}

/* Sets the sizes of tiles of up to `most` points, of `high` rows and `deep` planes. */
inline void set_sizes(tiled *t, int most, int high, int deep)
{
    const int across = t->box.hi[0] - t->box.lo[0], rows = t->box.hi[1] - t->box.lo[1];

    t->size[0] = share_of(across, most);
    t->size[1] = share_of(rows, std::min(most / t->size[0], high));
    t->size[2] =
        share_of(t->box.hi[2] - t->box.lo[2], std::min(most / (t->size[0] * t->size[1]), deep));
    for (int a = 0; a < 2; a++)
        t->part[a] = (unsigned)(((1L << QUOTIENT_BITS) + t->size[a] - 1) / t->size[a]);
    t->across = (unsigned)ceil_div(across, t->size[0]);
    t->down = (unsigned)ceil_div(rows, t->size[1]);
}

/* Returns the tiles of a box that is not empty, in a launch of `all` points. */
inline tiled tiled_of(const extent &box, int axis, int side, int first, long all)
{
    const int most = TILE_THREADS * points_each(all);
    tiled t = {box, axis, side, {}, {}, 0, 0, 0, first, 0, 0};

    set_sizes(&t, most, most, TILE_PLANES);
    t.points = ceil_div(t.size[0] * t.size[1] * t.size[2], TILE_THREADS);
    return t;
}

/* Returns them with the points of a thread in a line: along the axis of their layer, but along the
 * planes for layers of x. Lines of a tile along the axis of their layer all begin at one index. */
inline tiled lined_of(const extent &box, int axis, int side, int first, long all)
{
    const int along = axis == 1 ? 1 : 2, points = box.hi[along] - box.lo[along];
    tiled t = {box, axis, side, {}, {}, 0, 0, 0, first, along, box.hi[along]};

    t.points = share_of(points, points_each(all));
    t.box.hi[along] = box.lo[along] + ceil_div(points, t.points);
    set_sizes(&t, TILE_THREADS, axis == 1 ? 1 : TILE_THREADS,
              axis == 2   ? 1
              : axis == 1 ? TILE_PLANES
                          : TILE_PLANES / t.points);
    return t;
}

inline int tiles_of(const tiled &t)
{
    return (int)(t.across * t.down) * ceil_div(t.box.hi[2] - t.box.lo[2], t.size[2]);
}

__device__ __forceinline__ tile tile_of(const tiled &t)
{
    const unsigned n = blockIdx.x - (unsigned)t.first, row = n / t.across, layer = row / t.down;
    const int lo = t.box.lo[2] + (int)layer * t.size[2];

    return {t.box.lo[0] + (int)(n - row * t.across) * t.size[0],
            t.box.lo[1] + (int)(row - layer * t.down) * t.size[1], lo,
            min(t.size[2], t.box.hi[2] - lo)};
}

/* Returns the thread's k-th point of a tile. */
__device__ __forceinline__ tile_point point_of(const tiled &t, const tile &own, int k)
{
    const unsigned i = threadIdx.x + (unsigned)k * TILE_THREADS;
    const int row = (int)__umulhi(2 * i, t.part[0]);
    const int plane = (int)__umulhi(2 * (unsigned)row, t.part[1]);
    tile_point at = {
        {own.x + (int)i - row * t.size[0], own.y + row - plane * t.size[1], own.lo + plane}, false};

    at.inside = at.p[0] < t.box.hi[0] && at.p[1] < t.box.hi[1] && plane < own.planes;
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
 * of other axes the points that remain. `tiles` is tiled_of or lined_of. */
template <class Tiles>
tiled_boxes in_layers(extent rest, const face_layers &layers, const Tiles &tiles)
{
    tiled_boxes found = {};
    long all = 0;

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
            all += points_in(layer);
            found.box[found.n].axis = a;
            found.box[found.n].side = side;
            found.box[found.n++].box = layer;
        }
    for (int i = 0; i < found.n; i++) {
        tiled &box = found.box[i];

        box = tiles(box.box, box.axis, box.side, found.tiles, all);
        found.tiles += tiles_of(box);
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

/* Finds a field's planes [lo, lo + n) by one of `teams` equal parts of a block of threads, which
 * synchronizes before it reads them. */
__device__ __forceinline__ void find_planes(char **to, const list &l, const field_layout &f,
                                            int field, int lo, int n, int teams)
{
    const int team = TILE_THREADS / teams;

    for (int i = threadIdx.x % team; i < n; i += team) {
        int stop = NEVER;
        const spot found = find(l, lo + i, f.plane, &stop);

        to[i] = found.at ? found.at + field * found.field : nullptr;
    }
}

} // namespace
#endif
