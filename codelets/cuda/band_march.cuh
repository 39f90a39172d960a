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
 * a batch. Some of them only bring what comes next, so that those that compute wait for nothing
 * else. Rows that a block's last level looks at and others own are computed by both. */
#ifndef ZOID_CODELETS_CUDA_BAND_MARCH_CUH
#define ZOID_CODELETS_CUDA_BAND_MARCH_CUH

#include <cuda_pipeline.h>

#include "codelets/cuda/band.cuh"

namespace
{

enum { LEVELS = 8, SEGMENTS = 480, PIECES = 64 };
/* Rows of a thread; batches that are on their way; the most threads that compute, and those that
 * bring. */
enum { OWN = 2, AHEAD = 2, COMPUTING = 256, BRINGING = 128, UNIT = 16 /* bytes of a copy */ };
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

/* Where rows that are asked for in ascending order lie, from `lo` to `until`. */
struct whereabouts {
    int lo, until;
    band_spot at; /* of row lo; NULL: they are nowhere */

    __device__ __forceinline__ char *of(int row, int size) const
    {
        return at.at + (row - lo) * size;
    }
};

/* The same of groups of the matrix. */
struct piece_place {
    int lo, until;
    const char *at;
};

/* Rows count from `start`, where level 0 begins. */
template <class T> struct marcher {
    static constexpr int GROUP = ZOID_LINE / sizeof(T);
    /* Diagonals that a thread loads before it adds those that it has. */
    static constexpr int TOGETHER = 32 / sizeof(T);

    const march_order<T> &o;
    char *matrix;
    T *vectors;
    long start;
    int end;              /* where level 0 is when all have ended */
    long own_lo, own_hi;  /* rows, from 0 on, that it leaves to others */
    int mine;             /* the level of this thread's rows; all levels: it brings */
    int lo, hi;           /* rows of that level that the block of threads computes */
    int box_lo, box_hi;   /* and that it has */
    int row, slot, place; /* the thread's first row, its group's slot, and where x of it begins */
    int inside;           /* bytes from a line's start to the thread's rows */
    T *from, *to;         /* what the level reads, and the next one; NULL: there is none */
    band_term<T> term;    /* of the level */
    bool leaves;          /* any rows, where the launch wants them */
    whereabouts there;    /* of the rows that it leaves, or brings */

    __device__ explicit marcher(const march_order<T> &order, char *memory)
        : o(order), matrix(memory), vectors(reinterpret_cast<T *>(memory + order.s.matrix)),
          to(nullptr), there{-NEAR, -NEAR}
    {
        const long first = o.begin + blockIdx.x * o.each;
        const bool last = blockIdx.x + 1 == gridDim.x;
        int ahead;

        own_lo = blockIdx.x ? first : -FAR;
        own_hi = last ? FAR : first + o.each;
        mine = min((int)threadIdx.x / (o.s.batch / (int)OWN), o.s.levels);
        ahead = ((int)threadIdx.x - mine * (o.s.batch / (int)OWN)) * OWN;
        find_rows();
        row = ahead - mine * o.s.lag;
        slot = remainder(row >= 0 ? row / GROUP : -((GROUP - 1 - row) / GROUP), o.s.slots);
        inside = ahead % GROUP * (int)sizeof(T);
        place = remainder(row, o.s.ring);
        from = ring(mine, 0);
        if (mine + 1 < o.s.levels)
            to = ring(mine + 1, 0);
        if (mine < o.s.levels) {
            term = o.term[mine];
            leaves = o.level[mine].left > 0;
        }
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
    __device__ __forceinline__ void put(T *at, T value) const
    {
        at[0] = value;
        at[o.s.ring] = value;
    }

    /* Finds out where a row lies in some of the segments, and those after it. */
    __device__ __forceinline__ void seek(whereabouts *w, int first, int n, int r) const
    {
        w->lo = r;
        w->until = NEAR;
        w->at = {nullptr, 0};
        for (int i = first; i < first + n; i++) {
            const long begin = o.segment[i].lo - start, end_of = o.segment[i].hi - start;

            if (r >= begin && r < end_of) {
                w->at = {o.segment[i].base + (r - begin) * (long)sizeof(T), o.segment[i].field};
                w->until = (int)min(end_of, (long)NEAR);
                return;
            }
            if (begin > r)
                w->until = (int)min(begin, (long)w->until);
        }
    }

    /* A row that was given of what level i reads goes to a place; zeros where there is none. */
    __device__ void give(int i, int r, int at) const
    {
        whereabouts w;

        seek(&w, o.level[i].first, o.level[i].given, r);
        for (int f = 0; f < o.fields; f++)
            put(ring(i, f) + at, w.at.at ? value_of<T>(w.at, f, 0) : (T)0);
    }

    /* ---- bringing ---------------------------------------------------------------------------- */

    /* A row of level 0, with the batch that it belongs to. */
    __device__ __forceinline__ void bring_row(int r, int at)
    {
        if (r >= there.until)
            seek(&there, o.level[0].first, o.level[0].given, r);
        for (int f = 0; f < o.fields; f++) {
            const char *value = there.of(r, sizeof(T)) + f * there.at.field;
            T *here = ring(0, f) + at;

            if (!there.at.at) {
                put(here, 0);
                continue;
            }
            __pipeline_memcpy_async(here, value, sizeof(T));
            __pipeline_memcpy_async(here + o.s.ring, value, sizeof(T));
        }
    }

    /* The group that a row of the matrix begins, from whatever piece has it; by a warp. Warps ask
     * for groups in ascending order, and look for the piece where the last one ends. */
    __device__ __forceinline__ void bring_group(int r, int slot_of, piece_place *p) const
    {
        const int bytes = o.diagonals * (int)ZOID_LINE;
        char *at = matrix + slot_of * o.s.lines * (int)ZOID_LINE;
        const char *values;

        if (r >= p->until)
            seek_piece(p, r);
        if (!p->at)
            return;
        values = p->at + (long)((r - p->lo) / GROUP) * bytes;
#pragma unroll 4
        for (int i = threadIdx.x % WARP * UNIT; i < bytes; i += (int)WARP * UNIT)
            __pipeline_memcpy_async(at + i, values + i, UNIT);
    }

    /* The first piece that has rows of the group from row r on. */
    __device__ __forceinline__ void seek_piece(piece_place *p, int r) const
    {
        const long first = start + r;

        *p = {r, r + GROUP, nullptr};
        for (int i = 0; i < o.pieces; i++) {
            const piece_rows &piece = o.piece[i];

            if (first >= piece.hi || first + GROUP <= piece.lo)
                continue;
            p->at =
                piece.values + (first - piece.first) / GROUP * (long)(o.diagonals * (int)ZOID_LINE);
            p->until = (int)min(piece.hi - start, (long)NEAR);
            return;
        }
    }

    /* Batches of the matrix, and the rows of x beyond those that were given before. */
    __device__ void bring()
    {
        const int thread = (int)threadIdx.x - ((int)blockDim.x - (int)BRINGING);
        const int ahead = thread / (int)WARP, warps = (int)BRINGING / (int)WARP;
        int fetched = 0, to_slot = 0, x_to = remainder(o.upper + o.lower, o.s.ring);
        piece_place piece = {-NEAR, -NEAR, nullptr};

        for (int at = -(int)AHEAD * o.s.batch; at < end; at += o.s.batch) {
            if (at >= 0) {
                __pipeline_wait_prior(AHEAD - 1);
                __syncthreads();
            }
            if (fetched < end) {
                for (int g = ahead; g < o.s.batch / GROUP; g += warps)
                    bring_group(fetched + g * GROUP, next(to_slot, g, o.s.slots), &piece);
                for (int i = thread; i < o.s.batch; i += BRINGING)
                    bring_row(fetched + o.upper + i, next(x_to, i, o.s.ring));
                to_slot = next(to_slot, o.s.batch / GROUP, o.s.slots);
                x_to = next(x_to, o.s.batch, o.s.ring);
                fetched += o.s.batch;
            }
            __pipeline_commit();
        }
        __pipeline_wait_prior(0);
    }

    /* ---- computing --------------------------------------------------------------------------- */

    __device__ __forceinline__ T rhs_of(long at) const
    {
        for (int i = 0; i < o.pieces; i++)
            if (at >= o.piece[i].lo && at < o.piece[i].hi)
                return reinterpret_cast<const T *>(o.piece[i].rhs)[at - o.piece[i].first];
        return 0;
    }

    /* Entries of some diagonals in a thread's rows, and what they are multiplied with. */
    struct operands {
        pair<T> a[TOGETHER], x[TOGETHER / OWN + 1];

        /* The first n of them. */
        __device__ __forceinline__ void load(const pair<T> *from, const pair<T> *beside, int n)
        {
            x[0] = beside[0];
#pragma unroll
            for (int i = 0; i < TOGETHER; i++) {
                if (i < n)
                    a[i] = from[i * (GROUP / (int)OWN)];
                if (i % OWN && i < n)
                    x[i / OWN + 1] = beside[i / OWN + 1];
            }
        }

        __device__ __forceinline__ void add(T (&sum)[OWN], int n) const
        {
#pragma unroll
            for (int i = 0; i < TOGETHER; i++)
#pragma unroll
                for (int e = 0; e < OWN; e++)
                    if (i < n)
                        sum[e] =
                            fused_add(a[i].value[e], x[(i + e) / OWN].value[(i + e) % OWN], sum[e]);
        }
    };

    /* Sums of a thread's rows, which load what comes next while they add. */
    __device__ __forceinline__ void multiply(T (&sum)[OWN]) const
    {
        constexpr int LINES = TOGETHER * GROUP / (int)OWN, PAIRS = TOGETHER / (int)OWN;
        const pair<T> *a =
            reinterpret_cast<const pair<T> *>(matrix + slot * o.s.lines * ZOID_LINE + inside);
        const pair<T> *x = reinterpret_cast<const pair<T> *>(from + place);
        operands now, then;
        int left = o.diagonals;

        if (left >= TOGETHER)
            now.load(a, x, TOGETHER);
        else
            now.load(a, x, left);
        for (; left >= 3 * TOGETHER; left -= 2 * TOGETHER, a += 2 * LINES, x += 2 * PAIRS) {
            then.load(a + LINES, x + PAIRS, TOGETHER);
            now.add(sum, TOGETHER);
            now.load(a + 2 * LINES, x + 2 * PAIRS, TOGETHER);
            then.add(sum, TOGETHER);
        }
        for (; left >= TOGETHER; left -= TOGETHER, a += LINES, x += PAIRS) {
            then.load(a + LINES, x + PAIRS, left - TOGETHER);
            now.add(sum, TOGETHER);
            now = then;
        }
        now.add(sum, left);
    }

    /* The rows of a thread that `computed` says go where the level leaves them. */
    __device__ __forceinline__ void leave(const bool (&computed)[OWN], const T (&value)[OWN],
                                          const T (&cur)[OWN], const T (&total)[OWN])
    {
        if (!there.at.at && row + OWN <= there.until)
            return;
#pragma unroll
        for (int e = 0; e < OWN; e++) {
            if (row + e >= there.until)
                seek_own(row + e);
            if (!there.at.at || !computed[e])
                continue;
            const band_spot spot = {there.of(row + e, sizeof(T)), there.at.field};

            value_of<T>(spot, 0, 0) = value[e];
            if (o.previous >= 0)
                value_of<T>(spot, o.previous, 0) = cur[e];
            if (o.sum >= 0)
                value_of<T>(spot, o.sum, 0) = total[e];
        }
    }

    /* Rows that others own are nowhere. */
    __device__ __forceinline__ void seek_own(int r)
    {
        const level_lists &level = o.level[mine];
        const int begin = (int)max(own_lo - start, -NEAR), end_of = (int)min(own_hi - start, NEAR);

        if (r < begin || r >= end_of) {
            there = {r, r < begin ? begin : (int)NEAR, {nullptr, 0}};
            return;
        }
        seek(&there, level.first + level.given, level.left, r);
        there.until = min(there.until, end_of);
    }

    /* A value of a thread's rows that have places, of a field that they read; 0 without one. */
    __device__ __forceinline__ void read(int field, const int (&at)[OWN], T (&value)[OWN]) const
    {
#pragma unroll
        for (int e = 0; e < OWN; e++)
            value[e] = field >= 0 ? from[2 * o.s.ring * field + at[e]] : (T)0;
    }

    /* What the level makes of a thread's rows, for the next one and for whoever wants it, of those
     * that `computed` says. */
    __device__ __forceinline__ void compute_pair(const bool (&computed)[OWN], const int (&at)[OWN])
    {
        T cur[OWN], previous[OWN], total[OWN], rhs[OWN] = {}, sum[OWN] = {}, value[OWN];

        read(0, at, cur);
        read(o.previous, at, previous);
        read(o.sum, at, total);
        if (term.has_d)
#pragma unroll
            for (int e = 0; e < OWN; e++)
                rhs[e] = rhs_of(start + row + e);
        if (term.has_a)
            multiply(sum);
#pragma unroll
        for (int e = 0; e < OWN; e++) {
            value[e] = step_of(term, cur[e], previous[e], rhs[e], sum[e]);
            total[e] = term.has_s ? fused_add(term.s, value[e], total[e]) : total[e];
        }
        if (to)
#pragma unroll
            for (int e = 0; e < OWN; e++) {
                if (!computed[e])
                    continue;
                put(to + at[e], value[e]);
                if (o.previous >= 0)
                    put(to + 2 * o.s.ring * o.previous + at[e], cur[e]);
                if (o.sum >= 0)
                    put(to + 2 * o.s.ring * o.sum + at[e], total[e]);
            }
        if (leaves)
            leave(computed, value, cur, total);
    }

    /* A thread's rows of its level, or in their place what was given. */
    __device__ __forceinline__ void compute_rows()
    {
        int at[OWN];
        bool computed[OWN], all = true;

        at[0] = next(place, o.lower, o.s.ring);
#pragma unroll
        for (int e = 0; e < OWN; e++) {
            at[e] = e ? next(at[e - 1], 1, o.s.ring) : at[e];
            computed[e] = row + e >= lo && row + e < hi;
            all = all && computed[e];
        }
        if (row + OWN > lo && row < hi)
            compute_pair(computed, at);
        if (all || !to)
            return;
#pragma unroll
        for (int e = 0; e < OWN; e++)
            if (!computed[e] && (row + e < box_lo || row + e >= box_hi))
                give(mine + 1, row + e, at[e]);
    }

    __device__ void compute()
    {
        for (int at = 0; at < end; at += o.s.batch) {
            __syncthreads();
            if (mine < o.s.levels)
                compute_rows();
            row += o.s.batch;
            slot = next(slot, o.s.batch / GROUP, o.s.slots);
            place = next(place, o.s.batch, o.s.ring);
        }
    }

    __device__ void march()
    {
        for (int r = (int)threadIdx.x - o.lower; r < o.upper; r += blockDim.x)
            give(0, r, remainder(r + o.lower, o.s.ring));
        if (threadIdx.x < blockDim.x - BRINGING)
            compute();
        else
            bring();
    }
};

template <class T>
__global__ void __launch_bounds__(COMPUTING + BRINGING)
    march(const __grid_constant__ march_order<T> o)
{
    extern __shared__ __align__(16) char memory[];
    marcher<T> m(o, memory);

    if (m.end > 0)
        m.march();
}

} // namespace
#endif
