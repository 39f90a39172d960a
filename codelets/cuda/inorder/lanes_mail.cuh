/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronization of the warps of a launch, and the exchange of vectors between them: see
 * lanes.cuh. */
#ifndef ZOID_CODELETS_CUDA_INORDER_LANES_MAIL_CUH
#define ZOID_CODELETS_CUDA_INORDER_LANES_MAIL_CUH

#include <cuda_runtime.h>

#include "codelets/cuda/lanes.h"

#define ZOID_INLINE static __device__ __forceinline__
#define ZOID_AT At
#define ZOID_ANY_AT template <class At>
#include "codelets/ops/point.h"
#undef UNROLL
#define UNROLL _Pragma("unroll")

namespace
{

enum { LANES = ZOID_WARP_LANES };
enum : unsigned { ALL = ~0u };

/* ---- progress -------------------------------------------------------------------------------- */

/* Progress of another warp, as last read. */
struct watched {
    const unsigned *word;
    unsigned seen;

    __device__ __forceinline__ void wait(long least)
    {
        while ((long)seen < least) {
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(word) : "memory");
        }
    }
    /* Starts to load the progress. It orders nothing: for a warp that only makes room. */
    __device__ __forceinline__ void look()
    {
        asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(word) : "memory");
    }
};

/* Publishes the number of steps done. If another group reads this warp's planes, this is a release:
 * its earlier stores are visible to readers of the word. */
__device__ __forceinline__ void publish(unsigned *word, unsigned steps, bool read)
{
    if (read)
        asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(word), "r"(steps) : "memory");
    else
        asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(word), "r"(steps) : "memory");
}

/* ---- exchange of vectors --------------------------------------------------------------------- */

/* A word and its step go in one store, so that the receiver needs no fence: a word with the right
 * step is valid. */
template <class T> struct mail;

template <> struct mail<float> {
    uint2 at;

    __device__ __forceinline__ void fetch(const char *box, int lane)
    {
        asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];"
                     : "=r"(at.x), "=r"(at.y)
                     : "l"(box + lane * sizeof at)
                     : "memory");
    }
    __device__ __forceinline__ bool is_of(unsigned step) const
    {
        return at.y == step;
    }
    __device__ __forceinline__ float value() const
    {
        return __uint_as_float(at.x);
    }
    static __device__ __forceinline__ void send(char *box, int lane, float v, unsigned step)
    {
        asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(box + lane * sizeof(uint2)),
                     "r"(__float_as_uint(v)), "r"(step)
                     : "memory");
    }
};

template <> struct mail<double> {
    uint4 at;

    __device__ __forceinline__ void fetch(const char *box, int lane)
    {
        asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(at.x), "=r"(at.y), "=r"(at.z), "=r"(at.w)
                     : "l"(box + lane * sizeof at)
                     : "memory");
    }
    __device__ __forceinline__ bool is_of(unsigned step) const
    {
        return at.y == step && at.w == step;
    }
    __device__ __forceinline__ double value() const
    {
        return __hiloint2double((int)at.z, (int)at.x);
    }
    static __device__ __forceinline__ void send(char *box, int lane, double v, unsigned step)
    {
        asm volatile(
            "st.volatile.global.v4.u32 [%0], {%1, %2, %3, %2};" ::"l"(box + lane * sizeof(uint4)),
            "r"((unsigned)__double2loint(v)), "r"(step), "r"((unsigned)__double2hiint(v))
            : "memory");
    }
};

/* Bytes of a vector in the ring. */
template <class T> constexpr int mailed = 2 * LANES *(int)sizeof(T);

/* Waits for N consecutive vectors of a step. */
template <class T, int N>
__device__ __forceinline__ void receive(const char *box, int lane, unsigned step, mail<T> (&in)[N])
{
    bool all;

    do {
        all = true;
        UNROLL
        for (int i = 0; i < N; i++) {
            all = all && in[i].is_of(step);
        }
        if (!all) {
            UNROLL
            for (int i = 0; i < N; i++)
                in[i].fetch(box + i * mailed<T>, lane);
        }
    } while (!all);
}

/* Ring buffer of the vectors that a warp sends: AHEAD boxes, one per step in turn. */
template <class T, int VECTORS, int AHEAD> struct mailbox {
    char *ring;

    __device__ __forceinline__ mailbox(char *all, long number)
        : ring(all + number * (AHEAD * VECTORS * mailed<T>))
    {
    }
    __device__ __forceinline__ char *at(long step, int i) const
    {
        return ring + ((int)step & (AHEAD - 1)) * (VECTORS * mailed<T>)+i * mailed<T>;
    }
};

} // namespace
#endif
