/* SPDX-License-Identifier: BSD-3-Clause */
/* The variants of ops.def that a file is compiled for: those of type ZOID_TYPE and ZOID_DIMS
 * dimensions, and of the families whose ZOID_SAME_<family>_<ZOID_ONLY> there is, if ZOID_ONLY is
 * defined. The includer has defined struct zoid_at and value_here, the values of ZOID_TYPE, with
 * here_load(at, D, field, dx, dy, dz). Each variant becomes a <variant>_kind. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_VARIANTS_CUH
#define ZOID_CODELETS_CUDA_STENCIL_VARIANTS_CUH

#include <utility>

#include "codelets/cuda/stencil/probe.cuh"

/* ---- the operations on values of ops/point.h ------------------------------------------------- */

#define ZOID_VALUE ZOID_TYPE
#define ZOID_VALUE_IS ZOID_JOIN(value_, ZOID_VALUE)

typedef value_here ZOID_VALUE_IS;

ZOID_INLINE value_here ZOID_JOIN(splat_, ZOID_VALUE)(double constant)
{
    value_here v;

    UNROLL
    for (int i = 0; i < value_here::WORDS; i++)
        if constexpr (sizeof(here) == 1)
            v.v[i] = (unsigned char)constant * 0x01010101u;
        else
            v.v[i] = (here)constant;
    return v;
}

/* The tables' values of a kernel's time, or those of a position. */
template <class At> ZOID_INLINE auto now_of(const At *at)
{
    if constexpr (requires { at->now; })
        return &at->now[0];
    else
        return &at->params->now[0];
}

/* Floating point only. */
template <class At> ZOID_INLINE value_here ZOID_JOIN(table_, ZOID_VALUE)(const At *at, int number)
{
    return ZOID_JOIN(splat_, ZOID_VALUE)(now_of(at)[number]);
}

/* Floating point only; a kernel's argument has it in its type. */
template <class At>
ZOID_INLINE value_here ZOID_JOIN(constant_, ZOID_VALUE)(const At *at, int number)
{
    value_here v;

    UNROLL
    for (int i = 0; i < value_here::WORDS; i++)
        if constexpr (sizeof(here) == 4)
            v.v[i] = at->params->constant32[number];
        else
            v.v[i] = at->params->constant[number];
    return v;
}

template <class At>
ZOID_INLINE value_here ZOID_JOIN(load_, ZOID_VALUE)(const At *at, int dims, int field, int dx,
                                                    int dy, int dz)
{
    return here_load(at, dims, field, dx, dy, dz);
}

ZOID_INLINE value_here ZOID_JOIN(select_x_, ZOID_VALUE)(const zoid_at *at, long lo, long hi,
                                                        value_here a, value_here b)
{
    const int x = (int)at->p[0];

    return choose(between<value_here::N>((int)lo - x, (int)hi - x), a, b);
}

ZOID_INLINE value_here ZOID_JOIN(every_other_, ZOID_VALUE)(const zoid_at *at, int dims, long parity,
                                                           value_here a, value_here b)
{
    for (int axis = 0; axis < dims; axis++)
        parity += at->p[axis];
    return choose(parity & 1 ? 0xaaaaaaaau : 0x55555555u, a, b);
}

ZOID_INLINE void ZOID_JOIN(put_, ZOID_VALUE)(const zoid_at *at, int field, value_here value)
{
    static_cast<value_here *>(at->result)[field] = value;
}

/* Floating point only. */
ZOID_INLINE value_here ZOID_JOIN(fma_, ZOID_VALUE)(value_here a, value_here b, value_here c)
{
    UNROLL
    for (int i = 0; i < value_here::WORDS; i++)
        if constexpr (sizeof(here) == 4)
            a.v[i] = __fmaf_rn(a.v[i], b.v[i], c.v[i]);
        else if constexpr (sizeof(here) == 8)
            a.v[i] = __fma_rn(a.v[i], b.v[i], c.v[i]);
    return a;
}

#define ZOID_COMPARISON(name, less)                                                              \
    ZOID_INLINE value_here ZOID_JOIN(name, ZOID_VALUE)(value_here a, value_here b, value_here c, \
                                                       value_here d)                             \
    {                                                                                            \
        return pick(a, b, c, d, [](here p, here q) { return p less q; });                        \
    }
