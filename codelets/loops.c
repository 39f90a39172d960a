/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of points, one after another, for the plain loop nest: a zoid_reference_<variant> for every
 * variant of ZOID_ROWS. */
#include <math.h>
#include <string.h>

#include "codelets/run.h"

#define ZOID_INLINE static inline __attribute__((always_inline))
#include "codelets/ops/point.h"

struct zoid_at {
    const struct zoid_params *params;
    long t, p[ZOID_AXES];
    const struct zoid_loop *loop;
};

ZOID_INLINE size_t element(const struct zoid_at *at, int field, long dx, long dy, long dz)
{
    const long *n = at->loop->n, *p = at->p;

    return (size_t)(((field * n[2] + p[2] + dz) * n[1] + p[1] + dy) * n[0] + p[0] + dx);
}

#define SCALAR_LANE(type, fused)                                                               \
    typedef zoid_##type lane_##type;                                                           \
                                                                                               \
    ZOID_INLINE lane_##type fma_##type(lane_##type a, lane_##type b, lane_##type c)            \
    {                                                                                          \
        return fused(a, b, c);                                                                 \
    }                                                                                          \
                                                                                               \
    ZOID_INLINE lane_##type splat_##type(double constant)                                      \
    {                                                                                          \
        return (lane_##type)constant;                                                          \
    }                                                                                          \
                                                                                               \
    ZOID_INLINE lane_##type load_##type(const struct zoid_at *at, int dims, int field, int dx, \
                                        int dy, int dz)                                        \
    {                                                                                          \
        (void)dims;                                                                            \
        return ((const lane_##type *)at->loop->from)[element(at, field, dx, dy, dz)];          \
    }                                                                                          \
                                                                                               \
    ZOID_INLINE void put_##type(const struct zoid_at *at, int field, lane_##type value)        \
    {                                                                                          \
        ((lane_##type *)at->loop->to)[element(at, field, 0, 0, 0)] = value;                    \
    }

SCALAR_LANE(f32, fmaf)
SCALAR_LANE(f64, fma)

#define ZOID_VARIANT(...)
#define ZOID_LANE f32
#include ZOID_ROWS
#undef ZOID_LANE
#define ZOID_LANE f64
#include ZOID_ROWS
#undef ZOID_LANE
#undef ZOID_VARIANT

/* Without the instruction a fused product is a call: the same bits, twenty times slower. */
#ifdef __x86_64__
#define WITH_FMA(...) __VA_ARGS__
#else
#define WITH_FMA(...)
#endif

/* clang-format off */
#define STAGE_LOOP(number, family, nd, nr, type)                                                   \
    if (stage == number)                                                                           \
        for (; at.p[0] < end; at.p[0]++)                                                           \
            zoid_##family##_##type(&at, nd, nr, number);

#define COUNT(number, ...) +1

#define ROW(name, family, nd, nr, type, stages)                                                    \
    static void name(const struct zoid_loop *loop)                                                 \
    {                                                                                              \
        struct zoid_at at = {.params = loop->params,                                               \
                             .t = loop->t,                                                         \
                             .p = {loop->p[0], loop->p[1], loop->p[2]},                            \
                             .loop = loop};                                                        \
        const long end = loop->p[0] + loop->count, stage = (loop->t - 1) % (0 stages(COUNT));      \
                                                                                                   \
        stages(STAGE_LOOP, family, nd, nr, type)                                                   \
    }

#define ZOID_VARIANT(variant, family, nd, nr, type, stages, ...)                                   \
    ROW(plain_##variant, family, nd, nr, type, stages)                                             \
    WITH_FMA(__attribute__((target("fma"))) ROW(fused_##variant, family, nd, nr, type, stages))    \
    zoid_loop_fn zoid_reference_##variant;                                                         \
    void zoid_reference_##variant(const struct zoid_loop *loop)                                    \
    {                                                                                              \
        WITH_FMA(if (__builtin_cpu_supports("fma")) { fused_##variant(loop); return; })            \
        plain_##variant(loop);                                                                     \
    }
#include ZOID_ROWS
/* clang-format on */
