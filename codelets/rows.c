/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of points, one after another, where the planes lie: a zoid_row_<variant> for every variant
 * of ZOID_ROWS, which does its stages that take points in order. */
#include <math.h>

#include "codelets/order.h"

#define ZOID_INLINE static inline __attribute__((always_inline))
#include "codelets/ops/point.h"

struct zoid_at {
    const struct zoid_params *params;
    long t, p[ZOID_AXES], n[ZOID_AXES];
    const struct zoid_row *row;
    long x; /* of the row's points */
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
        const int planes = dims == 3 ? dz : dims == 2 ? dy : 0, rows = dims == 3 ? dy : 0;     \
        const lane_##type *from = at->row->from[field][ZOID_MAX_REACH + planes];               \
                                                                                               \
        return from[at->x + dx + rows * at->row->pitch];                                       \
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
        ((lane_##type *)at->row->to[field])[at->x] = value;                                    \
    }

SCALAR_LANE(f32)
SCALAR_LANE(f64)
SCALAR_LANE(u8)

ZOID_INLINE lane_f32 fma_f32(lane_f32 a, lane_f32 b, lane_f32 c)
{
    return fmaf(a, b, c);
}

ZOID_INLINE lane_f64 fma_f64(lane_f64 a, lane_f64 b, lane_f64 c)
{
    return fma(a, b, c);
}

ZOID_INLINE lane_u8 equal_u8(int a, int b)
{
    return a == b;
}

#define ZOID_VARIANT(...)
#define ZOID_LANE f32
#include ZOID_ROWS
#undef ZOID_LANE
#define ZOID_LANE f64
#include ZOID_ROWS
#undef ZOID_LANE
#define ZOID_LANE u8
#include ZOID_ROWS
#undef ZOID_LANE
#undef ZOID_VARIANT

/* Without the instruction a fused product is a call: the same bits, twenty times slower. */
#ifdef __x86_64__
#define WITH_FMA(...) __VA_ARGS__
#else
#define WITH_FMA(...)
#endif

/* A row says at compile time which of its stages have an order; of the others there is nothing. */
/* clang-format off */
#define STAGE_ROW(number, family, nd, nr, type)                                                    \
    if (stage == number && op.stage[number].order != ZOID_ANY_ORDER)                               \
        for (; at.x < given->count; at.x++, at.p[0]++)                                             \
            zoid_##family##_##type(&at, nd, nr, number);

#define COUNT(number, ...) +1

/* The copy of the row is its own: nothing that it stores can change it. */
#define ROW(name, family, nd, nr, type, stages, ...)                                               \
    static void name(const struct zoid_row *given)                                                 \
    {                                                                                              \
        enum { D = nd, R = nr, SIZE = sizeof(zoid_##type) };                                       \
        static const struct zoid_op op = {.dims = D, __VA_ARGS__};                                 \
        const struct zoid_row row = *given;                                                        \
        const long *n = row.n, *p = row.p;                                                         \
        const long stage = (row.t - 1) % (0 stages(COUNT));                                        \
        struct zoid_at at = {.params = row.params,                                                 \
                             .t = row.t,                                                           \
                             .p = {p[0], p[1], p[2]},                                              \
                             .n = {n[0], n[1], n[2]},                                              \
                             .row = &row};                                                         \
                                                                                                   \
        stages(STAGE_ROW, family, nd, nr, type)                                                    \
    }

#define ZOID_VARIANT(variant, family, nd, nr, type, stages, ...)                                   \
    ROW(plain_##variant, family, nd, nr, type, stages, __VA_ARGS__)                                \
    WITH_FMA(__attribute__((target("fma")))                                                        \
             ROW(fused_##variant, family, nd, nr, type, stages, __VA_ARGS__))                      \
    zoid_row_fn zoid_row_##variant;                                                                \
    void zoid_row_##variant(const struct zoid_row *row)                                            \
    {                                                                                              \
        WITH_FMA(if (__builtin_cpu_supports("fma")) { fused_##variant(row); return; })             \
        plain_##variant(row);                                                                      \
    }
#include ZOID_ROWS
/* clang-format on */
