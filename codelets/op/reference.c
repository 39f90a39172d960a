/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain loop nest, the reference for all results. It shares only the point updates with other
 * traversals: no layout, no segments, no vectors. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "codelets/boxes.h"
#include "codelets/op/interpolation.h"
#include "codelets/op/reference.h"
#include "codelets/threads/parallel.h"

static long clamp(long i, long lo, long hi)
{
    return i < lo ? lo : i > hi ? hi : i;
}

/* Returns the points of `box` that a stage computes, and those whose stencils are inside the
 * domain, also at open faces. */
static struct zoid_boxes boxes_of(const struct zoid_op *op, int stage,
                                  const struct zoid_shape *shape, const struct zoid_box *box)
{
    const struct zoid_reach reach = zoid_op_reach(op, stage);
    struct zoid_boxes boxes = zoid_boxes_of(op, stage, shape, box);
    struct zoid_shape closed = *shape;

    memset(closed.face, ZOID_DIRICHLET, sizeof closed.face);
    boxes.inside = zoid_box_without(&closed, &reach, box);
    return boxes;
}

/* Computes a row in parts, along which the stage computes the same fields and stencils are inside
 * the domain, or not. */
static void row(const struct zoid_op *op, const struct zoid_boxes *boxes, struct zoid_loop *loop)
{
    const long *n = loop->shape->n;
    long end = LONG_MAX;
    bool inside[ZOID_AXES];
    const unsigned fields = zoid_boxes_at(boxes, 1, loop->p[1], &inside[1], &end) &
                            zoid_boxes_at(boxes, 2, loop->p[2], &inside[2], &end);

    for (long x = 0; x < n[0] && fields; x = end) {
        unsigned some;

        end = n[0];
        some = fields & zoid_boxes_at(boxes, 0, x, &inside[0], &end);
        loop->p[0] = x;
        loop->count = end - x;
        loop->inside = inside[0] && inside[1] && inside[2];
        loop->skips = ~some;
        if (some)
            op->reference(loop);
    }
}

/* Returns the factor of one face of an axis for a value at index i; 1, which changes no bit, if the
 * face has no sponge or is far away. */
static double factor(const struct zoid_shape *shape, int axis, int side, long i)
{
    const long distance = side == ZOID_LOW ? i : shape->n[axis] - 1 - i, width = 20;
    const double x = 0.015 * (double)(width - distance);

    return shape->face[axis][side] == ZOID_SPONGE && distance < width ? exp(-(x * x)) : 1;
}

/* Damps the points [lo, hi) of a row at y and z, in the order of the faces. */
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

/* Returns a value damped by the layer at an absorbing boundary, at index i of its axis: if fields
 * change roles, towards the value of the time before. The stencil leaves out `left` layers. */
