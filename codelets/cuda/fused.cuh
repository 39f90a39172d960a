/* SPDX-License-Identifier: BSD-3-Clause */
/* What a launch of several times is told, how its kernel is laid out, and how planes get to shared
 * memory: see fused.cu. */
#ifndef ZOID_CODELETS_CUDA_FUSED_CUH
#define ZOID_CODELETS_CUDA_FUSED_CUH

#include "codelets/cuda/order.cuh"

namespace
{

struct level_order {
    extent box;
    list in, out;
};

template <int S> struct fused_order {
    field_layout f;
    long t;
    extent inner;                 /* of the domain: what is computed, the rest is carried */
    int first[2], tiles_x, tiles; /* the first tile's value of a row, and y */
    int lo, hi; /* planes of the last level, of which blocks of threads get shares */
    level_order level[S];
};

/* How a kernel for S levels is laid out. Measured on an H200; what it has to fit are the registers
 * (16 warps of 128 or 8 of 255) and the shared memory of a multiprocessor, and the loop its cache of
 * instructions: more than a few phases of a long update do not. */
template <class K, int S_> struct fused_tile {
    enum {
        S = S_,
        R = K::R,
        C = K::D - 1,
        N = lane_here::N,
        DOUBLE = sizeof(here) == 8,
        WARPS = K::D == 2          ? 4
                : S == 1           ? 16
                : K::diagonal      ? 12
                : DOUBLE && R == 1 ? 8
                                   : 16,
        ROWS = K::D == 2          ? 1
               : S == 1           ? 2
               : K::diagonal      ? 3
               : DOUBLE && R == 1 ? 4
                                  : 2,
        AHEAD = K::D == 2          ? 3
                : DOUBLE || S == 1 ? 1
                                   : 2, /* planes that are on their way */
        /* Level 0 reads from shared memory all that it needs. */
        SHARED_QUEUE = K::D == 3 && DOUBLE && R == 1 && !K::diagonal,
        BLOCKS = K::D == 3   ? 1
                 : S * R < 5 ? 3
                             : 2,
        /* A level's edges are complete a plane later. */
        LAG = K::diagonal ? R + 1 : R,
        SLOTS = LAG + R + 1,
        KEPT = K::diagonal ? SLOTS : R + 1, /* planes whose edges are still looked at */
        PHASES = K::diagonal || (K::D == 3 && DOUBLE) ? 1 : SLOTS,
        QUEUE = PHASES == SLOTS ? SLOTS : SLOTS + PHASES - 1,
        HEIGHT = WARPS * ROWS,
        MORE = K::D == 3 ? R : 0, /* rows beside a tile that only level 0 looks at */
        EXTRA = (2 * MORE + WARPS - 1) / WARPS,
        EDGE = K::D == 2      ? 0
               : ROWS < 2 * R ? ROWS
                              : 2 * R, /* rows a thread shows the others */
        RING = (SHARED_QUEUE ? SLOTS : KEPT) + AHEAD,
        INPUT = RING * (HEIGHT + 2 * MORE) * SPAN, /* bytes */
        INPUT_PLANE = (HEIGHT + 2 * MORE) * SPAN,
        /* Rows that the outermost threads take for those beside them are nobody's. */
        EDGE_PLANE = (MORE + WARPS * EDGE) * SPAN,
        EDGES = KEPT * EDGE_PLANE,
        SHARED = INPUT + (S - 1) * EDGES + MORE * SPAN,
        LEFT = (S * R + N - 1) / N,       /* threads at either end of a row that serve others */
        STRIDE_X = (WARP - 2 * LEFT) * N, /* from a tile to the next */
        DOWN = K::D == 3 ? (S - 1) * R : 0,
        STRIDE_Y = HEIGHT - 2 * DOWN
    };
};

__device__ __forceinline__ void copy_async(char *to, const char *from)
{
    unsigned s = (unsigned)__cvta_generic_to_shared(to);

    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(from) : "memory");
}

__device__ __forceinline__ void copies_together()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Until all but the last n groups of copies are there. */
template <int n> __device__ __forceinline__ void copies_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}

} // namespace
#endif
