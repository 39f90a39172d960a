/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cpu/walk.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* Most bytes of a bundle with its inputs, half of a second-level cache; and of the buffer for a
 * part of a line. */
enum { BUNDLE_BYTES = 512 * 1024, LINE_BYTES = 32 * 1024 };

/* A sweep with data that all its bundles share. */
struct walk {
    const struct zoid_sweep *sweep;
    zoid_bundle_fn *const *bundles;
    const struct zoid_stage *stage;
    int number; /* of the stage */
    struct zoid_groups groups;
    int group[ZOID_MAX_FIELDS]; /* of each field */
    int chain;
    size_t size;
    struct zoid_boxes boxes;             /* points that are computed, not carried */
    struct zoid_range planes;            /* that the stage can read */
    long lo[2], hi[2];                   /* x and y of the box */
    size_t segment[ZOID_MAX_GROUPS + 1]; /* segment of the last lookup, per group */
};

/* Returns the address of a field of a plane in the input segments. */
static const char *input(struct walk *w, int field, long plane)
{
    const struct zoid_sweep *s = w->sweep;
    int g = w->group[field];
    const struct zoid_segments *in = &s->in[g];
    const struct zoid_segment *segment = &in->segment[w->segment[g]];

    for (size_t tried = 1; plane < segment->lo || plane >= segment->hi; tried++) {
        assert(tried < in->n);
        w->segment[g] = (w->segment[g] + 1) % in->n;
        segment = &in->segment[w->segment[g]];
    }
    return (const char *)segment->base + ((size_t)(field - w->groups.first[g]) * segment->field +
                                          (size_t)((plane - segment->lo) * s->layout->plane)) *
                                             w->size;
}

static char *output(const struct walk *w, long plane)
{
    const struct zoid_segment *out = &w->sweep->out;

    return (char *)out->base + (plane - out->lo) * w->sweep->layout->plane * (long)w->size;
}

/* Copies rows [lo, hi) of some fields of a plane. */
static void carry(struct walk *w, long plane, long lo, long hi, unsigned fields)
{
    const struct zoid_layout *layout = w->sweep->layout;
    size_t row = (size_t)zoid_max(w->hi[0] - w->lo[0], 0) * w->size;

    for (int f = 0; f < w->sweep->op->nstate && lo < hi; f++) {
        char *out = output(w, plane) + (size_t)f * w->sweep->out.field * w->size;
        const char *in;

        if (!(fields >> f & 1))
            continue;
        in = input(w, zoid_op_kept(w->sweep->op, w->number, f), plane);
        for (long y = lo; y < hi && in != out; y++) {
            size_t at = (size_t)zoid_layout_at(layout, w->lo[0], y) * w->size;

            memcpy(out + at, in + at, row);
        }
    }
}

/* Initialises bundle.in of a field for the planes [from, to), which are outside the domain, with
 * one inside. */
static void point_outside(struct walk *w, struct zoid_bundle *bundle, int field, long from, long to,
                          long plane)
{
    for (; from < to; from++) {
        bundle->in[field][ZOID_MAX_REACH + from] = input(w, field, plane);
        bundle->times = 1;
    }
}

/* Sets bundle.in of a field for the planes [from, to), counted from the bundle's, and limits
 * bundle.times to the segments that contain them. */
static void point_to(struct walk *w, struct zoid_bundle *bundle, int abreast, int field, long from,
                     long to)
{
    const struct zoid_segments *in = &w->sweep->in[w->group[field]];
    size_t bytes = (size_t)w->sweep->layout->plane * w->size;
    const long first = zoid_max(from, w->planes.lo - bundle->plane);
    const long last = zoid_min(to, w->planes.hi - bundle->plane);

    point_outside(w, bundle, field, from, first, w->planes.lo);
    point_outside(w, bundle, field, last, to, w->planes.hi - 1);
    from = first;
    to = last;
    while (from < to) {
        const char *plane = input(w, field, bundle->plane + from);
        long hi = in->segment[w->segment[w->group[field]]].hi - bundle->plane,
             end = zoid_min(to, hi);

        for (; from < end; from++, plane += bytes)
            bundle->in[field][ZOID_MAX_REACH + from] = plane;
        bundle->times = zoid_min(bundle->times, (hi - end) / abreast + 1);
    }
}

