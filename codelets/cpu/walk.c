/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cpu/walk.h"

#include <assert.h>
#include <string.h>

/* Bytes that a strip and what it reads may take: half of a second-level cache; and that the part
 * of a line may take which is worked on at once. */
enum { STRIP_BYTES = 512 * 1024, LINE_BYTES = 32 * 1024 };

/* A sweep, and what follows from it for all its strips. */
struct walk {
    const struct zoid_sweep *sweep;
    zoid_strip_fn *const *strips;
    struct zoid_reach reach;
    unsigned writes;
    int chain;
    size_t size;
    struct zoid_box inner; /* the points that are computed, not carried */
    long lo[2], hi[2];     /* x and y of the box */
    size_t piece;          /* where the last plane was found */
};

static long min(long a, long b)
{
    return a < b ? a : b;
}

static long max(long a, long b)
{
    return a > b ? a : b;
}

static const char *input(struct walk *w, long plane, size_t *field)
{
    const struct zoid_sweep *s = w->sweep;
    const struct zoid_piece *piece = &s->in[w->piece];

    for (size_t tried = 1; plane < piece->lo || plane >= piece->hi; tried++) {
        assert(tried < s->npieces);
        w->piece = (w->piece + 1) % s->npieces;
        piece = &s->in[w->piece];
    }
    *field = piece->field;
    return (const char *)piece->base + (plane - piece->lo) * s->layout->plane * (long)w->size;
}

static char *output(const struct walk *w, long plane)
{
    const struct zoid_piece *out = &w->sweep->out;

    return (char *)out->base + (plane - out->lo) * w->sweep->layout->plane * (long)w->size;
}

/* Copies rows [lo, hi) of some fields of a plane. */
static void carry(struct walk *w, long plane, long lo, long hi, unsigned fields)
{
    const struct zoid_layout *layout = w->sweep->layout;
    size_t in_field, row = (size_t)max(w->hi[0] - w->lo[0], 0) * w->size;
    const char *in = input(w, plane, &in_field);
    char *out = output(w, plane);

    for (int f = 0; f < w->sweep->op->nstate; f++)
        for (long y = lo; y < hi && fields >> f & 1; y++) {
            long at = zoid_layout_at(layout, w->lo[0], y);

            memcpy(out + ((size_t)f * w->sweep->out.field + (size_t)at) * w->size,
                   in + ((size_t)f * in_field + (size_t)at) * w->size, row);
        }
}

static void compute(struct walk *w, long plane, int abreast, long lo, long hi)
{
    const struct zoid_sweep *s = w->sweep;
    struct zoid_strip strip = {
        .params = s->params,
        .layout = s->layout,
        .n = s->shape->n,
        .t = s->t,
        .plane = plane,
        .lo = {w->lo[0], lo},
        .hi = {w->hi[0], hi},
        .inner_lo = w->inner.lo[0],
        .inner_hi = w->inner.hi[0],
        .out_field = s->out.field,
    };

    for (long i = -w->reach.lo[w->chain]; i < w->reach.hi[w->chain] + abreast; i++)
        strip.in[ZOID_MAX_REACH + i] = input(w, plane + i, &strip.in_field[ZOID_MAX_REACH + i]);
    for (int i = 0; i < abreast; i++)
        strip.out[i] = output(w, plane + i);
    w->strips[abreast > 1](&strip);
}

/* Rows [lo, hi) of one or more planes that have inner points. */
static void mixed(struct walk *w, long plane, int abreast, long lo, long hi)
{
    unsigned all = (1u << w->sweep->op->nstate) - 1;
    long from = lo, to = hi;

    if (w->chain == 2) {
        from = min(max(lo, w->inner.lo[1]), hi);
        to = max(min(hi, w->inner.hi[1]), from);
    }
    for (int i = 0; i < abreast; i++) {
        carry(w, plane + i, lo, from, all);
        carry(w, plane + i, from, to, all & ~w->writes);
        carry(w, plane + i, to, hi, all);
    }
    if (from < to)
        compute(w, plane, abreast, from, to);
}

/* Rows [lo, hi) of all planes, upwards. */
static void ascend(struct walk *w, long lo, long hi)
{
    const struct zoid_box *box = &w->sweep->box;
    long inner_lo = w->inner.lo[w->chain], inner_hi = w->inner.hi[w->chain];
    unsigned all = (1u << w->sweep->op->nstate) - 1;

    for (long plane = box->lo[w->chain]; plane < box->hi[w->chain];)
        if (plane < inner_lo || plane >= inner_hi) {
            carry(w, plane++, lo, hi, all);
        } else {
            int abreast = plane + ZOID_ABREAST <= inner_hi ? ZOID_ABREAST : 1;

            mixed(w, plane, abreast, lo, hi);
            plane += abreast;
        }
}