#define ZOID_OF_ONE(name, of)                                        \
    ZOID_INLINE value_here ZOID_JOIN(name, ZOID_VALUE)(value_here a) \
    {                                                                \
        UNROLL                                                       \
        for (int i = 0; i < value_here::N; i++)                      \
            a.v[i] = of(a.v[i]);                                     \
        return a;                                                    \
    }
#if !ZOID_JOIN(ZOID_INTEGERS_, ZOID_VALUE)
ZOID_COMPARISON(less_, <)
ZOID_COMPARISON(at_most_, <=)
ZOID_COMPARISON(same_as_, ==)
ZOID_OF_ONE(abs_, without_sign)
ZOID_OF_ONE(neg_, other_sign)
ZOID_OF_ONE(sqrt_, square_root)
#endif

/* Integers only. */
ZOID_INLINE value_here ZOID_JOIN(equal_, ZOID_VALUE)(value_here a, value_here b)
{
    if constexpr (sizeof(here) == 1) {
        UNROLL
        for (int i = 0; i < value_here::WORDS; i++)
            a.v[i] = __vseteq4(a.v[i], b.v[i]);
    }
    return a;
}

#define ZOID_VARIANT(...)
#include ZOID_ROWS
#undef ZOID_VARIANT
#undef ZOID_VALUE

/* ---- the variants ---------------------------------------------------------------------------- */

/* ZOID_IF_SAME(a, b, ...) expands to the rest if a and b are the same type or number of
 * dimensions. */
#define ZOID_SAME_f32_f32 ,
#define ZOID_SAME_f64_f64 ,
#define ZOID_SAME_u8_u8 ,
#define ZOID_SAME_1_1 ,
#define ZOID_SAME_2_2 ,
#define ZOID_SAME_3_3 ,
#define ZOID_PASTE4_(a, b, c, d) a##b##c##d
#define ZOID_PASTE4(a, b, c, d) ZOID_PASTE4_(a, b, c, d)
#define ZOID_IF_SAME(a, b, ...) ZOID_IF(ZOID_PASTE4(ZOID_SAME_, a, _, b), __VA_ARGS__)
#define ZOID_IF(comma, ...) ZOID_SECOND(comma ZOID_KEEP, ZOID_DROP, )(__VA_ARGS__)
#define ZOID_SECOND(a, b, ...) b
#define ZOID_KEEP(...) __VA_ARGS__
#define ZOID_DROP(...)
#ifdef ZOID_ONLY /* the build defines ZOID_SAME_* as ZOID_COMMA: it can pass no comma */
#define ZOID_COMMA ,
#define ZOID_MINE(family, ...) ZOID_IF_SAME(family, ZOID_ONLY, __VA_ARGS__)
#else
#define ZOID_MINE(family, ...) __VA_ARGS__
#endif
#define ZOID_HERE(type, dims, family, ...) \
    ZOID_IF_SAME(type, ZOID_TYPE, ZOID_IF_SAME(dims, ZOID_DIMS, ZOID_MINE(family, __VA_ARGS__)))

#define ZOID_PLUS_ONE(stage, ...) +1
#define ZOID_KIND(variant, family_, nd, nr, type_, stages, ...)                                  \
    struct variant##_kind {                                                                      \
        enum { D = nd, R = nr, SIZE = sizeof(here), STAGES = 0 stages(ZOID_PLUS_ONE) };          \
        static constexpr bool rotates = ZOID_STEP_##stages < STAGES;                             \
        static constexpr zoid_op row = {__VA_ARGS__};                                            \
        static constexpr bool diagonal = probe::diagonal(                                        \
            probe::ZOID_PASTE4(zoid_, family_, _, ZOID_JOIN(ZOID_PROBE_, type_)), D, R, STAGES); \
        /* Field that stands for a written one where it is carried: see op.h. */                 \
        static constexpr int kept(int stage, int field)                                          \
        {                                                                                        \
            const bool newest = rotates && !row.keeps_own && field < 2;                          \
                                                                                                 \
            return newest && row.stage[stage].writes >> field & 1 ? 1 - field : field;           \
        }                                                                                        \
        template <int S, class At> static __device__ __forceinline__ void point(const At *at)    \
        {                                                                                        \
            zoid_##family_##_##type_(at, D, R, S);                                               \
        }                                                                                        \
    };