static void point_to_kept(struct walk *w, struct zoid_bundle *bundle, int abreast, int field, int i)
{
    int kept = zoid_op_kept(w->sweep->op, w->number, field), g = w->group[kept];
    long plane = bundle->plane + i;

    bundle->kept[i][field] = input(w, kept, plane);
    bundle->times = zoid_min(bundle->times,
                             (w->sweep->in[g].segment[w->segment[g]].hi - plane - 1) / abreast + 1);
}

/* Sets the inputs of a bundle: fields that the stage reads, and carried ones. */
static void point_to_inputs(struct walk *w, struct zoid_bundle *bundle, int abreast)
{
    for (int i = 0; i < w->stage->nreads; i++) {
        const struct zoid_read *read = &w->stage->read[i];
        long lo = w->chain > 0 ? read->reach.lo[w->chain] : 0;
        long hi = w->chain > 0 ? read->reach.hi[w->chain] : 0;

        point_to(w, bundle, abreast, read->field, -lo, hi + abreast);
    }
    for (int f = 0; f < w->sweep->op->nstate; f++)
        for (int p = 0; p < abreast && w->stage->writes >> f & 1; p++)
            point_to_kept(w, bundle, abreast, f, p);
}

/* Rows [lo, hi) of a plane in which the stage computes points of the same fields. */
struct strip {
    long lo, hi;
    unsigned fields;
    bool inside; /* all rows that it reads are inside the domain */
};

static struct zoid_range overlap(struct zoid_range a, long lo, long hi)
{
    return (struct zoid_range){zoid_max(a.lo, lo), zoid_min(a.hi, hi)};
}

/* Initialises which points of rows the bundle computes. */
static void set_computed(const struct walk *w, const struct strip *strip,
                         struct zoid_bundle *bundle)
{
    const struct zoid_box *inside = &w->boxes.inside;
    const struct zoid_range all = {bundle->lo[0], bundle->hi[0]};

    bundle->whole = overlap(all, inside->lo[0], strip->inside ? inside->hi[0] : inside->lo[0]);
    for (unsigned left = w->boxes.fields; left; left &= left - 1) {
        const int f = __builtin_ctz(left);
        const struct zoid_box *box = &w->boxes.of[f];
        const long hi = strip->fields >> f & 1 ? box->hi[0] : box->lo[0];

        bundle->computed[f] = overlap(all, box->lo[0], hi);
        bundle->whole = overlap(bundle->whole, box->lo[0], hi);
    }
}

/* Computes rows of planes from `plane` on, up to `end`; returns the number of planes. */
static long compute(struct walk *w, long plane, long end, const struct strip *strip)
{
    const struct zoid_sweep *s = w->sweep;
    int abreast = plane + ZOID_ABREAST <= end ? ZOID_ABREAST : 1;
    struct zoid_bundle bundle; /* uninitialised: most of bundle.in is never read */

    bundle.params = s->params;
    bundle.layout = s->layout;
    bundle.n = s->shape->n;
    bundle.t = s->t;
    bundle.plane = plane;
    bundle.times = (end - plane) / abreast;
    bundle.lo[0] = w->lo[0];
    bundle.lo[1] = strip->lo;
    bundle.hi[0] = w->hi[0];
    bundle.hi[1] = strip->hi;
    bundle.out_field = s->out.field;
    set_computed(w, strip, &bundle);
    point_to_inputs(w, &bundle, abreast);
    for (int i = 0; i < abreast; i++)
        bundle.out[i] = output(w, plane + i);
    w->bundles[abreast > 1](&bundle);
    return bundle.times * abreast;
}

/* Returns the strip of rows that starts at `lo` and ends at `hi` at the latest, of planes in which
 * the stage computes points of some fields. */
static struct strip strip_at(const struct walk *w, long lo, long hi, unsigned fields)
{
    struct strip strip = {lo, hi, fields, true};

