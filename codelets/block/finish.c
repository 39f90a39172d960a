/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/finish.h"

#include <math.h>
#include <string.h>

#include "codelets/block/absorb.h"
#include "codelets/block/layer.h"
#include "codelets/block/row.h"
#include "codelets/block/sample_points.h"

static long stands_for(const struct zoid_shape *shape, int axis, int side, long ghost)
{
    return zoid_fold(shape, axis, side == ZOID_LOW ? -1 - ghost : shape->n[axis] + ghost);
}

static bool has(const struct zoid_layout *layout, int axis, long i)
{
    return i >= layout->lo[axis] && i < layout->hi[axis];
}

static void find_ghosts(const struct zoid_shape *shape, const struct zoid_layout *layout, int axis,
                        struct zoid_finish *finish)
{
    long n = shape->n[axis];
    long room[] = {-layout->lo[axis], layout->hi[axis] - n};
    bool around = layout->window[axis] && zoid_axis_periodic(shape, axis);

    for (int side = 0; side < ZOID_SIDES; side++) {
        const int most = (int)zoid_min(room[side], ZOID_MAX_REACH);
        int count = 0;

        if (!zoid_face_open(shape, axis, side) || around)
            continue;
        /* Ghost points whose source is outside the layout are never read: skip them. */
        while (count < most && has(layout, axis, stands_for(shape, axis, side, count)))
            count++;
        if (!count)
            continue;
        finish->ghosts = true;
        finish->count[axis][side] = count;
        for (int i = 0; i < count; i++) {
            const long ghost = side == ZOID_LOW ? -1 - i : n + i;

            finish->stands_for[axis][side][i] = stands_for(shape, axis, side, i);
            finish->turned[axis][side] |= (unsigned)zoid_fold_turns(shape, axis, ghost) << i;
        }
    }
}

struct zoid_finish zoid_finish_of(const struct zoid_op *op, const struct zoid_shape *shape,
                                  const struct zoid_layout *layout)
{
    struct zoid_finish finish = {.absorbs = zoid_absorbs(shape),
                                 .remembers = zoid_remembers(shape)};

    for (int axis = 0; axis < shape->dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++) {
            finish.holds |= shape->face[axis][side] == ZOID_DRIVEN;
            if (shape->face[axis][side] == ZOID_SPONGE)
                finish.sponges = finish.sponge[axis][side] = true;
        }
    for (int d = 0; d < ZOID_SPONGE_WIDTH && finish.sponges; d++) {
        double x = 0.015 * (ZOID_SPONGE_WIDTH - d);

        finish.taper[d] = exp(-(x * x));
    }
    for (int axis = 0; axis < zoid_chain(shape) && !op->own_edges; axis++)
        find_ghosts(shape, layout, axis, &finish);
    return finish;
}

bool zoid_sweep_unfinished(const struct zoid_sweep *s)
{
    bool open = s->sample_points || zoid_absorbs(s->shape) || zoid_remembers(s->shape);

    for (int axis = 0; axis < s->shape->dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++)
            open = open || s->shape->face[axis][side] == ZOID_SPONGE ||
                   s->shape->face[axis][side] == ZOID_DRIVEN ||
                   (axis < zoid_chain(s->shape) && zoid_face_open(s->shape, axis, side));
    return open;
}

/* ---- sponges ------------------------------------------------------------------------------- */

/* Returns a face's factor for a point of its axis; 1 if the point is not in a sponge. */
static double factor(const struct zoid_finish *finish, const struct zoid_shape *shape, int axis,
                     int side, long i)
{
    long d = side == ZOID_LOW ? i : shape->n[axis] - 1 - i;

    return finish->sponge[axis][side] && d < ZOID_SPONGE_WIDTH ? finish->taper[d] : 1;
}

/* Damps the points [lo, hi) of a row; by[0] and by[1] are the factors of its y and z. A factor of 1
 * changes no bit. */
