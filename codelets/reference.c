/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain loop nest that everything else is compared with. It shares the point updates and
 * nothing more: no layout, no pieces, no vectors. */
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
#include "codelets/ops.def"
#undef ZOID_LANE
#define ZOID_LANE f64
#include "codelets/ops.def"
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
#include "codelets/ops.def"
/* clang-format on */

/* One stage: everything is carried over, then the points that the reach allows are computed. */
static void stage(const struct zoid_op *op, const struct zoid_shape *shape, struct zoid_loop *loop)
{
    const long *n = shape->n;
    const struct zoid_reach *reach = &shape->reach[(loop->t - 1) % shape->stages];

    memcpy(loop->to, loop->from,
           (size_t)(op->nstate * n[0] * n[1] * n[2]) * zoid_type_size(op->type));
    loop->p[0] = reach->lo[0];
    loop->count = n[0] - reach->hi[0] - reach->lo[0];
    for (long z = reach->lo[2]; z < n[2] - reach->hi[2]; z++)
        for (long y = reach->lo[1]; y < n[1] - reach->hi[1]; y++) {
            loop->p[1] = y;
            loop->p[2] = z;
            op->reference(loop);
        }
}

void *zoid_reference_run(const struct zoid_op *op, const struct zoid_params *params,
                         const long n[ZOID_AXES], long steps, void *state, void *spare)
{
    const struct zoid_shape shape = zoid_op_shape(op, n);

    for (long t = 1; t <= steps * op->nstages; t++) {
        struct zoid_loop loop = {
            .params = params, .t = t, .n = shape.n, .from = state, .to = spare};

        stage(op, &shape, &loop);
        spare = state;
        state = loop.to;
    }
    return state;
}
