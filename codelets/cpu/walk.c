/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cpu/walk.h"

#include <assert.h>
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
    struct zoid_box inner;               /* points that are computed, not carried */
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

/* Sets bundle.in of a field for the planes [from, to), counted from the bundle's, and limits
 * bundle.times to the segments that contain them. */
static void point_to(struct walk *w, struct zoid_bundle *bundle, int abreast, int field, long from,
                     long to)
{
    const struct zoid_segments *in = &w->sweep->in[w->group[field]];
    size_t bytes = (size_t)w->sweep->layout->plane * w->size;

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

/* Computes rows [lo, hi) of planes from `plane` on, up to `end`; returns the number of planes. */
static long compute(struct walk *w, long plane, long end, long lo, long hi)
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
    bundle.lo[1] = lo;
    bundle.hi[0] = w->hi[0];
    bundle.hi[1] = hi;
    bundle.inner_lo = w->inner.lo[0];
    bundle.inner_hi = w->inner.hi[0];
    bundle.out_field = s->out.field;
    point_to_inputs(w, &bundle, abreast);
    for (int i = 0; i < abreast; i++)
        bundle.out[i] = output(w, plane + i);
    w->bundles[abreast > 1](&bundle);
    return bundle.times * abreast;
}

/* Computes or carries rows [lo, hi) of the planes that have inner points. */
static void mixed(struct walk *w, long lo, long hi)
{
    unsigned all = w->sweep->fields;
    long plane = w->inner.lo[w->chain], end = w->inner.hi[w->chain], from = lo, to = hi;
    bool carried;

    if (w->chain == 2) {
        from = zoid_min(zoid_max(lo, w->inner.lo[1]), hi);
        to = zoid_max(zoid_min(hi, w->inner.hi[1]), from);
    }
    carried = from > lo || to < hi || all & ~w->stage->writes;
    for (long top; plane < end; plane = top) {
        top = carried && w->sweep->rises ? zoid_min(plane + ZOID_ABREAST, end) : end;
        for (long p = plane; p < top; p++) {
            carry(w, p, lo, from, all);
            carry(w, p, from, to, all & ~w->stage->writes);
            carry(w, p, to, hi, all);
        }
        while (from < to && plane < top)
            plane += compute(w, plane, top, from, to);
    }
}

/* Computes or carries rows [lo, hi) of all planes, upwards. */
static void ascend(struct walk *w, long lo, long hi)
{
    const struct zoid_box *box = &w->sweep->box;
    long inner_lo = w->inner.lo[w->chain], inner_hi = w->inner.hi[w->chain];

    if (inner_lo >= inner_hi)
        inner_lo = inner_hi = box->hi[w->chain];
    for (long plane = box->lo[w->chain]; plane < inner_lo; plane++)
        carry(w, plane, lo, hi, w->sweep->fields);
    mixed(w, lo, hi);
    for (long plane = inner_hi; plane < box->hi[w->chain]; plane++)
        carry(w, plane, lo, hi, w->sweep->fields);
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
                                 .inner_lo = zoid_max(w->inner.lo[0], lo),
                                 .inner_hi = zoid_min(w->inner.hi[0], hi),
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
                     .inner = zoid_sweep_inner(sweep),
                     .hi = {1, 1}};

    for (int g = 0; g <= w.groups.n; g++)
        for (int f = w.groups.first[g]; f < w.groups.first[g + 1]; f++)
            w.group[f] = g;
    for (int a = 0; a < w.chain; a++) {
        w.lo[a] = sweep->box.lo[a];
        w.hi[a] = sweep->box.hi[a];
    }
    if (w.chain == 0)
        along_line(&w);
    else
        over_planes(&w);
}
