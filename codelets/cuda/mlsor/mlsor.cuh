/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel of MLSOR: all layers of one part of every subdomain. The subdomains of a kernel are
 * independent, so each is copied to shared memory, relaxed there and copied back. A warp has
 * several that are adjacent along x, and for each of them a group of lanes, one line per lane:
 *
 *     line 2           a                 the lanes of a group go along their lines as a wavefront,
 *     line 1         b . a               each two points behind the lane before it, on whose
 *     line 0     . . . . . a             results it depends; operands are ready a step early
 *
 * If a visit goes backwards, tiles are mirrored as they are copied, so that the kernel only
 * ascends. */
#ifndef ZOID_CODELETS_CUDA_MLSOR_MLSOR_CUH
#define ZOID_CODELETS_CUDA_MLSOR_MLSOR_CUH

#include "codelets/cuda/mlsor/shared.cuh"
#include "codelets/cuda/order.cuh"
#include "codelets/mlsor/cuda.h"

namespace
{

enum { WARP = 32 };

/* The slowest axis is the last one, whatever the dimensions; y has one point in 2-D. Computed
 * points count from 0, in the direction of the visit. */
enum { X, Y, LINES };

struct mlsor_order {
    double q, keep;
    int n[ZOID_AXES];          /* of the domain, outermost points included */
    int subdomains[ZOID_AXES]; /* along an axis */
    int part[ZOID_AXES];       /* that is relaxed */
    int p, layers, visit;      /* layers of a subdomain; of this visit */
    bool back;
    bool first;     /* it reads the inputs, and writes all planes */
    long row, line; /* points between rows, between lines */
    long plane;     /* bytes */
    /* Planes count from `origin`: the box, and the first plane or seam with tiles. */
    int origin, lo, hi, from;
    int across, along; /* tiles of a warp; warps of a row of tiles */
    zoid_mlsor_tile tile;
    list in, b, out;
    char *spare;
};

/* Points of an axis of one subdomain; for adjacent tiles, of the first one. */
struct stretch {
    int subdomain, part, base; /* point with index 1 in the tile; 0 lies before it */
    int lo, hi;                /* bounds of the points that are ever computed */
};

__device__ __forceinline__ stretch stretch_of(const mlsor_order &o, int axis, int subdomain)
{
    const int all = o.subdomains[axis] * o.p, inner = o.n[axis] - 2;
    const int base = o.part[axis] ? (subdomain + 1) * o.p - (o.p + 1) / 2 : subdomain * o.p;

    return {subdomain, o.part[axis], base, o.back ? all - inner : 0, o.back ? all : inner};
}

/* Range of tile indices; span_of: the points of a part at a layer. */
struct span {
    int lo, hi;
};

__device__ __forceinline__ span span_of(const mlsor_order &o, const stretch &a, int layer, int i)
{
    const int start = (a.subdomain + i) * o.p, end = start + o.p;
    const int lo = a.part ? end - 1 - layer : a.subdomain + i == 0 ? 0 : start + layer;
    const int hi = a.part ? end + layer : end - 1 - layer, first = a.base + i * o.p - 1;
    const int least = max(lo, a.lo);

    return {least - first, max(min(hi, a.hi), least) - first};
}

/* Returns the tile indices that a kernel may compute at any layer. */
__device__ __forceinline__ span computed_of(const mlsor_order &o, int axis)
{
    const int half = (o.p + 1) / 2;

    return o.part[axis] ? span{half - o.layers + 1, half + o.layers} : span{1, o.p};
}

/* Returns the coordinate of a point in the domain, outermost points included. */
__device__ __forceinline__ int place_of(const mlsor_order &o, int axis, int point)
{
    return o.back ? o.subdomains[axis] * o.p - point : point + 1;
}

/* Clips a span to the points of the domain. */
__device__ __forceinline__ span within(const mlsor_order &o, int axis, const stretch &a, span s)
{
    const int place = place_of(o, axis, a.base - 1), n = o.n[axis];

    return o.back ? span{max(s.lo, place - n + 1), min(s.hi, place + 1)}
                  : span{max(s.lo, -place), min(s.hi, n - place)};
}

/* The two planes that hold the lines of a tile: line i of the tile is line `first` + i * step of
 * them; line `zero` of them is the domain's first one. */
struct two_planes {
    int first, step, zero;
    const char *from[2], *b[2];
    const char *given[2]; /* line 0 of a tile, which the stage does not compute */
    char *to[2];
};

__device__ __forceinline__ char *plane_at(const mlsor_order &o, const list &l, int plane)
{
    int stop = NEVER;

    return find(l, plane, o.plane, &stop).at;
}

__device__ __forceinline__ const char *one_of(const char *const two[2], int i)
{
    return i ? two[1] : two[0];
}

/* Planes of a subdomain: its own and a neighbour; for a seam, the plane below it and the one
 * above. */
__device__ __forceinline__ two_planes planes_of(const mlsor_order &o, const stretch &lines, int own)
{
    const int low = o.part[LINES] == 0 && !o.back ? own - 1 : own;
    two_planes two;

    /* Plane 0 ends with the domain's first line. */
    two.zero = o.p - 1 - (o.origin + low) * o.p;
    two.step = o.back ? -1 : 1;
    two.first = place_of(o, LINES, lines.base - 1) + two.zero;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int plane = low + i;
        const bool kept = plane >= o.lo && plane < o.hi;

        two.given[i] = plane_at(o, o.in, plane);
        two.to[i] = kept ? plane_at(o, o.out, plane) : o.spare;
        two.from[i] = o.first || (!kept && o.part[LINES] == 0) ? two.given[i] : two.to[i];
        two.b[i] = plane_at(o, o.b, plane);
    }
    return two;
}

