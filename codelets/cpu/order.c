/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps in order, on a core: plane by plane upwards, row by row, point by point.
 *
 *     plane + 1    time t - 1
 *     plane        time t - 1, becoming t
 *     plane - 1    time t
 *
 * A plane is copied to its destination and then computed in place, so that points before the
 * current one are new and those after it old. */
#include "codelets/cpu/order.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* Bytes of the buffer for a part of a line. */
enum { LINE_BYTES = 32 * 1024 };

/* A sweep with data that all its rows share. */
struct order {
    const struct zoid_sweep *sweep;
    const struct zoid_stage *stage;
    struct zoid_groups groups;
    int group[ZOID_MAX_FIELDS]; /* of each field */
    int chain;
    long size;               /* bytes per element */
    struct zoid_boxes boxes; /* points that are computed, not carried */
};

/* Returns the address of a plane of a field in one of the segments, whose fields are indexed from
 * 0, and the end of that segment in *end; NULL if no segment has it. */
static char *plane_in(const struct order *o, const struct zoid_segments *segments, int field,
                      long plane, long *end)
{
    for (size_t i = 0; i < segments->n; i++) {
        const struct zoid_segment *p = &segments->segment[i];

        if (plane < p->lo || plane >= p->hi)
            continue;
        *end = p->hi;
        return (char *)p->base +
               ((long)((size_t)field * p->field) + (plane - p->lo) * o->sweep->layout->plane) *
                   o->size;
    }
    return NULL;
}

static char *plane_out(const struct order *o, int field, long plane)
{
    const struct zoid_segments out = {1, &o->sweep->out};
    long end;

    return plane_in(o, &out, field, plane, &end);
}

/* Returns a plane of a field as a point of plane `at` reads it; *end is the first plane above it
 * that may be elsewhere. Below `at`, stored fields are of the same time. Fields that are not stored
 * are equal at both times. */
static char *plane_for(const struct order *o, int field, long at, long plane, long *end)
{
    const struct zoid_sweep *s = o->sweep;
    const int g = o->group[field];
    char *found = NULL;

    if (s->fields >> field & 1 && plane < at) {
        found = plane >= s->out.lo ? plane_out(o, field, plane)
                                   : plane_in(o, &s->updated, field, plane, end);
        *end = plane >= s->out.lo ? at : zoid_min(*end, zoid_min(at, s->out.lo));
    } else {
        found = plane_in(o, &s->in[g], field - o->groups.first[g], plane, end);
        if (!found && g < o->groups.n)
            found = plane_in(o, &s->updated, field, plane, end);
    }
    assert(found);
    return found;
}

/* ---- planes ---------------------------------------------------------------------------------- */

/* Copies the box's rows of the stored fields to the output, unless they are there already. */
static void carry(const struct order *o, long plane)
{
    const struct zoid_sweep *s = o->sweep;
    const struct zoid_box *box = &s->box;
    const long lo = o->chain == 2 ? box->lo[1] : 0, hi = o->chain == 2 ? box->hi[1] : 1;
    const size_t bytes = (size_t)((box->hi[0] - box->lo[0]) * o->size);
    long end;

    for (int f = 0; f < s->op->nstate; f++) {
        char *out, *in;

        if (!(s->fields >> f & 1))
            continue;
        out = plane_out(o, f, plane);
        in = plane_for(o, f, plane, plane, &end);
        for (long y = lo; y < hi && in != out; y++) {
            long row = zoid_layout_at(s->layout, box->lo[0], y) * o->size;

            memcpy(out + row, in + row, bytes);
        }
    }
}

/* Sets the addresses of a row's first point in all planes that the stage reads; planes outside the
 * domain have those of the nearest one. */
static void point_to(const struct order *o, long plane, long y, struct zoid_row *row)
{
    const struct zoid_sweep *s = o->sweep;
    const long last = s->shape->n[o->chain] - 1;
    const long at = zoid_layout_at(s->layout, row->p[0], y) * o->size;
    long end;

    for (int i = 0; i < o->stage->nreads; i++) {
        const struct zoid_read *read = &o->stage->read[i];
        const int f = read->field;

        for (long z = -read->reach.lo[o->chain]; z <= read->reach.hi[o->chain]; z++) {
            const long from = zoid_min(zoid_max(plane + z, 0), last);

            row->from[f][ZOID_MAX_REACH + z] =
                (from == plane && s->fields >> f & 1 ? plane_out(o, f, plane)
                                                     : plane_for(o, f, plane, from, &end)) +
                at;
        }
    }
    for (int f = 0; f < s->op->nstate; f++)
        if (o->stage->writes >> f & 1)
            row->to[f] = plane_out(o, f, plane) + at;
}

/* Points of a row from p[0] on for which the stage computes the same fields. */
struct part {
    long end;
    unsigned fields;
    bool inside; /* their stencils are inside the domain along x */
};

/* Returns the part of a row that begins at x and ends at `end` at the latest. */
static struct part part_at(const struct order *o, long x, long end)
{
    struct part part = {.end = end};

    part.fields = zoid_boxes_at(&o->boxes, 0, x, &part.inside, &part.end);
    return part;
}

/* Computes a row of the box, whose plane and y row->p has; along these the stage computes points of
 * some fields. */
