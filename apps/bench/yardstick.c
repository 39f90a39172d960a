/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/yardstick.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#define ZOID_INLINE static inline __attribute__((always_inline))
#include "codelets/ops/point.h"

struct zoid_at {
    const struct zoid_params *params;
    long t, p[ZOID_AXES], n[ZOID_AXES];
    long row; /* where the point's row starts in a field */
    const void *const *from;
    void *const *to;
};

#define SCALAR_LANE(type)                                                                      \
    typedef zoid_##type lane_##type;                                                           \
                                                                                               \
    ZOID_INLINE lane_##type splat_##type(double constant)                                      \
    {                                                                                          \
        return (lane_##type)constant;                                                          \
    }                                                                                          \
                                                                                               \
    ZOID_INLINE lane_##type load_##type(const struct zoid_at *at, int dims, int field, int dx, \
                                        int dy, int dz)                                        \
    {                                                                                          \
        const lane_##type *row = (const lane_##type *)at->from[field] + at->row;               \
                                                                                               \
        (void)dims;                                                                            \
        return row[at->p[0] + (dz * at->n[1] + dy) * at->n[0] + dx];                           \
    }                                                                                          \
                                                                                               \
    ZOID_INLINE lane_##type select_x_##type(const struct zoid_at *at, long lo, long hi,        \
                                            lane_##type a, lane_##type b)                      \
    {                                                                                          \
        return at->p[0] >= lo && at->p[0] < hi ? a : b;                                        \
    }                                                                                          \
                                                                                               \
    ZOID_INLINE void put_##type(const struct zoid_at *at, int field, lane_##type value)        \
    {                                                                                          \
        ((lane_##type *)at->to[field] + at->row)[at->p[0]] = value;                            \
    }

SCALAR_LANE(f32)
SCALAR_LANE(f64)
SCALAR_LANE(u8)

#define fma_f32(a, b, c) fmaf(a, b, c)
#define fma_f64(a, b, c) fma(a, b, c)
#define equal_u8(a, b) ((zoid_u8)((a) == (b)))

#define ZOID_VARIANT(...)
#define ZOID_LANE f32
#include "codelets/ops.def"
#undef ZOID_LANE
#define ZOID_LANE f64
#include "codelets/ops.def"
#undef ZOID_LANE
#define ZOID_LANE u8
#include "codelets/ops.def"
#undef ZOID_LANE
#undef ZOID_VARIANT

/* Points are computed at once, as the fields overlap nowhere or point by point. */
/* clang-format off */
#define STAGE_LOOPS(number, family, nd, nr, type)                                                  \
    for (long z = box.lo[2]; z < box.hi[2] && stage == number; z++)                                \
        for (long y = box.lo[1]; y < box.hi[1]; y++) {                                             \
            _Pragma("omp simd")                                                                    \
            for (long x = box.lo[0]; x < box.hi[0]; x++) {                                         \
                const struct zoid_at at = {.params = &params,                                      \
                                           .t = t,                                                 \
                                           .p = {x, y, z},                                         \
                                           .n = {n[0], n[1], n[2]},                                \
                                           .row = (z * n[1] + y) * n[0],                           \
                                           .from = from,                                           \
                                           .to = to};                                              \
                                                                                                   \
                zoid_##family##_##type(&at, nd, nr, number);                                       \
            }                                                                                      \
        }

#define COUNT(number, ...) +1

/* The copies are the loops' own: nothing that they store can change them. */
#define ZOID_VARIANT(variant, family, nd, nr, type, stages, ...)                                   \
    static void loops_##variant(const struct zoid_yardstick *s, const struct zoid_box *share)      \
    {                                                                                              \
        const struct zoid_box box = *share;                                                        \
        const struct zoid_params params = *s->params;                                              \
        const long t = s->t, n[ZOID_AXES] = {s->n[0], s->n[1], s->n[2]};                           \
        const long stage = (t - 1) % (0 stages(COUNT));                                            \
        const void *from[ZOID_MAX_FIELDS];                                                         \
        void *to[ZOID_MAX_FIELDS];                                                                 \
                                                                                                   \
        memcpy(from, s->from, sizeof from);                                                        \
        memcpy(to, s->to, sizeof to);                                                              \
        stages(STAGE_LOOPS, family, nd, nr, type)                                                  \
    }
#include "codelets/ops.def"
#undef ZOID_VARIANT

/* In the order of the table. */
#define ZOID_VARIANT(variant, ...) loops_##variant,
static void (*const loops[])(const struct zoid_yardstick *, const struct zoid_box *) = {
#include "codelets/ops.def"
};
/* clang-format on */

static long share(long n, int member, int members)
{
    return n / members * member + (member < n % members ? member : n % members);
}

void zoid_yardstick_sweep(const struct zoid_yardstick *s)
{
    const int chain = s->op->dims - 1;
    const long lo = s->box.lo[chain], n = s->box.hi[chain] - lo;
    size_t i = 0;

    while (zoid_op_at(i) != s->op)
        i++;
#pragma omp parallel
    {
        struct zoid_box mine = s->box;

        mine.lo[chain] = lo + share(n, omp_get_thread_num(), omp_get_num_threads());
        mine.hi[chain] = lo + share(n, omp_get_thread_num() + 1, omp_get_num_threads());
        loops[i](s, &mine);
    }
}

void zoid_yardstick_fill(void *to, const void *pattern, size_t bytes, long times)
{
#pragma omp parallel for schedule(static)
    for (long i = 0; i < times; i++)
        memcpy((char *)to + (size_t)i * bytes, pattern, bytes);
}

int zoid_yardstick_threads(void)
{
    return omp_get_max_threads();
}