#define ABSORB(type, fused)                                                                       \
    static zoid_##type absorb_##type(const struct zoid_loop *loop, int axis, int side, long left, \
                                     long i, zoid_##type now, zoid_##type value)                  \
    {                                                                                             \
        const long d = side == ZOID_LOW ? i : loop->shape->n[axis] - 1 - i;                       \
        const struct zoid_absorb *absorb = &loop->params->absorb;                                 \
        const double *h = loop->params->spacing, points = (double)absorb->points;                 \
        double q, speed, x;                                                                       \
                                                                                                  \
        if (d >= left + absorb->points)                                                           \
            return value;                                                                         \
        q = fmin(((double)left + points - (double)d) / points, 1);                                \
        speed = loop->params->speed * (h[0] / h[axis]);                                           \
        x = 4 * speed * log(1 / absorb->reflection) / (2 * points) * (q * q * q);                 \
        if (!loop->op->rotates)                                                                   \
            return (zoid_##type)exp(-x) * value;                                                  \
        return fused((zoid_##type)(x / (1 + x)), now, (zoid_##type)(1 / (1 + x)) * value);        \
    }                                                                                             \
                                                                                                  \
    static void absorb_row_##type(const struct zoid_loop *loop, const struct zoid_reach *left,    \
                                  const long p[ZOID_AXES], long hi, const zoid_##type *now,       \
                                  zoid_##type *row)                                               \
    {                                                                                             \
        for (int axis = 0; axis < ZOID_AXES; axis++)                                              \
            for (int side = 0; side < ZOID_SIDES; side++)                                         \
                for (long x = p[0]; x < hi && loop->shape->face[axis][side] == ZOID_ABSORB; x++)  \
                    row[x] = absorb_##type(loop, axis, side,                                      \
                                           side == ZOID_LOW ? left->lo[axis] : left->hi[axis],    \
                                           axis == 0 ? x : p[axis], now[x], row[x]);              \
    }

ABSORB(f32, fmaf)
ABSORB(f64, fma)

/* Damps the points of a box of a field that a stage has computed. */
static void absorb(const struct zoid_loop *loop, const struct zoid_box *box, int stage, int field)
{
    const struct zoid_op *op = loop->op;
    const struct zoid_reach left = zoid_op_leaves(op, stage, field);
    const void *now = loop->from[op->rotates ? 1 - field : field];
    const long *n = loop->shape->n;

    for (long z = box->lo[2]; z < box->hi[2]; z++)
        for (long y = box->lo[1]; y < box->hi[1]; y++) {
            const long at = (z * n[1] + y) * n[0], p[ZOID_AXES] = {box->lo[0], y, z};

            if (op->type == ZOID_F32)
                absorb_row_f32(loop, &left, p, box->hi[0], (const zoid_f32 *)now + at,
                               (zoid_f32 *)loop->to[field] + at);
            else if (op->type == ZOID_F64)
                absorb_row_f64(loop, &left, p, box->hi[0], (const zoid_f64 *)now + at,
                               (zoid_f64 *)loop->to[field] + at);
        }
}

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

/* Sets the layers that a stage leaves out of a field at held faces to the values of its step, in
 * the points of a box of the domain. */
static void hold(const struct zoid_loop *loop, const struct zoid_box *box, int stage, int field)
{
    const struct zoid_op *op = loop->op;
    const struct zoid_reach left = zoid_op_leaves(op, stage, field);
    const long *n = loop->shape->n, step = (loop->t - 1) / op->step;

    for (int face = 0; face < ZOID_AXES * ZOID_SIDES; face++) {
        const int axis = face / ZOID_SIDES, side = face % ZOID_SIDES;
        const struct zoid_held *held = &loop->params->held[axis][side];

        if (loop->shape->face[axis][side] != ZOID_DRIVEN || held->samples < 1)
            continue;
        for (long z = box->lo[2]; z < box->hi[2]; z++)
            for (long y = box->lo[1]; y < box->hi[1]; y++)
                for (long x = box->lo[0]; x < box->hi[0]; x++) {
                    const long p[ZOID_AXES] = {x, y, z}, at = (z * n[1] + y) * n[0] + x;
                    const double value = held->series[clamp(step, 0, held->samples - 1)];

                    if (side == ZOID_LOW ? p[axis] >= left.lo[axis]
                                         : p[axis] < n[axis] - left.hi[axis])
                        continue;
                    if (op->type == ZOID_F32)
                        ((zoid_f32 *)loop->to[field])[at] = (zoid_f32)value;
                    else
                        ((zoid_f64 *)loop->to[field])[at] = value;
                }
    }
}

/* A stage of the whole domain, partitioned along the slowest axis with more than one point for
 * threads: no point reads the stage's output. A stage in order is not partitioned, and reads its
 * output. */
struct stage {
    const struct zoid_op *op;
    struct zoid_loop loop;
    void *memory; /* of layers that match */
    int axis;
    long parts;
};

/* Carries the i-th part of the cut axis, [lo, hi), over from the time before, then computes it. */
static void part(void *arg, int thread, long i)
{
    const struct stage *s = arg;
    const struct zoid_op *op = s->op;
    const struct zoid_shape *shape = s->loop.shape;
    const int number = (int)((s->loop.t - 1) % op->nstages);
    const long lo = shape->n[s->axis] * i / s->parts, hi = shape->n[s->axis] * (i + 1) / s->parts;
    struct zoid_loop loop = s->loop;
    struct zoid_box box = {.hi = {shape->n[0], shape->n[1], shape->n[2]}};
    struct zoid_boxes boxes;
    size_t layer = zoid_op_point_bytes(op);

    (void)thread;
    for (int a = 0; a < s->axis; a++)
        layer *= (size_t)shape->n[a];
    for (int f = 0; f < op->nstate; f++)
        memcpy((char *)loop.to[f] + (size_t)lo * layer,
               (const char *)loop.from[zoid_op_kept(op, number, f)] + (size_t)lo * layer,
               (size_t)(hi - lo) * layer);
    for (int f = 0; f < op->nstate && op->stage[number].order == ZOID_ASCENDING; f++)
        loop.from[f] = loop.to[f];
    box.lo[s->axis] = lo;
    box.hi[s->axis] = hi;
    boxes = boxes_of(op, number, shape, &box);
    for (long z = box.lo[2]; z < box.hi[2]; z++)
        for (long y = box.lo[1]; y < box.hi[1]; y++) {
            loop.p[1] = y;
            loop.p[2] = z;
            row(op, &boxes, &loop);
        }
    for (int f = 0; f < op->nstate; f++)
        if (op->stage[number].writes >> f & 1) {
            absorb(&loop, &boxes.of[f], number, f);
            if (s->memory)
                zoid_reference_remember(&loop, &boxes.of[f], f, s->memory);
            fade(op, shape, &boxes.of[f], loop.to[f]);
            hold(&loop, &box, number, f);
        }
}

/* ---- sources and receivers ----------------------------------------------------------------- */

static double get(const struct zoid_op *op, const void *field, long at)
{
    return op->type == ZOID_F32 ? (double)((const zoid_f32 *)field)[at]
                                : ((const zoid_f64 *)field)[at];
}

static long index_of(const struct zoid_shape *shape, const long at[ZOID_AXES])
{
    return (at[2] * shape->n[1] + at[1]) * shape->n[0] + at[0];
}

/* Adds source after source, node after node, once a stage has written their field. */
static void add_sources(const struct zoid_points *points, const struct stage *s)
{
    const struct zoid_op *op = s->op;
    const struct zoid_loop *loop = &s->loop;
    const long step = (loop->t - 1) / op->step;

    for (size_t i = 0; i < points->sources; i++) {
        const struct zoid_source *source = &points->source[i];
        const int field = zoid_op_stored(op, source->field, step + 1);
        struct zoid_interpolation_node corner[ZOID_INTERPOLATION_NODES];
        const int n = zoid_interpolation_nodes(loop->shape, source->at, corner);

        if (step >= source->samples ||
            !(op->stage[(loop->t - 1) % op->nstages].writes >> field & 1))
            continue;
        for (int c = 0; c < n; c++) {
            const long at = index_of(loop->shape, corner[c].at);
            double more = corner[c].weight * source->series[step];

            if (op->gain)
                more *= get(op, loop->from[op->gain], at);
            if (op->type == ZOID_F32)
                ((zoid_f32 *)loop->to[field])[at] = (zoid_f32)(get(op, loop->to[field], at) + more);
            else
                ((zoid_f64 *)loop->to[field])[at] += more;
        }
    }
}

/* Records the receivers' values of a state, `step` steps from time 0. */
static void see(const struct zoid_reference *run, const char *state, long step)
{
    const struct zoid_op *op = run->op;
    const long *n = run->shape->n;
    const size_t field = (size_t)(n[0] * n[1] * n[2]) * zoid_type_size(op->type);
    double *seen = run->seen + (size_t)(step - run->start) * run->points->receivers;

    for (size_t r = 0; r < run->points->receivers; r++) {
        const struct zoid_receiver *receiver = &run->points->receiver[r];
        const char *values = state + (size_t)zoid_op_stored(op, receiver->field, step) * field;
        struct zoid_interpolation_node corner[ZOID_INTERPOLATION_NODES];
        const int corners = zoid_interpolation_nodes(run->shape, receiver->at, corner);

        seen[r] = 0;
        for (int c = 0; c < corners; c++)
            seen[r] += corner[c].weight * get(op, values, index_of(run->shape, corner[c].at));
    }
}

void *zoid_reference_run(const struct zoid_reference *run, void *state, void *spare)
{
    const struct zoid_op *op = run->op;
    const struct zoid_shape *shape = run->shape;
    const size_t field =
        (size_t)(shape->n[0] * shape->n[1] * shape->n[2]) * zoid_op_point_bytes(op);
    const long t0 = run->start * op->step, t1 = t0 + run->steps * op->step;
    struct stage s = {.op = op,
                      .memory = run->memory,
                      .loop = {.op = op, .params = run->params, .shape = shape},
                      .axis = ZOID_AXES - 1};
    char *from = state, *to = spare;
    long parts;

    while (s.axis > 0 && shape->n[s.axis] == 1)
        s.axis--;
    /* Several per thread, since cores differ in speed. */
    parts = run->threads > 1 ? clamp(4L * run->threads, 1, shape->n[s.axis]) : 1;
    for (int c = op->nstate; c < op->nstate + op->ncoef && !op->coefficient_bytes; c++)
        s.loop.from[c] = from + (size_t)c * field;
    if (run->seen)
        see(run, from, run->start);
    for (s.loop.t = t0 + 1; s.loop.t <= t1; s.loop.t++) {
        char *swap = from;

        for (int f = 0; f < op->nstate; f++) {
            s.loop.from[f] = from + (size_t)f * field;
            s.loop.to[f] = to + (size_t)f * field;
        }
        s.parts = op->stage[(s.loop.t - 1) % op->nstages].order == ZOID_ANY_ORDER ? parts : 1;
        zoid_parallel(run->threads, s.parts, part, &s);
        if (run->points)
            add_sources(run->points, &s);
        if (run->seen && s.loop.t % op->step == 0)
            see(run, to, s.loop.t / op->step);
        from = to;
        to = swap;
    }
    return from;
}