/* Points of a column of a tile at equal distances in one plane: `count` of them, `stride` points
 * apart there and `step` apart in the tile. */
struct run {
    int count, at, step;
    int plane;
    bool given;
    long from, stride;
};

/* A warp's tiles and their position. */
template <class T, bool SOLID, bool RHS> struct mlsor_warp {
    const mlsor_order &o;
    stretch axis[ZOID_AXES];
    two_planes planes;
    int tiles, lane;
    unsigned u; /* shared address of the tiles */
    int right;  /* byte offset of the right-hand side */
    int row, line;

    /* Bytes of `points` points, forced into a register: a kernel argument would be loaded at every
     * step. */
    static __device__ __forceinline__ int kept_bytes(int points)
    {
        return __shfl_sync(~0u, points * (int)sizeof(T), 0);
    }

    __device__ __forceinline__ mlsor_warp(const mlsor_order &order, const void *shared)
        : o(order), lane(threadIdx.x), u(shared_address(shared)),
          right(order.across * order.tile.size * (int)sizeof(T)), row(kept_bytes(order.tile.row)),
          line(kept_bytes(order.tile.line))
    {
        const int x = blockIdx.x % o.along * o.across, above = blockIdx.x / o.along;
        const int y = above % o.subdomains[Y], own = o.from + above / o.subdomains[Y];
        const int all = o.subdomains[LINES], number = o.origin + own;

        axis[X] = stretch_of(o, X, x);
        axis[Y] = stretch_of(o, Y, y);
        axis[LINES] = stretch_of(o, LINES,
                                 !o.back         ? number - 1
                                 : o.part[LINES] ? all - 1 - number
                                                 : all - number);
        planes = planes_of(o, axis[LINES], own);
        tiles = min(o.across, o.subdomains[X] - x);
    }

    /* Calls each(run) for the runs of a column that have the given tile indices. */
    template <class Each>
    __device__ __forceinline__ void runs(span lines, span ys, const Each &each) const
    {
        const span some = within(o, LINES, axis[LINES], lines), rows = within(o, Y, axis[Y], ys);
        const int y = place_of(o, Y, axis[Y].base - 1 + rows.lo);

        for (int i = some.lo, end; i < some.hi; i = end) {
            const int line = planes.first + i * planes.step, plane = line >= o.p;
            const int own = line - plane * o.p, left = o.back ? own + 1 : o.p - own;
            run r = {1, i * o.tile.line, o.tile.line, plane, i == 0, own * o.line, 0};

            end = SOLID || i == 0 ? i + 1 : min(some.hi, i + left);
            if (SOLID) {
                r.count = rows.hi - rows.lo;
                r.at += rows.lo * o.tile.row;
                r.step = o.tile.row;
                r.from += y * o.row;
                r.stride = planes.step * o.row;
            } else {
                r.count = end - i;
                r.stride = planes.step * o.line;
            }
            each(r);
        }
    }

    /* Returns the indices to bring: computed points and their halo; for the first kernel all points
     * and one more on each side. */
    __device__ __forceinline__ span wanted(int a) const
    {
        const span s = computed_of(o, a);

        if (o.first)
            return {0, a == LINES ? o.p + 1 : o.p + 2};
        return {s.lo - 1, s.hi + 1};
    }

    /* Copies a column to tile offset `to`, and where tiles overlap to `also` in the next one. */
    __device__ __forceinline__ void bring_column(int place, int to, int also, bool one,
                                                 bool other) const
    {
        runs(wanted(LINES), wanted(Y), [&](const run &r) {
            const T *from = reinterpret_cast<const T *>(r.given ? one_of(planes.given, r.plane)
                                                                : one_of(planes.from, r.plane)) +
                            r.from + place;
            const T *b = reinterpret_cast<const T *>(one_of(planes.b, r.plane)) + r.from + place;
            unsigned at = u + (r.at + to) * (int)sizeof(T);
            const unsigned step = r.step * (int)sizeof(T), beside = (also - to) * (int)sizeof(T);

#pragma unroll 4
            for (int i = 0; i < r.count; i++) {
                if (one)
                    fetch(at, from);
                if (other)
                    fetch(at + beside, from);
                if (RHS && one)
                    fetch(at + right, b);
                if (RHS && other)
                    fetch(at + right + beside, b);
                at += step;
                from += r.stride;
                b += r.stride;
            }
        });
    }

    __device__ __forceinline__ void bring() const
    {
        const span xs = wanted(X);
        const span columns = within(o, X, axis[X], span{0, tiles * o.p + 2});

        for (int at = columns.lo + lane; at < columns.hi; at += WARP) {
            const int i = at / o.p, x = at - i * o.p, size = o.tile.size;

            bring_column(place_of(o, X, axis[X].base - 1 + at), i * size + x,
                         (i - 1) * size + x + o.p,
                         i < tiles && x >= xs.lo && x<xs.hi, i> 0 && x < 2 && x + o.p < xs.hi);
        }
        fetched();
        __syncwarp();
    }

    /* The first kernel also carries the points around all computed ones. */
    __device__ __forceinline__ span kept(int a, int last) const
    {
        if (!o.first)
            return computed_of(o, a);
        return {axis[a].subdomain == 0 ? 0 : 1, last == o.subdomains[a] - 1 ? o.p + 2 : o.p + 1};
    }

    __device__ __forceinline__ void take() const
    {
        T *low = reinterpret_cast<T *>(planes.to[0]), *high = reinterpret_cast<T *>(planes.to[1]);
        const span xs = kept(X, axis[X].subdomain + tiles - 1), ys = kept(Y, axis[Y].subdomain);
        const span lines = o.first ? span{1, o.p + 1} : computed_of(o, LINES);
        const span columns = within(o, X, axis[X], span{0, tiles * o.p + 2});

        for (int at = columns.lo + lane; at < columns.hi; at += WARP) {
            const int place = place_of(o, X, axis[X].base - 1 + at);
            const int i = min(max(at - 1, 0) / o.p, tiles - 1), x = at - i * o.p;
            const unsigned tile = u + (i * o.tile.size + x) * (int)sizeof(T);

            if (o.first ? at < xs.lo || at >= (tiles - 1) * o.p + xs.hi : x < xs.lo || x >= xs.hi)
                continue;
            runs(lines, ys, [&](const run &r) {
                T *to = (r.plane ? high : low) + r.from + place;
                unsigned from = tile + r.at * (int)sizeof(T);

#pragma unroll 4
                for (int i = 0; i < r.count; i++) {
                    T value;

                    get(value, from);
                    *to = value;
                    to += r.stride;
                    from += r.step * (int)sizeof(T);
                }
            });
        }
    }

    /* Relaxes `count` points of a line, in rows of `width`, from `at` on: operands of a point are
     * loaded while the previous one is computed. A lane starts `late` steps after the first one. */
    __device__ __forceinline__ void relax_line(unsigned at, int count, int width, int late,
                                               int steps) const
    {
        enum : int { SIZE = sizeof(T) };
        const T q = (T)o.q, keep = (T)o.keep;
        const int turn = row - (width - 1) * SIZE;
        T here = 0, west = 0, east, up = 0, down = 0, north = 0, south = 0, b = 0;
        int x = -1;

        at -= SIZE;
        get(west, at);
        get(east, at + SIZE);
#pragma unroll 2
        for (int i = -late; i <= steps - late; i++) {
            const bool look = (unsigned)i < (unsigned)count;
            const bool go = (unsigned)(i - 1) < (unsigned)count;
            const unsigned last = at;
            T next_here = east, next_west = west, next_east, next_up = up, next_down = down;
            T next_north = north, next_south = south, next_b = b;

            if (look) {
                x = SOLID && x + 1 == width ? 0 : x + 1;
                at += SOLID && x == 0 && i > 0 ? turn : SIZE;
            }
            get(next_east, at + SIZE);
            if (look) {
                get(next_up, at + line);
                get(next_down, at - line);
                if (SOLID) {
                    get(next_north, at + row);
                    get(next_south, at - row);
                }
                if (RHS)
                    get(next_b, at + right);
            }
            if (SOLID && look && x == 0) {
                get(next_here, at);
                get(next_west, at - SIZE);
            }
            if (go) {
                const T s = SOLID ? (east + north) + up : east + up;
                T t = RHS ? fma(keep, here, q * b) : keep * here;

                t = fma(q, s, t);
                t = fma(q, down, t);
                if (SOLID)
                    t = fma(q, south, t);
                west = fma(q, west, t);
                put(last, west);
                /* In rows of one point, each point is the south neighbour of the next one. */
                if (SOLID && width == 1)
                    next_south = west;
            }
            if (SOLID && look && x == 0)
                west = next_west;
            here = next_here;
            east = next_east;
            up = next_up;
            down = next_down;
            north = next_north;
            south = next_south;
            b = next_b;
            __syncwarp();
        }
    }

    /* Returns the most points of a row in any of the tiles. */
    __device__ __forceinline__ int longest(int a, int layer) const
    {
        return o.part[a] ? 2 * layer + 1 : o.p - 1 - (axis[a].subdomain == 0 ? 1 : 2) * layer;
    }

    __device__ __forceinline__ void relax() const
    {
        const int group = o.tile.group, i = lane / group, own = lane % group;
        const unsigned tile = u + i * o.tile.size * (int)sizeof(T);

        if (axis[LINES].subdomain < 0 || axis[LINES].subdomain >= o.subdomains[LINES])
            return;
        for (int k = 0; k < o.visit; k++) {
            const span xs = span_of(o, axis[X], k, i), lines = span_of(o, axis[LINES], k, 0);
            const span ys = SOLID ? span_of(o, axis[Y], k, 0) : span{0, 1};
            const int width = xs.hi - xs.lo, count = i < tiles ? width * (ys.hi - ys.lo) : 0;
            const int most = longest(X, k) * (SOLID ? longest(Y, k) : 1);
            int at = (lines.lo + own) * o.tile.line + ys.lo * o.tile.row + xs.lo;

            for (int line = lines.lo; line < lines.hi; line += group) {
                const int all = min(group, lines.hi - line);
                const bool busy = own < all && count > 0;

                /* Idle lanes read any valid address. */
                relax_line(busy ? tile + at * (int)sizeof(T) : u + (int)sizeof(T), busy ? count : 0,
                           width, 2 * own, most + 2 * (all - 1));
                at += group * o.tile.line;
            }
        }
    }
};

template <class T, bool SOLID, bool RHS>
__global__ void __launch_bounds__(WARP) mlsor(const __grid_constant__ mlsor_order o)
{
    extern __shared__ double room[];
    const mlsor_warp<T, SOLID, RHS> warp(o, reinterpret_cast<T *>(room));

    warp.bring();
    warp.relax();
    warp.take();
}

} // namespace
#endif