/* The points of the box that the stage computes; none where the domain is smaller than the reach. */
static struct zoid_box inner(const struct zoid_sweep *s, const struct zoid_reach *reach)
{
    struct zoid_box box;

    for (int a = 0; a < ZOID_AXES; a++) {
        box.lo[a] = min(max(s->box.lo[a], reach->lo[a]), s->box.hi[a]);
        box.hi[a] = max(min(s->box.hi[a], s->shape->n[a] - reach->hi[a]), box.lo[a]);
    }
    for (int a = 0; a < ZOID_AXES; a++)
        if (box.lo[a] >= box.hi[a])
            return (struct zoid_box){.lo = {0}};
    return box;
}

/* Points [lo, hi) of a line, one array a field; into `line` from wherever they are. */
static void gather(struct walk *w, long lo, long hi, char *line, size_t field)
{
    while (lo < hi) {
        size_t in_field;
        const char *in = input(w, lo, &in_field);
        long n = min(hi, w->sweep->in[w->piece].hi) - lo;

        for (int f = 0; f < w->sweep->op->nstate; f++)
            memcpy(line + (size_t)f * field * w->size, in + (size_t)f * in_field * w->size,
                   (size_t)n * w->size);
        line += (size_t)n * w->size;
        lo += n;
    }
}

/* Points [lo, hi) of a line, of which `field` fit. Its planes are single points, so it is gathered
 * for vectors to lie along it. */
static void part_of_line(struct walk *w, long lo, long hi, long field)
{
    _Alignas(ZOID_LINE) char before[LINE_BYTES], after[LINE_BYTES];
    const struct zoid_sweep *s = w->sweep;
    long from = max(lo - w->reach.lo[0], 0), to = min(hi + w->reach.hi[0], s->shape->n[0]);
    struct zoid_layout row = *s->layout;
    struct zoid_strip strip = {.params = s->params,
                               .layout = &row,
                               .n = s->shape->n,
                               .t = s->t,
                               .lo = {lo, 0},
                               .hi = {hi, 1},
                               .inner_lo = max(w->inner.lo[0], lo),
                               .inner_hi = min(w->inner.hi[0], hi),
                               .in = {[ZOID_MAX_REACH] = before},
                               .in_field = {[ZOID_MAX_REACH] = (size_t)field},
                               .out = {after},
                               .out_field = (size_t)field};

    row.lo[0] = from;
    row.hi[0] = to;
    row.pitch = field;
    gather(w, from, to, before, (size_t)field);
    w->strips[0](&strip);
    for (int f = 0; f < s->op->nstate; f++)
        memcpy(output(w, lo) + (size_t)f * s->out.field * w->size,
               (w->writes >> f & 1 ? after : before) + (size_t)(f * field + lo - from) * w->size,
               (size_t)(hi - lo) * w->size);
}

static void along_line(struct walk *w)
{
    const struct zoid_box *box = &w->sweep->box;
    long lines = LINE_BYTES / ZOID_LINE / w->sweep->op->nstate;
    long field = lines * ZOID_LINE / (long)w->size;
    long n = field - w->reach.lo[0] - w->reach.hi[0];

    for (long lo = box->lo[0]; lo < box->hi[0]; lo += n)
        part_of_line(w, lo, min(lo + n, box->hi[0]), field);
}

static void over_planes(struct walk *w)
{
    const struct zoid_sweep *s = w->sweep;
    long planes = w->reach.lo[w->chain] + w->reach.hi[w->chain] + 2 * ZOID_ABREAST, rows;

    rows = STRIP_BYTES / (planes * s->op->nstate * s->layout->pitch * (long)w->size);
    rows = max(rows, 1);
    for (long y = w->lo[1]; y < w->hi[1]; y += rows)
        ascend(w, y, min(y + rows, w->hi[1]));
}

void zoid_walk(const struct zoid_sweep *sweep, zoid_strips *stage)
{
    int s = (int)((sweep->t - 1) % sweep->shape->stages);
    struct walk w = {.sweep = sweep,
                     .strips = stage[s],
                     .reach = sweep->shape->reach[s],
                     .writes = sweep->op->stage[s].writes,
                     .chain = zoid_chain(sweep->shape),
                     .size = zoid_type_size(sweep->layout->type),
                     .hi = {1, 1}};

    w.inner = inner(sweep, &w.reach);
    for (int a = 0; a < w.chain; a++) {
        w.lo[a] = sweep->box.lo[a];
        w.hi[a] = sweep->box.hi[a];
    }
    if (w.chain == 0)
        along_line(&w);
    else
        over_planes(&w);
}
