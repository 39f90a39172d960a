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
    long t, p[ZOID_AXES], n[ZOID_AXES];
    const struct zoid_loop *loop;
    bool inside;
};

/* Where an element lies in a field; beyond an open face, where the one lies that it stands for. */
static __attribute__((noinline)) size_t folded(const struct zoid_shape *shape, long x, long y,
                                               long z)
{
    const long *n = shape->n;

    x = zoid_fold(shape, 0, x);
    y = zoid_fold(shape, 1, y);
    z = zoid_fold(shape, 2, z);
    return (size_t)((z * n[1] + y) * n[0] + x);
}

ZOID_INLINE size_t element(const struct zoid_at *at, long dx, long dy, long dz)
{
    const long *n = at->n, *p = at->p;

    if (at->inside)
        return (size_t)(((p[2] + dz) * n[1] + p[1] + dy) * n[0] + p[0] + dx);
    return folded(at->loop->shape, p[0] + dx, p[1] + dy, p[2] + dz);
}

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
        (void)dims;                                                                            \
        return ((const lane_##type *)at->loop->from[field])[element(at, dx, dy, dz)];          \
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
        ((lane_##type *)at->loop->to[field])[element(at, 0, 0, 0)] = value;                    \
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
#include "codelets/ops.def"
#undef ZOID_LANE
#define ZOID_LANE f64
#include "codelets/ops.def"
#undef ZOID_LANE
#define ZOID_LANE u8
#include "codelets/ops.def"
#undef ZOID_LANE
#undef ZOID_VARIANT

/* Without the instruction a fused product is a call: the same bits, twenty times slower. */
#ifdef __x86_64__
#define WITH_FMA(...) __VA_ARGS__
#else
#define WITH_FMA(...)
#endif

/* Two loops, so that the one far from open faces has nothing to fold. */
/* clang-format off */
#define STAGE_LOOP(number, family, nd, nr, type)                                                   \
    if (stage == number && given->inside)                                                          \
        for (at.inside = true; at.p[0] < end; at.p[0]++)                                           \
            zoid_##family##_##type(&at, nd, nr, number);                                           \
    else if (stage == number)                                                                      \
        for (at.inside = false; at.p[0] < end; at.p[0]++)                                          \
            zoid_##family##_##type(&at, nd, nr, number);

#define COUNT(number, ...) +1

/* The copy of the loop is the row's own: nothing that the row stores can change it. */
#define ROW(name, family, nd, nr, type, stages)                                                    \
    static void name(const struct zoid_loop *given)                                                \
    {                                                                                              \
        const struct zoid_loop loop = *given;                                                      \
        const long *n = given->shape->n, *p = given->p, end = p[0] + given->count;                 \
        const long stage = (given->t - 1) % (0 stages(COUNT));                                     \
        struct zoid_at at = {.params = loop.params,                                                \
                             .t = loop.t,                                                          \
                             .p = {p[0], p[1], p[2]},                                              \
                             .n = {n[0], n[1], n[2]},                                              \
                             .loop = &loop};                                                       \
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

/* What a stage computes: everything, but the layers that its reach leaves out at closed faces. */
static struct zoid_box computed(const struct zoid_shape *shape, const struct zoid_reach *reach)
{
    struct zoid_box box;

    for (int a = 0; a < ZOID_AXES; a++) {
        box.lo[a] = zoid_face_open(shape, a, ZOID_LOW) ? 0 : reach->lo[a];
        box.hi[a] = shape->n[a] - (zoid_face_open(shape, a, ZOID_HIGH) ? 0 : reach->hi[a]);
    }
    return box;
}

static void points(const struct zoid_op *op, struct zoid_loop *loop, long lo, long hi, bool inside)
{
    loop->p[0] = lo;
    loop->count = hi - lo;
    loop->inside = inside;
    if (loop->count > 0)
        op->reference(loop);
}

/* A row of the box, in up to three parts: what reads beyond the domain, and what is between. */
static void row(const struct zoid_op *op, const struct zoid_box *box,
                const struct zoid_reach *reach, struct zoid_loop *loop)
{
    const long *n = loop->shape->n;
    long lo = box->lo[0], hi = box->hi[0], from = hi, to = hi;
    bool inside = true;

    for (int a = 1; a < ZOID_AXES; a++)
        inside = inside && loop->p[a] >= reach->lo[a] && loop->p[a] < n[a] - reach->hi[a];
    if (inside && reach->lo[0] < n[0] - reach->hi[0]) {
        from = lo > reach->lo[0] ? lo : reach->lo[0];
        to = hi < n[0] - reach->hi[0] ? hi : n[0] - reach->hi[0];
    }
    points(op, loop, lo, from, false);
    points(op, loop, from, to, true);
    points(op, loop, to, hi, false);
}

/* What a value is multiplied by that lies at i along an axis, for one of the axis's faces; 1, which
 * changes no bit, where that is no sponge or far away. */
static double factor(const struct zoid_shape *shape, int axis, int side, long i)
{
    const long distance = side == ZOID_LOW ? i : shape->n[axis] - 1 - i, width = 20;
    const double x = 0.015 * (double)(width - distance);

    return shape->face[axis][side] == ZOID_SPONGE && distance < width ? exp(-(x * x)) : 1;
}

/* The points [lo, hi) of a row at y and z, in the order of the faces. */
#define FADE(type)                                                                            \
    static void fade_##type(const struct zoid_shape *shape, long lo, long hi, long y, long z, \
                            zoid_##type *row)                                                 \
    {                                                                                         \
        for (int face = 0; face < ZOID_AXES * ZOID_SIDES; face++) {                           \
            const int axis = face / ZOID_SIDES, side = face % ZOID_SIDES;                     \
            const double whole = axis > 0 ? factor(shape, axis, side, axis == 1 ? y : z) : 1; \
                                                                                              \
            if (axis == 0 ? shape->face[0][side] != ZOID_SPONGE : whole == 1)                 \
                continue;                                                                     \
            for (long x = lo; x < hi; x++)                                                    \
                row[x] *= (zoid_##type)(axis > 0 ? whole : factor(shape, 0, side, x));        \
        }                                                                                     \
    }

FADE(f32)
FADE(f64)

static void fade(const struct zoid_op *op, const struct zoid_shape *shape,
                 const struct zoid_box *box, void *field)
{
    for (long z = box->lo[2]; z < box->hi[2]; z++)
        for (long y = box->lo[1]; y < box->hi[1]; y++) {
            const long at = (z * shape->n[1] + y) * shape->n[0];

            if (op->type == ZOID_F32)
                fade_f32(shape, box->lo[0], box->hi[0], y, z, (zoid_f32 *)field + at);
            else if (op->type == ZOID_F64)
                fade_f64(shape, box->lo[0], box->hi[0], y, z, (zoid_f64 *)field + at);
        }
}

static void stage(const struct zoid_op *op, struct zoid_loop *loop)
{
    const int number = (int)((loop->t - 1) % op->nstages);
    const struct zoid_reach reach = zoid_op_reach(op, number);
    const struct zoid_box box = computed(loop->shape, &reach);

    for (long z = box.lo[2]; z < box.hi[2]; z++)
        for (long y = box.lo[1]; y < box.hi[1]; y++) {
            loop->p[1] = y;
            loop->p[2] = z;
            row(op, &box, &reach, loop);
        }
    for (int f = 0; f < op->nstate; f++)
        if (op->stage[number].writes >> f & 1)
            fade(op, loop->shape, &box, loop->to[f]);
}

void *zoid_reference_run(const struct zoid_op *op, const struct zoid_params *params,
                         const struct zoid_shape *shape, long steps, void *state, void *spare)
{
    const size_t field =
        (size_t)(shape->n[0] * shape->n[1] * shape->n[2]) * zoid_type_size(op->type);
    struct zoid_loop loop = {.params = params, .shape = shape};
    char *from = state, *to = spare;

    for (int c = op->nstate; c < op->nstate + op->ncoef; c++)
        loop.from[c] = from + (size_t)c * field;
    for (loop.t = 1; loop.t <= steps * op->step; loop.t++) {
        char *swap = from;

        for (int f = 0; f < op->nstate; f++) {
            loop.from[f] = from + (size_t)f * field;
            loop.to[f] = to + (size_t)f * field;
        }
        memcpy(to, from, (size_t)op->nstate * field);
        stage(op, &loop);
        from = to;
        to = swap;
    }
    return from;
}