#define FADE(type)                                                                               \
    static void fade_##type(const struct zoid_finish *finish, const struct zoid_shape *shape,    \
                            zoid_##type *row, long lo, long hi, const double by[2][ZOID_SIDES])  \
    {                                                                                            \
        const long low_end = zoid_min(hi, finish->sponge[0][ZOID_LOW] ? ZOID_SPONGE_WIDTH : lo); \
        const long start =                                                                       \
            finish->sponge[0][ZOID_HIGH] ? zoid_max(lo, shape->n[0] - ZOID_SPONGE_WIDTH) : hi;   \
                                                                                                 \
        for (long x = lo; x < low_end; x++)                                                      \
            row[x] *= (zoid_##type)factor(finish, shape, 0, ZOID_LOW, x);                        \
        for (long x = start; x < hi; x++)                                                        \
            row[x] *= (zoid_##type)factor(finish, shape, 0, ZOID_HIGH, x);                       \
        for (int i = 0; i < 2 * ZOID_SIDES; i++) {                                               \
            const zoid_##type f = (zoid_##type)by[i / 2][i % 2];                                 \
                                                                                                 \
            for (long x = lo; x < hi && f != 1; x++)                                             \
                row[x] *= f;                                                                     \
        }                                                                                        \
    }

FADE(f32)
FADE(f64)

static void fade_row(const struct zoid_finish *finish, const struct zoid_sweep *s, long y, long z,
                     const struct zoid_box *box, void *row)
{
    double by[2][ZOID_SIDES];

    for (int side = 0; side < ZOID_SIDES; side++) {
        by[0][side] = factor(finish, s->shape, 1, side, y);
        by[1][side] = factor(finish, s->shape, 2, side, z);
    }
    if (s->layout->type == ZOID_F32)
        fade_f32(finish, s->shape, row, box->lo[0], box->hi[0], by);
    else if (s->layout->type == ZOID_F64)
        fade_f64(finish, s->shape, row, box->lo[0], box->hi[0], by);
}

static void fade(const struct zoid_finish *finish, const struct zoid_sweep *s)
{
    const struct zoid_boxes boxes = zoid_sweep_boxes(s);

    for (int f = 0; f < s->op->nstate; f++) {
        const struct zoid_box *box = &boxes.of[f];

        for (long z = box->lo[2]; z < box->hi[2]; z++)
            for (long y = box->lo[1]; y < box->hi[1]; y++)
                fade_row(finish, s, y, z, box, zoid_row_at(s, &s->out, f, y, z));
    }
}

/* ---- held faces ---------------------------------------------------------------------------- */

bool zoid_sweep_holds(const struct zoid_sweep *s, int field, int axis, int side, double *value,
                      struct zoid_box *box)
{
    const struct zoid_held *held = &s->params->held[axis][side];
    const int stage = zoid_stage_of(s->op, s->t);
    const struct zoid_reach leaves = zoid_op_leaves(s->op, stage, field);

    if (s->shape->face[axis][side] != ZOID_DRIVEN || !held->samples ||
        !(s->op->stage[stage].writes >> field & 1))
        return false;
    *value = held->series[zoid_min(zoid_step_of(s->op, s->t), held->samples) - 1];
    *box = s->box;
    if (side == ZOID_LOW)
        box->hi[axis] = zoid_min(box->hi[axis], leaves.lo[axis]);
    else
        box->lo[axis] = zoid_max(box->lo[axis], s->shape->n[axis] - leaves.hi[axis]);
    return !zoid_box_empty(box);
}

static void set_row(enum zoid_type type, void *row, long lo, long hi, double value)
{
    for (long x = lo; x < hi; x++)
        if (type == ZOID_F32)
            ((zoid_f32 *)row)[x] = (zoid_f32)value;
        else
            ((zoid_f64 *)row)[x] = value;
}

static void hold(const struct zoid_sweep *s)
{
    for (int f = 0; f < s->op->nstate; f++)
        for (int face = 0; face < s->shape->dims * ZOID_SIDES; face++) {
            struct zoid_box box;
            double value;

            if (!zoid_sweep_holds(s, f, face / ZOID_SIDES, face % ZOID_SIDES, &value, &box))
                continue;
            for (long z = box.lo[2]; z < box.hi[2]; z++)
                for (long y = box.lo[1]; y < box.hi[1]; y++)
                    set_row(s->layout->type, zoid_row_at(s, &s->out, f, y, z), box.lo[0], box.hi[0],
                            value);
        }
}

/* ---- ghosts -------------------------------------------------------------------------------- */

/* Copies values to ghost i of a side. */
static void stand(const struct zoid_finish *finish, int axis, int side, long i, char *to,
                  const char *from, size_t bytes, size_t size)
{
    if (finish->turned[axis][side] >> i & 1)
        zoid_copy_turned(to, from, bytes, size);
    else
        memcpy(to, from, bytes);
}

/* Fills the x ghosts of a row; `row` is its point 0. */
static void fill_row(const struct zoid_finish *finish, const struct zoid_shape *shape, size_t size,
                     char *row)
{
    for (int side = 0; side < ZOID_SIDES; side++)
        for (long i = 0; i < finish->count[0][side]; i++) {
            long x = side == ZOID_LOW ? -1 - i : shape->n[0] + i;

            stand(finish, 0, side, i, row + x * (long)size,
                  row + finish->stands_for[0][side][i] * (long)size, size, size);
        }
}

/* Fills the x ghosts of rows [lo, hi) of a plane, and the ghost rows that stand for one of them. */
static void fill(const struct zoid_finish *finish, const struct zoid_shape *shape,
                 const struct zoid_layout *layout, char *plane, long lo, long hi)
{
    size_t size = zoid_type_size(layout->type), row = (size_t)layout->pitch * size;
    char *origin = plane - layout->lo[1] * (long)row;

    for (long y = lo; y < hi; y++)
        fill_row(finish, shape, size, origin + y * (long)row - layout->lo[0] * (long)size);
    for (int side = 0; side < ZOID_SIDES; side++)
        for (long i = 0; i < finish->count[1][side]; i++) {
            long y = side == ZOID_LOW ? -1 - i : shape->n[1] + i;
            long original = finish->stands_for[1][side][i];

            if (original >= lo && original < hi)
                stand(finish, 1, side, i, origin + y * (long)row, origin + original * (long)row,
                      row, size);
        }
}

void zoid_finish_plane(const struct zoid_finish *finish, const struct zoid_shape *shape,
                       const struct zoid_layout *layout, bool state, void *plane)
{
    const bool rows = zoid_chain(shape) == 2;
    struct zoid_finish of = *finish;

    if (!state)
        memset(of.turned, 0, sizeof of.turned);
    if (finish->ghosts && rows && layout->window[1])
        fill(&of, shape, layout, plane, layout->lo[1], layout->hi[1]);
    else if (finish->ghosts)
        fill(&of, shape, layout, plane, 0, rows ? shape->n[1] : 1);
}

void zoid_finish_sweep(const struct zoid_finish *finish, const struct zoid_sweep *s)
{
    int chain = zoid_chain(s->shape);
    size_t plane = zoid_layout_plane_bytes(s->layout), size = zoid_type_size(s->layout->type);

    if (finish->absorbs)
        zoid_absorb_sweep(s);
    if (finish->remembers)
        zoid_layer_sweep(s);
    if (finish->sponges)
        fade(finish, s);
    if (finish->holds)
        hold(s);
    if (s->sample_points)
        zoid_sample_points_sweep(s->sample_points, s);
    for (int f = 0; f < s->op->nstate && finish->ghosts; f++)
        for (long p = s->box.lo[chain]; p < s->box.hi[chain] && s->fields >> f & 1; p++)
            fill(finish, s->shape, s->layout,
                 (char *)s->out.base + (size_t)f * s->out.field * size +
                     (size_t)(p - s->out.lo) * plane,
                 chain == 2 ? s->box.lo[1] : 0, chain == 2 ? s->box.hi[1] : 1);
}
