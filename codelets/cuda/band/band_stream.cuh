/* SPDX-License-Identifier: BSD-3-Clause */
/* Several steps of a band's diagonals in one launch (temporal blocking): each block of threads owns
 * a stretch of rows and streams it once, all levels of the launch as a wavefront.
 *
 *     level 2      x x x 2 2 . . . . . . . .     rows  ->    x is done, . is not yet
 *     level 1      x x x x x x x 1 1 . . . .
 *     level 0      x x x x x x x x x x x 0 0     a batch of rows each, then all advance by a batch
 *     matrix       . . . r r r r r r r r r r + +   r: in shared memory, +: in flight
 *
 * So a row of the matrix is loaded from memory once, and is in shared memory for all levels.
 * Vectors of all levels are there as well, in ring buffers of the rows that a level reads. A level
 * lags enough to read nothing of the batch that the level before computes meanwhile: one barrier
 * per batch. Some threads only prefetch, so that the computing threads wait for nothing else. Rows
 * in the overlap of two blocks of threads are computed by both. */
#ifndef ZOID_CODELETS_CUDA_BAND_BAND_STREAM_CUH
#define ZOID_CODELETS_CUDA_BAND_BAND_STREAM_CUH

#include <cuda_pipeline.h>

#include "codelets/cuda/band/band.cuh"

namespace
{

enum { LEVELS = 8, SEGMENTS = 480, PIECES = 64 };
/* Rows per thread; batches of prefetch; the most computing threads; and the prefetching ones. */
enum { OWN = 2, AHEAD = 2, COMPUTING = 256, BRINGING = 128, UNIT = 16 /* bytes of a copy */ };
enum { SHARED = 227 << 10, WARP = 32 };
enum : long { FAR = 1l << 60, NEAR = 1 << 30 };

template <class T> struct alignas(OWN * sizeof(T)) pair {
    T value[OWN];
};

/* Layout of a launch of several levels in shared memory. */
struct shape {
    int levels, batch, lag; /* rows of a batch; lag of a level in rows */
    int ring;               /* rows of vectors per level, an even number */
    int slots, lines; /* groups of the matrix; lines from one group to the next, an odd number, so
                         that neighbouring groups lie in different banks */
    int threads;
    size_t matrix, bytes; /* of the matrix; in all */
};

/* Segments of a level: first the given ones, then its outputs. */
struct level_lists {
    long lo, hi; /* rows of its box */
    short first, given, left;
};

struct piece_rows {
    long lo, hi, first; /* rows; the first row of the first group */
    const char *values, *rhs;
};

template <class T> struct stream_order {
    long n;
    int lower, upper, diagonals, fields, previous, sum;
    shape s;
    long begin, each; /* first row of the first block of threads; rows of each */
    band_term<T> term[LEVELS];
    level_lists level[LEVELS];
    int pieces;
    piece_rows piece[PIECES];
    band_rows segment[SEGMENTS];
};

/* ---- a block of threads ---------------------------------------------------------------------- */

/* Address of rows [lo, until), cached for lookups in ascending order. */
struct whereabouts {
    int lo, until;
    band_spot at; /* of row lo; NULL: in no segment */

    __device__ __forceinline__ char *of(int row, int size) const
    {
        return at.at + (row - lo) * size;
    }
};

/* The same for groups of the matrix. */
struct piece_place {
    int lo, until;
    const char *at;
};

/* State of a thread. Rows count from `start`, where level 0 begins. */
template <class T> struct streamer {
    static constexpr int GROUP = ZOID_LINE / sizeof(T);
    /* Diagonals that a thread loads before it adds their products. */
    static constexpr int TOGETHER = 32 / sizeof(T);

    const stream_order<T> &o;
    char *matrix;
    T *vectors;
    long start;
    int end;              /* row of level 0 when all levels are done */
    long own_lo, own_hi;  /* rows of the matrix (from 0 on) that it stores */
    int mine;             /* level of this thread; the number of levels: it prefetches */
    int lo, hi;           /* rows of that level that this block of threads computes */
    int box_lo, box_hi;   /* rows of that level's box */
    int row, slot, place; /* the thread's first row; slot of its group; ring index of its first x */
    int inside;           /* bytes from a line's start to the thread's rows */
    T *from, *to;         /* rings of the level's input and output; NULL: none */
    band_term<T> term;    /* of the level */
    bool leaves;          /* the level has outputs in memory */
    whereabouts there;    /* address of the rows that it stores, or prefetches */

    __device__ explicit streamer(const stream_order<T> &order, char *memory)
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

    /* Computes the rows of all levels, backwards from the last level along the dependencies. */
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

    /* Stores a value twice, a ring apart, so that all reads are contiguous. */
    __device__ __forceinline__ void put(T *at, T value) const
    {
        at[0] = value;
        at[o.s.ring] = value;
    }

    /* Looks up row r in n segments from `first` on, and how far the answer holds. */
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

    /* Stores a given row of level i's input to its ring; zeros if the row is in no segment. */
    __device__ void give(int i, int r, int at) const
    {
        whereabouts w;

        seek(&w, o.level[i].first, o.level[i].given, r);
        for (int f = 0; f < o.fields; f++)
            put(ring(i, f) + at, w.at.at ? value_of<T>(w.at, f, 0) : (T)0);
    }

    /* ---- prefetching ------------------------------------------------------------------------ */

    /* Starts to copy a row of level 0's input, with the batch that it belongs to. */
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

    /* Starts to copy the group that begins at row r, from a piece that has it; by a warp. Warps ask
     * for groups in ascending order, and search for the piece only past the last one's end. */
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

    /* Finds the first piece with rows of the group at row r. */
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

    /* Prefetches batches of the matrix, and the rows of x beyond those loaded at the start. */
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

    /* Entries of some diagonals in a thread's rows, and the values of x for them. */
    struct operands {
        pair<T> a[TOGETHER], x[TOGETHER / OWN + 1];

        /* Loads the first n of them. */
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

    /* Sums of a thread's rows; loads the next operands while it adds (double buffering). */
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

    /* Stores those rows of the thread that `computed` has to the level's outputs. */
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

    /* Looks up row r among the outputs; rows of other blocks of threads have no address. */
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

    /* Reads a field of the thread's rows at ring indices `at`; 0 if there is no such field. */
    __device__ __forceinline__ void read(int field, const int (&at)[OWN], T (&value)[OWN]) const
    {
#pragma unroll
        for (int e = 0; e < OWN; e++)
            value[e] = field >= 0 ? from[2 * o.s.ring * field + at[e]] : (T)0;
    }

    /* Computes the thread's rows, and stores those that `computed` has to the next level's ring and
     * to the outputs. */
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

    /* Computes the thread's rows of its level; outside the box it takes the given rows instead. */
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

    __device__ void stream_planes()
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
    stream_planes(const __grid_constant__ stream_order<T> o)
{
    extern __shared__ __align__(16) char memory[];
    streamer<T> m(o, memory);

    if (m.end > 0)
        m.stream_planes();
}

} // namespace
#endif