namespace
{

#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, family, ZOID_KIND(variant, family, dims, radius, type, __VA_ARGS__))
#include ZOID_ROWS
#undef ZOID_VARIANT

/* Calls f<0>() ... f<n - 1>(). */
template <int... i, class F>
__device__ __forceinline__ void each(std::integer_sequence<int, i...>, const F &f)
{
    (f.template operator()<i>(), ...);
}
template <int n, class F> __device__ __forceinline__ void each(const F &f)
{
    each(std::make_integer_sequence<int, n>{}, f);
}

/* Returns the largest reach of any stage of a row, in any direction. */
constexpr int widest(const zoid_op &row)
{
    long most = 0;

    for (const zoid_stage &stage : row.stage)
        for (int i = 0; i < stage.nreads; i++)
            for (int a = 0; a < ZOID_AXES; a++) {
                const zoid_reach &reach = stage.read[i].reach;
                const long more = reach.lo[a] > reach.hi[a] ? reach.lo[a] : reach.hi[a];

                most = more > most ? more : most;
            }
    return (int)most;
}

/* Fields and reach of stage S of a variant, along the chain axis (below, above) and the others. */
template <class K, int S> struct touched {
    static constexpr zoid_stage stage = K::row.stage[S];
    static constexpr int state = K::row.nstate, fields = state + K::row.ncoef, C = K::D - 1;

    static constexpr bool writes(int field)
    {
        return stage.writes >> field & 1;
    }
    static constexpr zoid_reach reach(int field)
    {
        zoid_reach reach = {};

        for (int i = 0; i < stage.nreads; i++)
            if (stage.read[i].field == field)
                reach = stage.read[i].reach;
        return reach;
    }
    static constexpr bool any(int field)
    {
        for (int i = 0; i < stage.nreads; i++)
            if (stage.read[i].field == field)
                return true;
        return writes(field);
    }
    static constexpr int below(int field)
    {
        return (int)reach(field).lo[C];
    }
    static constexpr int above(int field)
    {
        return (int)reach(field).hi[C];
    }
    /* Reach of the stage's reads along an axis, below and above a point. */
    static constexpr int lowest(int axis)
    {
        int most = 0;

        for (int f = 0; f < fields; f++)
            most = reach(f).lo[axis] > most ? (int)reach(f).lo[axis] : most;
        return most;
    }
    static constexpr int highest(int axis)
    {
        int most = 0;

        for (int f = 0; f < fields; f++)
            most = reach(f).hi[axis] > most ? (int)reach(f).hi[axis] : most;
        return most;
    }
    /* Returns the number of planes, of all fields together, that an update reads. */
    static constexpr int planes()
    {
        int sum = 0;

        for (int f = 0; f < fields; f++)
            sum += any(f) ? below(f) + above(f) + 1 : 0;
        return sum;
    }
    /* Boxes of computed points: number 0 is that of fields without one of their own. */
    static constexpr int BOXES = 1 + stage.nboxes;
    static constexpr int box_of(int field)
    {
        for (int i = 0; i < stage.nboxes; i++)
            if (stage.box[i].field == field)
                return 1 + i;
        return 0;
    }
    /* Returns true if a field that the stage writes has that box. */
    static constexpr bool has_box(int box)
    {
        bool any = false;

        for (int f = 0; f < state; f++)
            any = any || (writes(f) && box_of(f) == box);
        return any;
    }
    template <int box> struct numbered {
        static constexpr bool used = has_box(box);
    };
    /* Returns the stages that write a field, as bits. */
    static constexpr unsigned writers(int field)
    {
        unsigned bits = 0;

        for (int s = 0; s < ZOID_MAX_STAGES; s++)
            bits |= (K::row.stage[s].writes >> field & 1) << s;
        return bits;
    }
    /* Group of a field, as in zoid_op_groups, and first field of that group. */
    static constexpr int group(int field)
    {
        int g = 0;

        for (int f = 1; f <= field && f < state; f++)
            g += !(writers(f) & writers(f - 1));
        return g + (field >= state);
    }
    static constexpr int first(int field)
    {
        int f = field;

        while (f > 0 && group(f - 1) == group(field))
            f--;
        return f;
    }
    static constexpr int groups = group(fields - 1) + 1;
    /* The same for one field, as constants for kernels. */
    template <int f> struct of {
        static constexpr bool read = any(f), written = writes(f),
                              bits = (K::row.bits >> f & 1) != 0;
        static constexpr int low = below(f), high = above(f), in_group = f - first(f),
                             which = group(f), kept = K::kept(S, f), box = box_of(f);
    };
};

} // namespace
#endif