    if (w->chain == 2)
        strip.fields &= zoid_boxes_at(&w->boxes, 1, lo, &strip.inside, &strip.hi);
    return strip;
}

/* Computes or carries rows [lo, hi) of the planes [plane, end), in which the stage computes points
 * of the same fields. */
static void planes_alike(struct walk *w, long plane, long end, long lo, long hi, unsigned fields)
{
    const unsigned all = w->sweep->fields, writes = w->stage->writes;
    const struct strip first = strip_at(w, lo, hi, fields);
    const bool alone = first.hi == hi && first.fields && !(all & ~writes);
    struct strip strip;

    for (long top; plane < end; plane = top) {
        top = !alone && w->sweep->rises ? zoid_min(plane + ZOID_ABREAST, end) : end;
        for (long y = lo; y < hi; y = strip.hi) {
            strip = strip_at(w, y, hi, fields);
            for (long p = plane; p < top; p++)
                carry(w, p, strip.lo, strip.hi, strip.fields ? all & ~writes : all);
            for (long p = plane; p < top && strip.fields;)
                p += compute(w, p, top, &strip);
        }
    }
}

/* Computes or carries rows [lo, hi) of all planes, upwards. */
static void ascend(struct walk *w, long lo, long hi)
{
    const struct zoid_box *box = &w->sweep->box;

    for (long plane = box->lo[w->chain], top; plane < box->hi[w->chain]; plane = top) {
        bool inside;
        unsigned fields;

        top = box->hi[w->chain];
        fields = zoid_boxes_at(&w->boxes, w->chain, plane, &inside, &top);
        planes_alike(w, plane, top, lo, hi, fields);
    }
}

/* Copies points [lo, hi) of a line of a field from their segments into `line`. */
static void gather(struct walk *w, int field, long lo, long hi, char *line)
{
    const struct zoid_segments *in = &w->sweep->in[w->group[field]];

    while (lo < hi) {
        const char *from = input(w, field, lo);
        long n = zoid_min(hi, in->segment[w->segment[w->group[field]]].hi) - lo;

        memcpy(line, from, (size_t)n * w->size);
        line += (size_t)n * w->size;
        lo += n;
    }
}

/* Copies the fields that the stage reads or carries for the points [lo, hi) of a line into rows of
 * `line`. */
static void gather_all(struct walk *w, const struct zoid_layout *row, long lo, long hi, char *line)
{
    const struct zoid_shape *shape = w->sweep->shape;

    for (int f = 0; f < w->sweep->op->nstate + w->sweep->op->ncoef; f++) {
        long before = 0, after = 0;
        bool used = w->sweep->fields >> f & 1;

        for (int i = 0; i < w->stage->nreads; i++)
            if (w->stage->read[i].field == f) {
                used = true;
                before = zoid_max(before, w->stage->read[i].reach.lo[0]);
                after = zoid_max(after, w->stage->read[i].reach.hi[0]);
            }
        before = zoid_face_open(shape, 0, ZOID_LOW) ? lo - before : zoid_max(lo - before, 0);
        after =
            zoid_face_open(shape, 0, ZOID_HIGH) ? hi + after : zoid_min(hi + after, shape->n[0]);
        if (used)
            gather(w, f, before, after,
                   line + (size_t)(f * row->pitch + before - row->lo[0]) * w->size);
    }
}

/* Computes points [lo, hi) of a line. Its planes are single points, so they are gathered for
 * vectors along the line: `before` has every field, neighbours included, `room` points each. */