static void sweep_row(const struct order *o, unsigned fields, bool inside, struct zoid_row *row)
{
    const struct zoid_sweep *s = o->sweep;
    const long y = o->chain == 2 ? row->p[1] : 0;
    struct part part;

    for (long x = s->box.lo[0]; x < s->box.hi[0] && fields; x = part.end) {
        part = part_at(o, x, s->box.hi[0]);
        row->p[0] = x;
        row->count = part.end - x;
        row->inside = inside && part.inside;
        row->skips = ~(fields & part.fields);
        if (fields & part.fields) {
            point_to(o, row->p[o->chain], y, row);
            s->op->row(row);
        }
    }
}

static void sweep_plane(const struct order *o, long plane)
{
    const struct zoid_sweep *s = o->sweep;
    const long lo = o->chain == 2 ? s->box.lo[1] : 0, hi = o->chain == 2 ? s->box.hi[1] : 1;
    struct zoid_row row = {
        .params = s->params, .n = s->shape->n, .t = s->t, .pitch = s->layout->pitch};
    long end = LONG_MAX;
    bool above, inside = true;
    const unsigned fields = zoid_boxes_at(&o->boxes, o->chain, plane, &above, &end);

    carry(o, plane);
    row.p[o->chain] = plane;
    for (long y = lo; y < hi && fields; y++) {
        unsigned some = fields;

        if (o->chain == 2) {
            row.p[1] = y;
            some &= zoid_boxes_at(&o->boxes, 1, y, &inside, &end);
        }
        sweep_row(o, some, above && inside, &row);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Copies points [lo, hi) of a line of a field, as point `at` reads them, into `line`. */
static void gather(const struct order *o, int field, long at, long lo, long hi, char *line)
{
    while (lo < hi) {
        long end;
        const char *from = plane_for(o, field, at, lo, &end);

        end = zoid_min(end, hi);
        memcpy(line, from, (size_t)((end - lo) * o->size));
        line += (end - lo) * o->size;
        lo = end;
    }
}

/* The same with the neighbours that the stage reads, for fields that it reads or that are stored;
 * `line` starts at point `first`. */
static void gather_around(const struct order *o, int field, long lo, long hi, long first,
                          char *line)
{
    const struct zoid_sweep *s = o->sweep;
    long before = 0, after = 0;
    bool used = s->fields >> field & 1;

    for (int i = 0; i < o->stage->nreads; i++)
        if (o->stage->read[i].field == field) {
            used = true;
            before = zoid_max(before, o->stage->read[i].reach.lo[0]);
            after = zoid_max(after, o->stage->read[i].reach.hi[0]);
        }
    before = zoid_max(lo - before, 0);
    after = zoid_min(hi + after, s->shape->n[0]);
    if (used)
        gather(o, field, lo, before, after, line + (before - first) * o->size);
}

/* Computes points [lo, hi) of a line, whose planes are single points, in a buffer with `room`
 * points per field, neighbours included. */
static void part_of_line(const struct order *o, long lo, long hi, long room)
{
    _Alignas(ZOID_LINE) char line[LINE_BYTES];
    const struct zoid_sweep *s = o->sweep;
    const long first = lo - zoid_op_reach(s->op, zoid_stage_of(s->op, s->t)).lo[0];
    struct zoid_row row = {.params = s->params, .n = s->shape->n, .t = s->t};
    struct part part;

    for (int f = 0; f < s->op->nstate + s->op->ncoef; f++)
        gather_around(o, f, lo, hi, first, line + f * room * o->size);
    for (long x = lo; x < hi; x = part.end) {
        part = part_at(o, x, hi);
        row.p[0] = x;
        row.count = part.end - x;
        row.inside = part.inside;
        row.skips = ~part.fields;
        for (int f = 0; f < s->op->nstate + s->op->ncoef; f++) {
            row.to[f] = line + (f * room + x - first) * o->size;
            row.from[f][ZOID_MAX_REACH] = row.to[f];
        }
        if (part.fields)
            s->op->row(&row);
    }
    for (int f = 0; f < s->op->nstate; f++)
        if (s->fields >> f & 1)
            memcpy(plane_out(o, f, lo), line + (f * room + lo - first) * o->size,
                   (size_t)((hi - lo) * o->size));
}

static void along_line(const struct order *o)
{
    const struct zoid_sweep *s = o->sweep;
    const struct zoid_reach reach = zoid_op_reach(s->op, zoid_stage_of(s->op, s->t));
    const long room = LINE_BYTES / o->size / (s->op->nstate + s->op->ncoef);
    const long n = room - reach.lo[0] - reach.hi[0];

    for (long lo = s->box.lo[0]; lo < s->box.hi[0]; lo += n)
        part_of_line(o, lo, zoid_min(lo + n, s->box.hi[0]), room);
}

void zoid_sweep_in_order(const struct zoid_sweep *s)
{
    struct order o = {.sweep = s,
                      .stage = &s->op->stage[zoid_stage_of(s->op, s->t)],
                      .groups = zoid_op_groups(s->op),
                      .chain = zoid_chain(s->shape),
                      .size = (long)zoid_type_size(s->layout->type),
                      .boxes = zoid_sweep_boxes(s)};

    for (int g = 0; g <= o.groups.n; g++)
        for (int f = o.groups.first[g]; f < o.groups.first[g + 1]; f++)
            o.group[f] = g;
    if (o.chain == 0)
        along_line(&o);
    else
        for (long plane = s->box.lo[o.chain]; plane < s->box.hi[o.chain]; plane++)
            sweep_plane(&o, plane);
}
