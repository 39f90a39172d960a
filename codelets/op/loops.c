/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of points, point by point, for the plain loop nest: a zoid_reference_<variant> for every
 * variant of ZOID_ROWS. */
#include "codelets/op/reference.h"

#define ZOID_INLINE static inline __attribute__((always_inline))
#include "codelets/ops/point.h"

struct zoid_at {
    const struct zoid_params *params;
    const double *tables;
    long t, p[ZOID_AXES], n[ZOID_AXES];
    const struct zoid_loop *loop;
    bool inside;
    unsigned skips;
    void *skipped; /* receives values of fields that are skipped */
};

static long nearest(const struct zoid_shape *shape, int axis, long i)
{
    return zoid_min(zoid_max(zoid_fold(shape, axis, i), 0), shape->n[axis] - 1);
}

/* Returns the index of an element in a field; beyond an open face, of the element that it stands
 * for; beyond others, of the nearest one. */
static __attribute__((noinline)) size_t folded(const struct zoid_shape *shape, long x, long y,
                                               long z)
{
    const long *n = shape->n;

    x = nearest(shape, 0, x);
    y = nearest(shape, 1, y);
    z = nearest(shape, 2, z);
    return (size_t)((z * n[1] + y) * n[0] + x);
}

ZOID_INLINE size_t element(const struct zoid_at *at, long dx, long dy, long dz)
{
    const long *n = at->n, *p = at->p;

    if (at->inside)
        return (size_t)(((p[2] + dz) * n[1] + p[1] + dy) * n[0] + p[0] + dx);
    return folded(at->loop->shape, p[0] + dx, p[1] + dy, p[2] + dz);
}

/* Returns whether that element is a ghost value of the state whose sign is turned. */
static __attribute__((noinline)) bool turned(const struct zoid_loop *loop, int field,
                                             const long p[ZOID_AXES])
{
    bool turns = false;

    for (int a = 0; a < ZOID_AXES && field < loop->op->nstate; a++)
        turns ^= zoid_fold_turns(loop->shape, a, p[a]);
    return turns;
}

ZOID_INLINE bool turns(const struct zoid_at *at, int field, long dx, long dy, long dz)
{
    const long p[ZOID_AXES] = {at->p[0] + dx, at->p[1] + dy, at->p[2] + dz};

    return !at->inside && turned(at->loop, field, p);
}

#define ZOID_TURNS(at, field, dx, dy, dz) turns(at, field, dx, dy, dz)
#define ZOID_FROM(type, at, dims, field, dx, dy, dz) \
    &((const type *)(at)->loop->from[field])[element(at, dx, dy, dz)]
#define ZOID_TO(type, at, field)                      \
    ((at)->skips >> (field)&1 ? (type *)(at)->skipped \
                              : &((type *)(at)->loop->to[field])[element(at, 0, 0, 0)])
#include "codelets/op/scalar.h"

/* Two loops, so that the one away from open faces does not fold indices. */
/* clang-format off */
#define STAGE_LOOP(number, family, nd, nr, type)                                                   \
    at.skips = op.stage[number].nboxes ? loop.skips : 0;                                           \
    if (stage == number && given->inside)                                                          \
        for (at.inside = true; at.p[0] < end; at.p[0]++)                                           \
            zoid_##family##_##type(&at, nd, nr, number);                                           \
    else if (stage == number)                                                                      \
        for (at.inside = false; at.p[0] < end; at.p[0]++)                                          \
            zoid_##family##_##type(&at, nd, nr, number);

/* A local copy of the loop: stores of the row cannot alias it. */
#define ROW(name, family, nd, nr, type, stages, ...)                                               \
    static void name(const struct zoid_loop *given)                                                \
    {                                                                                              \
        enum { D = nd, R = nr, SIZE = sizeof(zoid_##type) };                                       \
        static const struct zoid_op op = {.dims = D, __VA_ARGS__};                                 \
        double skipped;                                                                            \
        const struct zoid_loop loop = *given;                                                      \
        const long *n = given->shape->n, *p = given->p, end = p[0] + given->count;                 \
        const long stage = (given->t - 1) % (0 stages(COUNT));                                     \
        struct zoid_at at = {.params = loop.params,                                                \
                             .tables = zoid_table_row(loop.params, loop.t),                        \
                             .t = loop.t,                                                          \
                             .p = {p[0], p[1], p[2]},                                              \
                             .n = {n[0], n[1], n[2]},                                              \
                             .loop = &loop,                                                        \
                             .skipped = &skipped};                                                 \
                                                                                                   \
        stages(STAGE_LOOP, family, nd, nr, type)                                                   \
    }

#define ZOID_VARIANT(variant, family, nd, nr, type, stages, ...)                                   \
    ROW(plain_##variant, family, nd, nr, type, stages, __VA_ARGS__)                                \
    WITH_FMA(__attribute__((target("fma")))                                                        \
             ROW(fused_##variant, family, nd, nr, type, stages, __VA_ARGS__))                      \
    zoid_loop_fn zoid_reference_##variant;                                                         \
    void zoid_reference_##variant(const struct zoid_loop *loop)                                    \
    {                                                                                              \
        WITH_FMA(if (__builtin_cpu_supports("fma")) { fused_##variant(loop); return; })            \
        plain_##variant(loop);                                                                     \
    }
#include ZOID_ROWS
/* clang-format on */
