/* SPDX-License-Identifier: BSD-3-Clause */
/* Shape of a fused launch by tiles, and the copies of planes to shared memory: see fused.cu. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_FUSED_CUH
#define ZOID_CODELETS_CUDA_STENCIL_FUSED_CUH

#include "codelets/cuda/stencil/levels.cuh"
#include "codelets/cuda/stencil/tuned.cuh"

namespace
{

/* Shape of a kernel for S levels. It is limited by the registers (16 warps of 128 or 8 of 255), by
 * the shared memory of a multiprocessor, and by the instruction cache, which has to hold the loop:
 * a few phases of a long update at most. */
template <class K, int S_, int FIRST = 0> struct fused_tile {
    typedef ::flow<K, S_, FIRST> flow;
    enum { R = widest(K::row) };

    static constexpr tile_shape shape()
    {
        constexpr fused_tuning t = tuned.fused;
        constexpr bool doubles = sizeof(here) == 8;

        if (K::D == 2)
            return t.flat;
        if (S_ == 1)
            return flow::F > 1 ? t.one_of_several : t.one;
        if (K::diagonal)
            return doubles ? t.diagonal_doubles : t.diagonal;
        return !doubles ? t.usual : R == 1 ? t.doubles : t.wide_doubles;
    }

    enum {
        S = S_,
        C = K::D - 1,
        N = value_here::N,
        F = flow::F,
        DOUBLE = sizeof(here) == 8,
        WARPS = shape().warps,
        ROWS = shape().rows,
        AHEAD = shape().ahead,
        /* Level 0 reads all its input from shared memory. */
        SHARED_QUEUE = K::D == 3 && DOUBLE && R == 1 && !K::diagonal,
        SHORT = S * R < (F > 1 ? tuned.fused.short_reach_several : tuned.fused.short_reach),
        BLOCKS = K::D == 3 ? 1
                 : SHORT   ? tuned.fused.short_blocks
                           : tuned.fused.blocks,
        LEAD = flow::highest_head(),
        /* Planes of a climb beyond those of the last level. */
        CLIMB = flow::tables.level[0].down - flow::first_step(0) + flow::tables.level[S - 1].lag +
                AHEAD,
        EARLY =
            LEAD > flow::HELD ? LEAD - flow::HELD : 0, /* planes prefetched before the first step */
        SLOTS = flow::slots(),
        KEPT = flow::edges_kept(), /* planes whose edge rows are still read */
        PHASES = K::diagonal || (K::D == 3 && DOUBLE) ? 1 : SLOTS,
        QUEUE = PHASES == SLOTS ? SLOTS : SLOTS + PHASES - 1,
        HEIGHT = WARPS * ROWS,
        MORE = flow::rows_beside(), /* halo rows of a tile, which only inputs have */
        EXTRA = (2 * MORE + WARPS - 1) / WARPS,
        /* With a single time tiles do not overlap: rows are brought with the vectors beside
         * them. */
        REACH_X = flow::served(), /* overlap in x, in values */
        SIDE = S == 1 ? QUAD : 0, /* bytes */
        PITCH = SPAN + 2 * SIDE,  /* bytes from one row of an input to the next */
        EDGE = K::D == 2         ? 0
               : ROWS < 2 * MORE ? ROWS
                                 : 2 * MORE, /* rows a thread shares with others */
        /* The rows that the outermost threads read as their neighbours belong to no thread. */
        EDGE_PLANE = (MORE + WARPS * EDGE) * SPAN, /* bytes */
        EDGES = KEPT * EDGE_PLANE,
        /* Threads at either end of a row that only serve their neighbours. */
        LEFT = SIDE ? 0 : (REACH_X + N - 1) / N,
        STRIDE_X = (WARP - 2 * LEFT) * N, /* from one tile to the next */
        DOWN = flow::tables.level[S - 1].below,
        STRIDE_Y = HEIGHT - DOWN - flow::tables.level[S - 1].above
    };

    static_assert(!SIDE || REACH_X <= N, "neighbours along x beyond the next vector");

    /* Placement of an input field in shared memory (a ring of planes) and registers (a queue). A
     * field of which one plane at a time is read stays in shared memory; otherwise the thread's own
     * rows move to a queue. Fields read at the point only are loaded to the queue directly. */
    static constexpr bool queued(int field)
    {
        const flowing s = flow::tables.stream[field];

        return flow::direct(field) || (s.used && !SHARED_QUEUE && s.tail < s.top);
    }
    static constexpr int ring(int field)
    {
        const flowing s = flow::tables.stream[field];
        const int held = queued(field) ? flow::held(field) : s.tail;
        const int oldest = s.rows < held ? s.rows : held;

        return s.used && !flow::direct(field) ? s.head - oldest + 1 + AHEAD : 0;
    }
    static constexpr int plane(int field)
    {
        return (HEIGHT + (flow::tables.stream[field].beside ? 2 * MORE : 0)) * PITCH;
    }
    static constexpr int place(int field)
    {
        int bytes = 0;

        for (int f = 0; f < field; f++)
            bytes += ring(f) * plane(f);
        return bytes;
    }
    /* Returns the first field with a ring of the same number and size of planes: such rings advance
     * together. */
    static constexpr int turns(int field)
    {
        int f = 0;

        while (ring(f) != ring(field) || plane(f) != plane(field))
            f++;
        return f;
    }
    /* Returns true if an update finds all its operands in the queue. */
    static constexpr bool all_queued()
    {
        bool all = K::D == 2 && S > 1;

        for (int f = 0; f < F; f++)
            all = all && (!flow::tables.stream[f].used || queued(f));
        return all;
    }
    static constexpr bool ALL_QUEUED = all_queued();
    static constexpr int INPUT = place(F);
    static constexpr int SHARED =
        INPUT + (K::D == 3 ? (flow::RESULTS - flow::written(S - 1)) * EDGES : 0) + MORE * SPAN;

    template <int f> struct input {
        static constexpr bool used = flow::template line<f>::used, queued = fused_tile::queued(f),
                              beside = flow::template line<f>::beside, direct = flow::direct(f);
        static constexpr int ring = fused_tile::ring(f), turns = fused_tile::turns(f),
                             plane = fused_tile::plane(f), head = flow::template line<f>::head,
                             held = flow::template line<f>::held, bytes = ring * plane,
                             /* offset of the ring, plus its halo rows */
            first = fused_tile::place(f) + (beside ? MORE * PITCH : 0);
    };
};

__device__ __forceinline__ void copy_async(char *to, const char *from)
{
    unsigned s = (unsigned)__cvta_generic_to_shared(to);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(s), "l"(from) : "memory");
}

__device__ __forceinline__ void copies_together()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits for all but the last n groups of copies. */
template <int n> __device__ __forceinline__ void copies_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}

} // namespace
#endif
