/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of neighbouring values along x, 16 bytes or more per thread, with the operations of
 * ops/point.h. A warp holds a stretch of a row; the neighbours of a thread's vector are in the
 * neighbouring threads. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_VECTORS_CUH
#define ZOID_CODELETS_CUDA_STENCIL_VECTORS_CUH

#include <cuda_runtime.h>

#include "codelets/cuda/run.h"

#define ZOID_INLINE static __device__ __forceinline__
#define ZOID_AT At
#define ZOID_ANY_AT template <class At>
#include "codelets/ops/point.h"
#undef UNROLL
#define UNROLL _Pragma("unroll")

namespace
{

enum { WARP = 32, QUAD = 16 }; /* threads; bytes of the widest load */
enum : unsigned { EVERYONE = ~0u };

/* N values in V quads. Bytes are packed four to a word. */
template <class T, int V> struct vec {
    static constexpr int N = V * QUAD / (int)sizeof(T), WORDS = N;
    typedef T word;
    alignas(QUAD) T v[N];
};
template <int V> struct vec<zoid_u8, V> {
    static constexpr int N = V * QUAD, WORDS = V * 4;
    typedef unsigned word;
    alignas(QUAD) unsigned v[WORDS];
};

/* A single value. */
template <class T> struct vec<T, 0> {
    static constexpr int N = 1, WORDS = 1;
    typedef T word;
    T v[1];
};
template <> struct vec<zoid_u8, 0> {
    static constexpr int N = 1, WORDS = 1;
    typedef unsigned word;
    unsigned v[1];
};

/* Sums of bytes stay below 256: see clean. */
#define ZOID_WORDWISE(op)                                                      \
    template <class T, int V>                                                  \
    __device__ __forceinline__ vec<T, V> operator op(vec<T, V> a, vec<T, V> b) \
    {                                                                          \
        UNROLL                                                                 \
        for (int i = 0; i < vec<T, V>::WORDS; i++)                             \
            a.v[i] = a.v[i] op b.v[i];                                         \
        return a;                                                              \
    }
ZOID_WORDWISE(+)
ZOID_WORDWISE(-)
ZOID_WORDWISE(*)
ZOID_WORDWISE(/)
ZOID_WORDWISE(&)
ZOID_WORDWISE(|)
ZOID_WORDWISE(^)

/* Returns the value of the thread `by` lanes up the warp. Not volatile, so that the compiler merges
 * equal shuffles and drops unused ones; see settle. */
__device__ __forceinline__ unsigned beside(unsigned v, int by)
{
    unsigned r;

    if (by > 0)
        asm("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(r) : "r"(v), "r"(by));
    else
        asm("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(r) : "r"(v), "r"(-by));
    return r;
}
__device__ __forceinline__ float beside(float v, int by)
{
    return __uint_as_float(beside(__float_as_uint(v), by));
}
__device__ __forceinline__ double beside(double v, int by)
{
    return __hiloint2double((int)beside((unsigned)__double2hiint(v), by),
                            (int)beside((unsigned)__double2loint(v), by));
}

/* Forces the value to be computed here: its operands, shuffles above all, are not moved to code
 * that only some threads of the warp reach. */
__device__ __forceinline__ void settle(unsigned &v)
{
    asm volatile("" : "+r"(v));
}
__device__ __forceinline__ void settle(float &v)
{
    asm volatile("" : "+f"(v));
}
__device__ __forceinline__ void settle(double &v)
{
    asm volatile("" : "+d"(v));
}
template <class T, int V> __device__ __forceinline__ void settle(vec<T, V> &a)
{
    UNROLL
    for (int i = 0; i < vec<T, V>::WORDS; i++)
        settle(a.v[i]);
}

/* Returns the word at an offset of `words` words from the thread's first one. */
template <class T, int V>
__device__ __forceinline__ typename vec<T, V>::word word_at(const vec<T, V> &own, int words)
{
    constexpr int W = vec<T, V>::WORDS;
    int thread = words >= 0 ? words / W : -((W - 1 - words) / W);
    typename vec<T, V>::word word = own.v[words - thread * W];

    return thread ? beside(word, thread) : word;
}

/* Returns the vector that starts dx values from the thread's own. */
template <class T, int V> __device__ __forceinline__ vec<T, V> shifted(const vec<T, V> &own, int dx)
{
    vec<T, V> v;

    UNROLL
    for (int i = 0; i < vec<T, V>::WORDS; i++)
        v.v[i] = word_at(own, i + dx);
    return v;
}
template <int V>
__device__ __forceinline__ vec<zoid_u8, V> shifted(const vec<zoid_u8, V> &own, int dx)
{
    const int words = dx >= 0 ? dx / 4 : -((3 - dx) / 4), bytes = dx - 4 * words;
    vec<zoid_u8, V> v;

    UNROLL
    for (int i = 0; i < vec<zoid_u8, V>::WORDS; i++)
        v.v[i] =
            bytes ? __funnelshift_r(word_at(own, i + words), word_at(own, i + words + 1), 8 * bytes)
                  : word_at(own, i + words);
    return v;
}

/* Selects value i of a if bit i of `mask` is set, else of b. */
template <class T, int V>
__device__ __forceinline__ vec<T, V> choose(unsigned mask, vec<T, V> a, const vec<T, V> &b)
{
    UNROLL
    for (int i = 0; i < vec<T, V>::N; i++)
        a.v[i] = mask >> i & 1 ? a.v[i] : b.v[i];
    return a;
}
template <int V>
__device__ __forceinline__ vec<zoid_u8, V> choose(unsigned mask, vec<zoid_u8, V> a,
                                                  const vec<zoid_u8, V> &b)
{
    UNROLL
    for (int i = 0; i < vec<zoid_u8, V>::WORDS; i++) {
        unsigned bytes = ((mask >> 4 * i & 15) * 0x00204081 & 0x01010101) * 0xff;

        a.v[i] = (a.v[i] & bytes) | (b.v[i] & ~bytes);
    }
    return a;
}

/* Returns the value of c at each index where `less` is true of a and b, else that of d. */
template <class T, int V, class Less>
__device__ __forceinline__ vec<T, V> pick(const vec<T, V> &a, const vec<T, V> &b, vec<T, V> c,
                                          const vec<T, V> &d, const Less &less)
{
    UNROLL
    for (int i = 0; i < vec<T, V>::N; i++)
        c.v[i] = less(a.v[i], b.v[i]) ? c.v[i] : d.v[i];
    return c;
}

/* By bits: instructions of floating point may change a NaN. */
__device__ __forceinline__ float without_sign(float a)
{
    return __uint_as_float(__float_as_uint(a) & 0x7fffffffu);
}
__device__ __forceinline__ double without_sign(double a)
{
    return __longlong_as_double(__double_as_longlong(a) & 0x7fffffffffffffffll);
}
__device__ __forceinline__ float other_sign(float a)
{
    return __uint_as_float(__float_as_uint(a) ^ 0x80000000u);
}
__device__ __forceinline__ double other_sign(double a)
{
    return __longlong_as_double(__double_as_longlong(a) ^ (long long)0x8000000000000000ull);
}

/* Returns the NaN of a processor, where a GPU returns another one. */
__device__ __forceinline__ float square_root(float a)
{
    return a < 0 ? __uint_as_float(0xffc00000u) : a == a ? __fsqrt_rn(a) : a;
}
__device__ __forceinline__ double square_root(double a)
{
    return a < 0    ? __longlong_as_double((long long)0xfff8000000000000ull)
           : a == a ? __dsqrt_rn(a)
                    : a;
}

/* Returns the mask of values lo <= i < hi. */
template <int N> __device__ __forceinline__ unsigned between(int lo, int hi)
{
    unsigned below_hi = hi >= N ? (N == 32 ? ~0u : (1u << N) - 1) : hi > 0 ? (1u << hi) - 1 : 0;

    return lo <= 0 ? below_hi : lo >= N ? 0 : below_hi >> lo << lo;
}

/* Moves the words of 16 bytes as one instruction, each as its own type: a change of type on the
 * way, of doubles above all, goes through memory. A load asks the L2 cache to prefetch 256 bytes,
 * since other threads are about to read them. An EARLY one does not, and the compiler may not delay
 * it. */
template <class W> struct quad;

#define ZOID_QUAD(word, wide, ptx, ...)                                                           \
    template <> struct quad<word> {                                                               \
        template <bool EARLY> static __device__ __forceinline__ void load(word *v, const char *p) \
        {                                                                                         \
            if constexpr (EARLY)                                                                  \
                asm volatile("ld.global.nc." ptx ";" : __VA_ARGS__ : "l"(p));                     \
            else                                                                                  \
                asm("ld.global.nc.L2::256B." ptx ";" : __VA_ARGS__ : "l"(p));                     \
        }                                                                                         \
        static __device__ __forceinline__ wide &at(char *p)                                       \
        {                                                                                         \
            return *reinterpret_cast<wide *>(p);                                                  \
        }                                                                                         \
        static __device__ __forceinline__ const wide &at(const char *p)                           \
        {                                                                                         \
            return *reinterpret_cast<const wide *>(p);                                            \
        }                                                                                         \
    };
ZOID_QUAD(float, float4, "v4.f32 {%0, %1, %2, %3}, [%4]", "=f"(v[0]), "=f"(v[1]), "=f"(v[2]),
          "=f"(v[3]))
ZOID_QUAD(unsigned, uint4, "v4.u32 {%0, %1, %2, %3}, [%4]", "=r"(v[0]), "=r"(v[1]), "=r"(v[2]),
          "=r"(v[3]))
ZOID_QUAD(double, double2, "v2.f64 {%0, %1}, [%2]", "=d"(v[0]), "=d"(v[1]))

__device__ __forceinline__ float4 joined(const float *v)
{
    return make_float4(v[0], v[1], v[2], v[3]);
}
__device__ __forceinline__ uint4 joined(const unsigned *v)
{
    return make_uint4(v[0], v[1], v[2], v[3]);
}
__device__ __forceinline__ double2 joined(const double *v)
{
    return make_double2(v[0], v[1]);
}
__device__ __forceinline__ void split(float *v, float4 q)
{
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
}
__device__ __forceinline__ void split(unsigned *v, uint4 q)
{
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
}
__device__ __forceinline__ void split(double *v, double2 q)
{
    v[0] = q.x, v[1] = q.y;
}

template <class T, int V, bool EARLY = false>
__device__ __forceinline__ vec<T, V> load_vector(const char *p)
{
    typedef typename vec<T, V>::word word;
    vec<T, V> v;

    UNROLL
    for (int i = 0; i < V; i++)
        quad<word>::template load<EARLY>(v.v + i * QUAD / (int)sizeof(word), p + i * QUAD);
    return v;
}

/* Loads from shared memory. */
template <class T, int V> __device__ __forceinline__ vec<T, V> take_vector(const char *p)
{
    typedef typename vec<T, V>::word word;
    vec<T, V> v;

    UNROLL
    for (int i = 0; i < V; i++)
        split(v.v + i * QUAD / (int)sizeof(word), quad<word>::at(p + i * QUAD));
    return v;
}
template <class T, int V> __device__ __forceinline__ void put_vector(char *p, const vec<T, V> &v)
{
    typedef typename vec<T, V>::word word;

    UNROLL
    for (int i = 0; i < V; i++)
        quad<word>::at(p + i * QUAD) = joined(v.v + i * QUAD / (int)sizeof(word));
}

/* Keeps a vector one load: the compiler may not split it into loads of the values used. */
__device__ __forceinline__ void keep_whole(vec<float, 1> &a)
{
    asm("" : "+f"(a.v[0]), "+f"(a.v[1]), "+f"(a.v[2]), "+f"(a.v[3]));
}
template <class Vector> __device__ __forceinline__ void keep_whole(Vector &)
{
}

/* Returns the vector that starts dx values from `own`, which lies at p in shared memory. Not for
 * bytes. */
template <class T, int V>
__device__ __forceinline__ vec<T, V> shifted(const vec<T, V> &own, int dx, const char *p)
{
    constexpr int W = vec<T, V>::WORDS;
    vec<T, V> v, other = take_vector<T, V>(dx < 0 ? p - V * QUAD : p + V * QUAD);

    keep_whole(other);
    UNROLL
    for (int i = 0; i < W; i++)
        v.v[i] = i + dx < 0   ? other.v[i + dx + W]
                 : i + dx < W ? own.v[i + dx]
                              : other.v[i + dx - W];
    return v;
}

/* Returns the byte offset from a thread's vector to the value beyond the row that an outermost
 * thread reads. */
template <class T, int V> __device__ __forceinline__ int beyond_row(int thread)
{
    return thread == WARP - 1 ? V * QUAD : -thread * V * QUAD - (int)sizeof(T);
}

/* Shift by one value: from the neighbouring threads, which is faster than shared memory; the
 * outermost thread reads `beyond`, see beyond_row. */
template <class T, int V>
__device__ __forceinline__ vec<T, V> shifted_by_one(const vec<T, V> &own, int dx,
                                                    const char *beyond)
{
    typedef typename vec<T, V>::word word;
    const word there = *reinterpret_cast<const word *>(beyond);
    const int thread = threadIdx.x % WARP, end = dx < 0 ? 0 : vec<T, V>::WORDS - 1;
    vec<T, V> v = shifted(own, dx);

    v.v[end] = thread == (dx < 0 ? 0 : WARP - 1) ? there : v.v[end];
    return v;
}

/* Stores the values in `mask`; all of them with a streaming (evict-first) hint, since they are not
 * read soon. */
template <class T, int V>
__device__ __forceinline__ void store_vector(char *p, const vec<T, V> &v, unsigned mask)
{
    typedef typename vec<T, V>::word word;
    constexpr int N = vec<T, V>::N;

    if (mask == between<N>(0, N)) {
        UNROLL
        for (int i = 0; i < V; i++)
            __stcs(&quad<word>::at(p + i * QUAD), joined(v.v + i * QUAD / (int)sizeof(word)));
    } else {
        UNROLL
        for (int i = 0; i < N; i++)
            if (mask >> i & 1) {
                if constexpr (sizeof(T) == 1)
                    reinterpret_cast<T *>(p)[i] = (T)(v.v[i / 4] >> 8 * (i % 4));
                else
                    reinterpret_cast<T *>(p)[i] = v.v[i];
            }
    }
}

/* Masks fields that hold 0 or 1 only, even where memory was never written: then sums of bytes do
 * not overflow into the next byte. */
template <class T, int V> __device__ __forceinline__ vec<T, V> clean(vec<T, V> v, bool bits)
{
    if constexpr (sizeof(T) == 1)
        if (bits) {
            UNROLL
            for (int i = 0; i < vec<T, V>::WORDS; i++)
                v.v[i] &= 0x01010101;
        }
    return v;
}

} // namespace
#endif
