/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of points, point by point, in place: a zoid_row_<variant> for every variant of ZOID_ROWS,
 * with its stages that take points in order. */
#include "codelets/cpu/order.h"

#define ZOID_INLINE static inline __attribute__((always_inline))
#include "codelets/ops/point.h"

struct zoid_at {
    const struct zoid_params *params;
    const double *tables;
    long t, p[ZOID_AXES], n[ZOID_AXES];
    const struct zoid_row *row;
    long x; /* index in the row */
    bool inside;
    unsigned skips;
    void *skipped; /* receives values of fields that are skipped */
};

/* Returns the offset in elements to a point of the row's plane that is `dx` points and `dy` rows
 * away, or to the nearest one in the domain. */
ZOID_INLINE long distance(const struct zoid_at *at, int dims, long dx, long dy)
{
    const long *n = at->n, *p = at->p;

    if (dims < 3)
        dy = 0;
    if (!at->inside) {
        dx = zoid_min(zoid_max(dx, -p[0]), n[0] - 1 - p[0]);
        dy = zoid_min(zoid_max(dy, -p[1]), n[1] - 1 - p[1]);
    }
    return dy * at->row->pitch + dx;
}

/* Rows of a plane are a pitch apart; planes are anywhere. In 2-D y is the axis of the planes. */
#define ZOID_FROM(type, at, dims, field, dx, dy, dz)                             \
    (const type *)(at)->row->from[field][ZOID_MAX_REACH + ((dims) == 3   ? (dz)  \
                                                           : (dims) == 2 ? (dy)  \
                                                                         : 0)] + \
        (at)->x + distance(at, dims, dx, dy)
#define ZOID_TO(type, at, field) \
    ((at)->skips >> (field)&1 ? (type *)(at)->skipped : (type *)(at)->row->to[field] + (at)->x)
#include "codelets/op/scalar.h"

/* The order of stages is known at compile time; those without one compile to nothing. */
/* clang-format off */
#define STAGE_ROW(number, family, nd, nr, type)                                                    \
    if (stage == number && op.stage[number].order != ZOID_ANY_ORDER) {                             \
        if (op.stage[number].nboxes) {                                                             \
            at.inside = row.inside;                                                                \
            at.skips = row.skips;                                                                  \
        }                                                                                          \
        for (; at.x < given->count; at.x++, at.p[0]++)                                             \
            zoid_##family##_##type(&at, nd, nr, number);                                           \
    }

/* A local copy of the row: its stores cannot alias it. */
#define ROW(name, family, nd, nr, type, stages, ...)                                               \
    static void name(const struct zoid_row *given)                                                 \
    {                                                                                              \
        enum { D = nd, R = nr, SIZE = sizeof(zoid_##type) };                                       \
        static const struct zoid_op op = {.dims = D, __VA_ARGS__};                                 \
        const struct zoid_row row = *given;                                                        \
        const long *n = row.n, *p = row.p;                                                         \
        const long stage = (row.t - 1) % (0 stages(COUNT));                                        \
        double skipped;                                                                            \
        struct zoid_at at = {.params = row.params,                                                 \
                             .tables = zoid_table_row(row.params, row.t),                          \
                             .t = row.t,                                                           \
                             .p = {p[0], p[1], p[2]},                                              \
                             .n = {n[0], n[1], n[2]},                                              \
                             .row = &row,                                                          \
                             .inside = true,                                                       \
                             .skipped = &skipped};                                                 \
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