static void part_of_line(struct walk *w, long lo, long hi, long room)
{
    _Alignas(ZOID_LINE) char before[LINE_BYTES], after[LINE_BYTES];
    const struct zoid_sweep *s = w->sweep;
    struct zoid_reach reach = zoid_op_reach(s->op, zoid_stage_of(s->op, s->t));
    struct zoid_layout row = *s->layout;
    struct zoid_bundle bundle = {.params = s->params,
                                 .layout = &row,
                                 .n = s->shape->n,
                                 .t = s->t,
                                 .times = 1,
                                 .lo = {lo, 0},
                                 .hi = {hi, 1},
                                 .out = {after},
                                 .out_field = (size_t)room};

    row.lo[0] = lo - reach.lo[0];
    row.hi[0] = row.lo[0] + room;
    row.pitch = room;
    for (int f = 0; f < s->op->nstate + s->op->ncoef; f++)
        bundle.in[f][ZOID_MAX_REACH] = before + (size_t)(f * room) * w->size;
    for (int f = 0; f < s->op->nstate; f++)
        bundle.kept[0][f] = bundle.in[zoid_op_kept(s->op, w->number, f)][ZOID_MAX_REACH];
    gather_all(w, &row, lo, hi, before);
    set_computed(w, &(struct strip){0, 1, w->boxes.fields, true}, &bundle);
    w->bundles[0](&bundle);
    for (int f = 0; f < s->op->nstate; f++)
        if (s->fields >> f & 1)
            memcpy(output(w, lo) + (size_t)f * s->out.field * w->size,
                   (w->stage->writes >> f & 1 ? after : before) +
                       (size_t)(f * room + lo - row.lo[0]) * w->size,
                   (size_t)(hi - lo) * w->size);
}

static void along_line(struct walk *w)
{
    const struct zoid_sweep *s = w->sweep;
    struct zoid_reach reach = zoid_op_reach(s->op, zoid_stage_of(s->op, s->t));
    long lines = LINE_BYTES / ZOID_LINE / (s->op->nstate + s->op->ncoef);
    long room = lines * ZOID_LINE / (long)w->size, n = room - reach.lo[0] - reach.hi[0];

    for (long lo = s->box.lo[0]; lo < s->box.hi[0]; lo += n)
        part_of_line(w, lo, zoid_min(lo + n, s->box.hi[0]), room);
}

static void over_planes(struct walk *w)
{
    const struct zoid_sweep *s = w->sweep;
    struct zoid_reach reach = zoid_op_reach(s->op, zoid_stage_of(s->op, s->t));
    const long planes = reach.lo[w->chain] + reach.hi[w->chain] + 2 * ZOID_ABREAST;
    const long row = planes * s->op->nstate * s->layout->pitch * (long)w->size;
    const long all = w->hi[1] - w->lo[1];
    /* Equal sizes, so that no part has only a few rows. */
    const long parts = s->rises ? 1 : zoid_max(all / zoid_max(BUNDLE_BYTES / row, 1), 1);
    const long rows = zoid_max((all + parts - 1) / parts, 1);

    for (long y = w->lo[1]; y < w->hi[1]; y += rows)
        ascend(w, y, zoid_min(y + rows, w->hi[1]));
}

void zoid_walk(const struct zoid_sweep *sweep, zoid_bundle_pair *stage)
{
    int s = zoid_stage_of(sweep->op, sweep->t);
    struct walk w = {.sweep = sweep,
                     .bundles = stage[s],
                     .stage = &sweep->op->stage[s],
                     .number = s,
                     .groups = zoid_op_groups(sweep->op),
                     .chain = zoid_chain(sweep->shape),
                     .size = zoid_type_size(sweep->layout->type),
                     .boxes = zoid_sweep_boxes(sweep),
                     .hi = {1, 1}};

    for (int g = 0; g <= w.groups.n; g++)
        for (int f = w.groups.first[g]; f < w.groups.first[g + 1]; f++)
            w.group[f] = g;
    for (int a = 0; a < w.chain; a++) {
        w.lo[a] = sweep->box.lo[a];
        w.hi[a] = sweep->box.hi[a];
    }
    w.planes.lo = zoid_face_open(sweep->shape, w.chain, ZOID_LOW) ? LONG_MIN / 2 : 0;
    w.planes.hi =
        zoid_face_open(sweep->shape, w.chain, ZOID_HIGH) ? LONG_MAX / 2 : sweep->shape->n[w.chain];
    if (w.chain == 0)
        along_line(&w);
    else
        over_planes(&w);
}
