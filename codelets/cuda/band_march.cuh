/* SPDX-License-Identifier: BSD-3-Clause */
/* Several steps of a band's diagonals in one launch: each block of threads has a stretch of rows
 * and goes up them once, all levels of the launch at the same time, each behind the one before.
 *
 *     level 2      x x x 2 2 . . . . . . . .     rows  ->    x is done, . is not yet
 *     level 1      x x x x x x x 1 1 . . . .
 *     level 0      x x x x x x x x x x x 0 0     a batch of rows each, then all go on by a batch
 *     matrix       . . . r r r r r r r r r r + +   r: in shared memory, +: on its way there
 *
 * So a row of the matrix comes from memory once, and is in shared memory for all levels. Vectors of
 * all levels are there too, in rings of as many rows as a level looks at. A level is so far behind
 * the one before that it reads nothing of the batch that this computes meanwhile: threads meet once
 * a batch. Rows that a block's last level looks at and others own are computed by both. */
#ifndef ZOID_CODELETS_CUDA_BAND_MARCH_CUH
#define ZOID_CODELETS_CUDA_BAND_MARCH_CUH

#include <cuda_pipeline.h>

#include "codelets/cuda/band.cuh"

namespace
{

enum { LEVELS = 8, SEGMENTS = 80, PIECES = 6 };
/* Rows of a thread; batches that are on their way; the most threads that compute. */
enum { OWN = 2, AHEAD = 2, COMPUTING = 512, HELPING = 64, UNIT = 16 /* bytes of a copy */ };
enum { SHARED = 227 << 10, WARP = 32 };
enum : long { FAR = 1l << 60, NEAR = 1 << 30 };

template <class T> struct alignas(OWN * sizeof(T)) pair {
    T value[OWN];
};

/* How a launch of some levels lies in shared memory. */
struct shape {
    int levels, batch, lag; /* rows of a batch; rows that a level is behind the one before */
    int ring;               /* rows of vectors of a level, an even number */
    int slots, lines;       /* groups of the matrix; lines from a group to the next, an odd number,
                               so that groups side by side lie in different banks */
    int threads;
    size_t matrix, bytes; /* of the matrix; of all */
};

/* Segments of a level: those that were given, then those that it leaves. */
struct level_lists {
    long lo, hi; /* rows of its box */
    short first, given, left;
};

struct piece_rows {
    long lo, hi, first; /* rows; the first row of the first group */
    const char *values, *rhs;
};

template <class T> struct march_order {
    long n;
    int lower, upper, diagonals, fields, previous, sum;
    shape s;
    long begin, each; /* where the first block of threads begins, and how many rows one has */
    band_term<T> term[LEVELS];
    level_lists level[LEVELS];
    int pieces;
    piece_rows piece[PIECES];
    band_rows segment[SEGMENTS];
};

/* ---- a block of threads ---------------------------------------------------------------------- */

/* Rows count from `start`, where level 0 begins. */
template <class T> struct marcher {
    static constexpr int GROUP = ZOID_LINE / sizeof(T);

    const march_order<T> &o;
    char *matrix;
    T *vectors;
    long start;
    int end;               /* where level 0 is when all have ended */
    long own_lo, own_hi;   /* rows, from 0 on, that it leaves to others */
    int mine;              /* the level of this thread's rows; all levels: it has none */
    int lo, hi;            /* rows of that level that the block of threads computes */
    int box_lo, box_hi;    /* and that it has */
    int row, slot, place;  /* the thread's first row, its group's slot, and where x of it begins */
    int fetched, to, x_to; /* what comes next: a row of the matrix, its slot, and a place of x */

    __device__ explicit marcher(const march_order<T> &order, char *memory)
        : o(order), matrix(memory), vectors(reinterpret_cast<T *>(memory + order.s.matrix)),
          fetched(0), to(0)
    {
        const long first = o.begin + blockIdx.x * o.each;
        const bool last = blockIdx.x + 1 == gridDim.x;

        own_lo = blockIdx.x ? first : -FAR;
        own_hi = last ? FAR : first + o.each;
        mine = min((int)threadIdx.x / (o.s.batch / (int)OWN), o.s.levels);
        find_rows();
        row = ((int)threadIdx.x - mine * (o.s.batch / (int)OWN)) * OWN - mine * o.s.lag;
        slot = remainder(row >= 0 ? row / GROUP : -((GROUP - 1 - row) / GROUP), o.s.slots);
        place = remainder(row, o.s.ring);
        x_to = remainder((int)threadIdx.x + o.upper + o.lower, o.s.ring);
    }

    /* From the last level on, what levels look at. */
    __device__ void find_rows()
    {
        long from = FAR, to_row = -FAR, first = FAR, last = -FAR, mine_lo = 0, mine_hi = 0;

        for (int i = o.s.levels - 1; i >= 0; i--) {
            const level_lists &level = o.level[i];
            const long behind = i * (long)o.s.lag;

            from = max(level.lo, min(from, own_lo));
            to_row = min(level.hi, max(to_row, own_hi));
            if (i == mine) {
                mine_lo = from;
                mine_hi = max(from, to_row);
            }
            if (from >= to_row) {
                from = FAR;
                to_row = -FAR;
                continue;
            }
            first = min(first, i ? min(from, from - o.lower + behind - o.s.lag) : from);
            last = max(last, to_row + behind);
            from -= o.lower;
            to_row += o.upper;
        }
        start = first >= 0 ? first / GROUP * GROUP : -((GROUP - 1 - first) / GROUP * GROUP);
        end = first < last ? (int)(last - start) : 0;
        lo = (int)(mine_lo - start);
        hi = (int)(mine_hi - start);
        if (mine < o.s.levels) {
            box_lo = (int)max(o.level[mine].lo - start, -NEAR);
            box_hi = (int)min(o.level[mine].hi - start, NEAR);
        }
    }

    static __device__ __forceinline__ int remainder(int i, int n)
    {
        return i >= 0 ? i % n : n - 1 - (-1 - i) % n;
    }

    static __device__ __forceinline__ int next(int i, int by, int n)
    {
        return i + by < n ? i + by : i + by - n;
    }

    __device__ __forceinline__ T *ring(int level, int field) const
    {
        return vectors + (level * o.fields + field) * 2 * o.s.ring;
    }

    /* Twice, so that all rows that are read lie one after the other. */
    __device__ __forceinline__ void put(int level, int field, int at, T value) const
    {
        T *r = ring(level, field) + at;

        r[0] = value;
        r[o.s.ring] = value;
    }

    __device__ __forceinline__ band_spot spot(int first, int n, long at) const
    {
        for (int i = first; i < first + n; i++)
            if (at >= o.segment[i].lo && at < o.segment[i].hi)
                return {o.segment[i].base + (at - o.segment[i].lo) * (long)sizeof(T),
                        o.segment[i].field};
        return {nullptr, 0};
    }

    /* A row that was given of what level i reads goes to a place, now or with the batch that is
     * being fetched; zeros where there is none. */
    template <bool Now> __device__ void give(int i, int r, int at) const
    {
        const band_spot from = spot(o.level[i].first, o.level[i].given, start + r);

        for (int f = 0; f < o.fields; f++) {
            T *there = ring(i, f) + at;

            if (Now || !from.at) {
                put(i, f, at, from.at ? value_of<T>(from, f, 0) : (T)0);
                continue;
            }
            __pipeline_memcpy_async(there, &value_of<T>(from, f, 0), sizeof(T));
            __pipeline_memcpy_async(there + o.s.ring, &value_of<T>(from, f, 0), sizeof(T));
        }
    }

    /* The groups of a batch come from whatever piece has them, and the rows of x beyond those that
     * were given before. */
    __device__ void fetch()
    {
        const int units = o.diagonals * (ZOID_LINE / UNIT);

        for (int g = 0; g < o.s.batch; g += GROUP) {
            const long first = start + fetched + g;
            char *there = matrix + to * o.s.lines * ZOID_LINE;
            const char *from = nullptr;

            to = next(to, 1, o.s.slots);
            for (int i = 0; i < o.pieces && !from; i++)
                if (first < o.piece[i].hi && first + GROUP > o.piece[i].lo)
                    from = o.piece[i].values +
                           (first - o.piece[i].first) / GROUP * (long)(o.diagonals * ZOID_LINE);
            for (int i = threadIdx.x; from && i < units; i += blockDim.x)
                __pipeline_memcpy_async(there + i * UNIT, from + i * UNIT, UNIT);
        }
        if (threadIdx.x < o.s.batch)
            give<false>(0, fetched + o.upper + (int)threadIdx.x, x_to);
        x_to = next(x_to, o.s.batch, o.s.ring);
        fetched += o.s.batch;
    }

    __device__ __forceinline__ T rhs_of(long at) const
    {
        for (int i = 0; i < o.pieces; i++)
            if (at >= o.piece[i].lo && at < o.piece[i].hi)
                return reinterpret_cast<const T *>(o.piece[i].rhs)[at - o.piece[i].first];
        return 0;
    }

    /* Sums of a thread's rows. */
    __device__ __forceinline__ void multiply(T (&sum)[OWN]) const
    {
        const pair<T> *a = reinterpret_cast<const pair<T> *>(matrix + slot * o.s.lines * ZOID_LINE +
                                                             (row % GROUP) * (int)sizeof(T));
        const pair<T> *x = reinterpret_cast<const pair<T> *>(ring(mine, 0) + place);
        pair<T> now = *x++;
        int d = 0;

#pragma unroll 8
        for (; d + 2 <= o.diagonals; d += 2, a += 2 * GROUP / OWN) {
            const pair<T> then = *x++, first = a[0], second = a[GROUP / OWN];

            sum[0] = fused_add(first.value[0], now.value[0], sum[0]);
            sum[1] = fused_add(first.value[1], now.value[1], sum[1]);
            sum[0] = fused_add(second.value[0], now.value[1], sum[0]);
            sum[1] = fused_add(second.value[1], then.value[0], sum[1]);
            now = then;
        }
        for (int e = 0; d < o.diagonals && e < OWN; e++)
            sum[e] = fused_add(a->value[e], now.value[e], sum[e]);
    }

    /* What a level makes of a row, which has a place, for the next one and for whoever wants it. */
    __device__ __forceinline__ void finish(int r, int at, T sum) const
    {
        const band_term<T> &t = o.term[mine];
        const level_lists &level = o.level[mine];
        const bool own = start + r >= own_lo && start + r < own_hi;
        const T cur = ring(mine, 0)[at];
        T total = 0, value;

        value = step_of(t, cur, t.has_c ? ring(mine, o.previous)[at] : (T)0,
                        t.has_d ? rhs_of(start + r) : (T)0, sum);
        if (o.sum >= 0)
            total = t.has_s ? fused_add(t.s, value, ring(mine, o.sum)[at]) : ring(mine, o.sum)[at];
        if (mine + 1 < o.s.levels) {
            put(mine + 1, 0, at, value);
            if (o.previous >= 0)
                put(mine + 1, o.previous, at, cur);
            if (o.sum >= 0)
                put(mine + 1, o.sum, at, total);
        }
        if (own && level.left)
            leave(spot(level.first + level.given, level.left, start + r), value, cur, total);
    }

    __device__ __forceinline__ void leave(const band_spot &there, T value, T previous, T sum) const
    {
        if (!there.at)
            return;
        value_of<T>(there, 0, 0) = value;
        if (o.previous >= 0)
            value_of<T>(there, o.previous, 0) = previous;
        if (o.sum >= 0)
            value_of<T>(there, o.sum, 0) = sum;
    }

    /* A thread's rows of its level, or in their place what was given. */
    __device__ __forceinline__ void compute() const
    {
        int at = next(place, o.lower, o.s.ring);
        T sum[OWN] = {};

        if (row + OWN > lo && row < hi && o.term[mine].has_a)
            multiply(sum);
#pragma unroll
        for (int e = 0; e < OWN; e++, at = next(at, 1, o.s.ring))
            if (row + e >= lo && row + e < hi)
                finish(row + e, at, sum[e]);
            else if (mine + 1 < o.s.levels && (row + e < box_lo || row + e >= box_hi))
                give<true>(mine + 1, row + e, at);
    }

    __device__ void march()
    {
        for (int r = (int)threadIdx.x - o.lower; r < o.upper; r += blockDim.x)
            give<true>(0, r, remainder(r + o.lower, o.s.ring));
        for (int a = 0; a < AHEAD; a++) {
            fetch();
            __pipeline_commit();
        }
        for (int at = 0; at < end; at += o.s.batch) {
            __pipeline_wait_prior(AHEAD - 1);
            __syncthreads();
            if (fetched < end)
                fetch();
            __pipeline_commit();
            if (mine < o.s.levels)
                compute();
            row += o.s.batch;
            slot = next(slot, o.s.batch / GROUP, o.s.slots);
            place = next(place, o.s.batch, o.s.ring);
        }
        __pipeline_wait_prior(0);
    }
};

template <class T>
__global__ void __launch_bounds__(COMPUTING + HELPING)
    march(const __grid_constant__ march_order<T> o)
{
    extern __shared__ __align__(16) char memory[];
    marcher<T> m(o, memory);

    if (m.end > 0)
        m.march();
}

} // namespace
#endif
