/* SPDX-License-Identifier: BSD-3-Clause */
/* Runner of blocks in order by pipelined sweeps in SIMD lanes (skewed.h): as many times at once as
 * a vector has lanes, row of steps by row of steps, upwards.
 *
 *     z + hi   . . . . . .     Planes of steps that a row reads are in a ring, all fields of them.
 *     z        n n n s o o     A step holds the points that its lanes are to compute, and then
 *     z - lo   n n n n n n     those that they have computed.
 *
 * Planes between the times of one pass of lanes and those of the next are in the scratch. */
#include "codelets/cpu/skew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block/lanes.h"
#include "codelets/boxes.h"
#include "codelets/cpu/run.h"
#include "codelets/cpu/skewed.h"
#include "codelets/op/traits.h"

/* Steps by which lanes lag along a row, at the least: loads of a step follow its stores far enough
 * behind. */
enum { LAG = 6 };

static int lanes_of(enum zoid_isa isa, enum zoid_type type)
{
    return isa > ZOID_PORTABLE ? ZOID_SKEW_BYTES / (int)zoid_type_size(type) : 1;
}

/* A block, and the times t + 1 ... t + used that are computed together. */
struct skew {
    const struct zoid_block_args *run;
    zoid_skewed_fn *row;
    int chain, fields, lanes, used;
    unsigned writes;
    size_t size, vector, row_bytes; /* of a value, of a vector, of a row of points */
    struct zoid_reach reach;
    long by[ZOID_AXES]; /* the skew */
    long n[ZOID_AXES];
    /* Of the ring: planes, rows of a plane, vectors of a row; rows and vectors before the first. */
    long planes, rows, pitch, row_pad, pad;
    char *ring, *table, *trash, *zero;
    long t, from, to; /* planes of steps [from, to) */
    struct {
        long lo, hi; /* planes of the block */
        struct zoid_boxes boxes;
    } lane[ZOID_SKEW_LANES];
    /* Planes [lo, hi) of a time in the scratch, `planes` of them a field; base NULL: in the parts.
     */
    struct {
        char *base;
        long lo, hi;
    } before, after;
    long most; /* planes of a half of the scratch */
};

/* ---- locations of rows ----------------------------------------------------------------------- */

static size_t plane_bytes(const struct skew *k)
{
    return zoid_layout_plane_bytes(k->run->layout);
}

static size_t at_row(const struct skew *k, long y)
{
    return (size_t)zoid_layout_at(k->run->layout, 0, k->chain == 2 ? y : 0) * k->size;
}

/* Returns row y of a plane of a field in a part, by one of its views. */
static char *in_part(const struct skew *k, const struct zoid_part *part,
                     const struct zoid_view *view, int field, long t, long plane, long y)
{
    const size_t bytes = zoid_lanes_apart(k->run, part);
    const long slot = (long)field * part->capacity + zoid_view_slot(view, t, plane);

    return (char *)part->base + (size_t)slot * bytes + at_row(k, y);
}

/* Returns row y of a plane of time t, of a state field or of a coefficient; NULL if the block has
 * none. */
static const char *given(const struct skew *k, int field, long t, long plane, long y)
{
    const int state = k->run->op->nstate;
    const struct zoid_part *part;

    if (field < state && k->before.base && t == k->t && plane >= k->before.lo &&
        plane < k->before.hi)
        return k->before.base + (size_t)(field * k->most + plane - k->before.lo) * plane_bytes(k) +
               at_row(k, y);
    if (field < state) {
        part = zoid_lanes_given_in(k->run, t, plane);
        return part ? in_part(k, part, &part->in, field, t, plane, y) : NULL;
    }
    for (size_t i = 0; i < k->run->nparts; i++) {
        part = &k->run->part[i];
        if (part->coefficient && zoid_view_has(&part->in, part->in.t0, plane))
            return in_part(k, part, &part->in, field - state, part->in.t0, plane, y);
    }
    return NULL;
}

static char *step_at(const struct skew *k, int field, long z, long y)
{
    const long plane = ((z % k->planes) + k->planes) % k->planes + field * k->planes;
    const long row = plane * k->rows + (k->chain == 2 ? y + k->row_pad : 0);

    return k->ring + (size_t)(row * k->pitch + k->pad) * k->vector;
}

/* ---- a row of steps -------------------------------------------------------------------------- */

#define EXCHANGE(T)                                                                \
    static void put_##T(zoid_##T *lane, const zoid_##T *row, long n, long stride)  \
    {                                                                              \
        for (long x = 0; x < n; x++)                                               \
            lane[x * stride] = row[x];                                             \
    }                                                                              \
                                                                                   \
    static void take_##T(const zoid_##T *lane, zoid_##T *row, long n, long stride) \
    {                                                                              \
        for (long x = 0; x < n; x++)                                               \
            row[x] = lane[x * stride];                                             \
    }
EXCHANGE(f32)
EXCHANGE(f64)

/* Returns lane l of the steps at which it is at the points of a row. */
static char *lane_of(const struct skew *k, int field, int l, long z, long y)
{
    return step_at(k, field, z, y) + (size_t)(l * k->by[0]) * k->vector + (size_t)l * k->size;
}

/* Puts the first `n` points of a row into a lane. */
static void put(const struct skew *k, int field, int l, long z, long y, const char *row, long n)
{
    char *lane = lane_of(k, field, l, z, y);

    if (k->size == sizeof(zoid_f32))
        put_f32((zoid_f32 *)lane, (const zoid_f32 *)row, n, k->lanes);
    else
        put_f64((zoid_f64 *)lane, (const zoid_f64 *)row, n, k->lanes);
}

static void take(const struct skew *k, int field, int l, long z, long y, char *row)
{
    const char *lane = lane_of(k, field, l, z, y);

    if (k->size == sizeof(zoid_f32))
        take_f32((const zoid_f32 *)lane, (zoid_f32 *)row, k->n[0], k->lanes);
    else
        take_f64((const zoid_f64 *)lane, (zoid_f64 *)row, k->n[0], k->lanes);
}

static long plane_of(const struct skew *k, int l, long z)
{
    return z - l * k->by[k->chain];
}

static long row_of(const struct skew *k, int l, long y)
{
    return k->chain == 2 ? y - l * k->by[1] : 0;
}

static bool in_block(const struct skew *k, int l, long z)
{
    const long plane = plane_of(k, l, z);

    return l < k->used && plane >= k->lane[l].lo && plane < k->lane[l].hi;
}

static bool in_plane(const struct skew *k, int l, long y)
{
    const long row = row_of(k, l, y);

    return row >= 0 && row < (k->chain == 2 ? k->n[1] : 1);
}

/* Puts what lanes do not compute and others read: planes beside the block, at their own times. */
static void begin_row(const struct skew *k, long z, long y)
{
    const int state = k->run->op->nstate;

    for (int l = 0; l < k->used; l++) {
        const long plane = plane_of(k, l, z), row = row_of(k, l, y);

        if (!in_plane(k, l, y))
            continue;
        for (int f = 0; f < k->fields; f++) {
            const char *from = NULL;

            if (f < state && !in_block(k, l, z))
                from = given(k, f, k->t + 1 + l, plane, row);
            else if (f >= state && (z < k->from || l == 0))
                from = given(k, f, k->t, plane, row);
            if (from)
                put(k, f, l, z, y, from, k->n[0]);
        }
    }
}

/* Leaves what parts want, and the next pass. `straight`: the last lane's points are at the first
 * destination. */
static char *destination(const struct skew *k, int field, int l, long z, long y, size_t *i)
{
    const long plane = plane_of(k, l, z), t = k->t + 1 + l;

    for (; *i < k->run->nparts; (*i)++) {
        const struct zoid_part *part = &k->run->part[*i];

        if (part->writes && zoid_view_has(&part->out, t, plane))
            return in_part(k, part, &part->out, field, t, plane, row_of(k, l, y));
    }
    return NULL;
}

static char *straight(const struct skew *k, int field, long z, long y)
{
    const int l = k->used - 1;
    size_t i = 0;
    char *to;

    if (!in_block(k, l, z) || !in_plane(k, l, y))
        return k->trash;
    if (k->after.base)
        return k->after.base +
               (size_t)(field * k->most + plane_of(k, l, z) - k->after.lo) * plane_bytes(k) +
               at_row(k, row_of(k, l, y));
    to = destination(k, field, l, z, y, &i);
    return to ? to : k->trash;
}

static void leave_row(const struct skew *k, long z, long y)
{
    for (int l = 0; l < k->used; l++) {
        if (!in_block(k, l, z) || !in_plane(k, l, y))
            continue;
        for (int f = 0; f < k->run->op->nstate; f++) {
            const char *done = l == k->used - 1 && k->writes >> f & 1 ? straight(k, f, z, y) : NULL;
            char *to;

            if (l == k->used - 1 && !done && (to = straight(k, f, z, y)) != k->trash)
                take(k, f, l, z, y, to);
            for (size_t i = 0; (to = destination(k, f, l, z, y, &i)); i++)
                if (to != done)
                    take(k, f, l, z, y, to);
        }
    }
}

/* Lanes that compute points of field f in a row of steps. */
static unsigned computing(const struct skew *k, int f, long z, long y)
{
    unsigned lanes = 0;

    for (int l = 0; l < k->used; l++) {
        const struct zoid_box *box = &k->lane[l].boxes.of[f];
        const long plane = plane_of(k, l, z), row = row_of(k, l, y);

        if (in_block(k, l, z) && plane >= box->lo[k->chain] && plane < box->hi[k->chain] &&
            (k->chain < 2 || (row >= box->lo[1] && row < box->hi[1])))
            lanes |= 1u << l;
    }
    return lanes;
}

/* Points of a row that lanes compute of field f: the same of all. */
static struct zoid_range columns(const struct skew *k, int f)
{
    struct zoid_range x = {0, 0};

    for (int l = 0; l < k->used; l++) {
        const struct zoid_box *box = &k->lane[l].boxes.of[f];

        if (box->lo[0] < box->hi[0])
            x = (struct zoid_range){box->lo[0], box->hi[0]};
    }
    return x;
}

static void run_row(const struct skew *k, long z, long y)
{
    const long above = z + k->by[k->chain], next = y + k->by[1];
    const long last = (k->used - 1) * k->by[0], p = plane_of(k, 0, z);
    struct zoid_skewed_row row = {.params = k->run->params,
                                  .domain = k->run->shape->n,
                                  .table = k->table,
                                  .count = k->n[0] + last,
                                  .lag = k->by[0],
                                  .pitch = k->pitch,
                                  .n = k->n[0],
                                  .last = k->used - 1,
                                  .whole = {last, k->n[0] - k->by[0]},
                                  .odd = (p + (k->chain == 2 ? y : 0)) & 1,
                                  .alternate = (k->by[0] + k->by[1] + k->by[2]) & 1};

    for (int f = 0; f < k->fields; f++) {
        const char *first = in_plane(k, 0, next) ? given(k, f, k->t, above, next) : NULL;

        for (long i = -k->reach.lo[k->chain]; i <= k->reach.hi[k->chain]; i++)
            row.step[f][ZOID_SKEW_REACH + i] = step_at(k, f, z + i, y);
        row.next[f] = step_at(k, f, above, next);
        row.given[f] = first ? first : k->zero;
        if (!(k->writes >> f & 1))
            continue;
        row.out[f] = straight(k, f, z, y);
        row.lanes[f] = computing(k, f, z, y);
        row.x[f] = columns(k, f);
        row.whole.lo = zoid_max(row.whole.lo, row.x[f].lo + last);
        row.whole.hi = zoid_min(row.whole.hi, row.x[f].hi);
    }
    row.whole.lo = zoid_min(row.whole.lo, row.count);
    row.whole.hi = zoid_max(row.whole.hi, row.whole.lo);
    k->row(&row);
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Puts lane 0's points that no step is handed on with: the first ones of rows, or first rows. */
static void begin_plane(const struct skew *k, long z)
{
    const long above = z + k->by[k->chain];

    for (int f = 0; f < k->fields; f++)
        for (long y = 0; y < (k->chain == 2 ? zoid_min(k->by[1], k->n[1]) : 1); y++) {
            const char *from = given(k, f, k->t, above, y);

            if (from)
                put(k, f, 0, above, y, from, k->chain == 2 ? k->n[0] : zoid_min(k->by[0], k->n[0]));
        }
}

static void run_plane(const struct skew *k, long z)
{
    const long rows = k->chain == 2 ? k->n[1] + (k->used - 1) * k->by[1] : 1;
    const bool steps = z >= k->from || k->by[k->chain] > 0;

    if (steps)
        begin_plane(k, z);
    for (long y = 0; y < rows; y++) {
        begin_row(k, z, y);
        if (steps)
            run_row(k, z, y);
        leave_row(k, z, y);
    }
}

static void put_tables(const struct skew *k)
{
    for (int l = 0; l < k->lanes; l++) {
        const double *row = zoid_table_row(k->run->params, k->t + 1 + zoid_min(l, k->used - 1));

        for (int i = 0; i < k->run->op->ntables; i++)
            if (k->size == sizeof(zoid_f32))
                ((zoid_f32 *)k->table)[i * k->lanes + l] = (zoid_f32)row[i];
            else
                ((zoid_f64 *)k->table)[i * k->lanes + l] = row[i];
    }
}

/* Computes times t + 1 ... t + used. */
static void some_times(struct skew *k, long t)
{
    const long by = k->by[k->chain];
    bool any = false;

    k->t = t;
    k->used = (int)zoid_min(k->lanes, k->run->zoid.t1 - t);
    for (int l = 0; l < k->used; l++) {
        const struct zoid_box box = zoid_clipped_at(&k->run->zoid, &k->run->region, t + 1 + l);
        const long lo = box.lo[k->chain], hi = zoid_max(box.hi[k->chain], lo);

        k->lane[l].lo = lo;
        k->lane[l].hi = hi;
        k->lane[l].boxes = zoid_boxes_of(k->run->op, 0, k->run->shape, &box);
        if (lo == hi)
            continue;
        k->from = any ? zoid_min(k->from, lo + l * by) : lo + l * by;
        k->to = any ? zoid_max(k->to, hi + l * by) : hi + l * by;
        any = true;
    }
    if (!any)
        return;
    put_tables(k);
    for (long z = k->from - zoid_max(k->reach.lo[k->chain], by); z < k->to; z++)
        run_plane(k, z);
}

/* Copies the planes of the first time that parts want. */
static void leave_first(const struct skew *k)
{
    const long t = k->run->zoid.t0, rows = k->chain == 2 ? k->n[1] : 1;

    for (size_t i = 0; i < k->run->nparts; i++) {
        const struct zoid_part *part = &k->run->part[i];
        const struct zoid_view *out = &part->out;

        for (long z = zoid_max(out->lo, 0); part->writes && out->t0 <= t && z < out->hi; z++)
            for (int f = 0; f < k->run->op->nstate; f++)
                for (long y = 0; y < rows; y++) {
                    const char *from = given(k, f, t, z, y);

                    if (from)
                        memcpy(in_part(k, part, out, f, t, z, y), from, k->row_bytes);
                }
    }
}

static void all_times(struct skew *k)
{
    const long t0 = k->run->zoid.t0, t1 = k->run->zoid.t1;
    char *half[2] = {k->run->scratch, (char *)k->run->scratch +
                                          (size_t)(k->run->op->nstate * k->most) * plane_bytes(k)};

    k->t = t0;
    leave_first(k);
    for (long t = t0; t < t1; t += k->lanes) {
        const long end = t + k->lanes;
        char *swap = half[0];

        k->after.base = NULL;
        if (end < t1) {
            const struct zoid_box box = zoid_clipped_at(&k->run->zoid, &k->run->region, end);

            k->after.base = half[0];
            k->after.lo = box.lo[k->chain];
            k->after.hi = zoid_max(box.hi[k->chain], box.lo[k->chain]);
        }
        some_times(k, t);
        k->before.base = k->after.base;
        k->before.lo = k->after.lo;
        k->before.hi = k->after.hi;
        half[0] = half[1];
        half[1] = swap;
    }
}

/* Returns the most planes of any time. */
static long most_planes(const struct skew *k)
{
    long planes = 0;

    for (long t = k->run->zoid.t0; t <= k->run->zoid.t1; t++) {
        const struct zoid_box box = zoid_clipped_at(&k->run->zoid, &k->run->region, t);

        planes = zoid_max(planes, box.hi[k->chain] - box.lo[k->chain]);
    }
    return planes;
}

/* Steps that come later are read before they are handed on: in 3-D from the row of steps before. */
static void set_skew(const struct zoid_op *op, long by[ZOID_AXES])
{
    const struct zoid_reach reach = zoid_op_reach(op, 0);
    const int chain = op->dims - 1;

    by[0] = chain == 2 ? 0 : zoid_max(reach.hi[0] + 1, LAG);
    by[1] = chain == 2 ? reach.hi[1] + 1 : 0;
    by[2] = 0;
    by[chain] = reach.hi[chain];
}

static size_t whole_lines(size_t bytes)
{
    return (bytes + ZOID_LINE - 1) / ZOID_LINE * ZOID_LINE;
}

static void run_skewed(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    const struct zoid_op *op = run->op;
    const int chain = op->dims - 1, lanes = lanes_of(cpu->isa, op->type);
    const size_t size = zoid_type_size(op->type);
    struct skew k = {.run = run,
                     .row = op->skewed[cpu->isa],
                     .chain = chain,
                     .fields = op->nstate + op->ncoef,
                     .lanes = lanes,
                     .writes = op->stage[0].writes,
                     .size = size,
                     .vector = (size_t)lanes * size,
                     .row_bytes = (size_t)run->shape->n[0] * size,
                     .reach = zoid_op_reach(op, 0)};
    size_t ring, table, row;

    memcpy(k.n, run->shape->n, sizeof k.n);
    set_skew(op, k.by);
    k.planes = k.reach.lo[chain] + k.reach.hi[chain] + 1;
    k.row_pad = chain == 2 ? zoid_max(zoid_max(k.reach.lo[1], k.reach.hi[1]), k.by[1]) : 0;
    k.rows = chain == 2 ? k.n[1] + (lanes - 1) * k.by[1] + 2 * k.row_pad : 1;
    k.pad = zoid_max(k.reach.lo[0], 2);
    k.pitch = k.n[0] + lanes * k.by[0] + k.pad + k.reach.hi[0] + 2;
    k.most = most_planes(&k);
    ring = whole_lines((size_t)(k.fields * k.planes * k.rows * k.pitch) * k.vector);
    table = whole_lines((size_t)op->ntables * k.vector);
    row = whole_lines(k.row_bytes) + ZOID_LINE;
    k.ring = aligned_alloc(ZOID_LINE, ring + table + 2 * row);
    if (!k.ring) {
        zoid_cpu_runners[0]->run(run, cpu);
        return;
    }
    k.table = k.ring + ring;
    k.trash = k.table + table;
    k.zero = k.trash + row;
    memset(k.ring, 0, ring + table + 2 * row);
    all_times(&k);
    free(k.ring);
}

/* ---- predictions for the planner ------------------------------------------------------------- */

int zoid_skewed_lanes(const struct zoid_op *op)
{
    const enum zoid_isa isa = zoid_isa_best();
    const bool fits = op->skewed[isa] && op->by_words && op->nstages == 1 &&
                      op->stage[0].order == ZOID_ASCENDING && op->dims > 1 && !op->sources &&
                      zoid_op_plain(op) && !op->runner;

    return fits ? lanes_of(isa, op->type) : 1;
}

static bool skewed_fits(const struct zoid_blocks *blocks)
{
    const struct zoid_op *op = blocks->op;
    const struct zoid_reach reach = zoid_op_reach(op, 0);
    long lo, hi;

    if (blocks->traversal != ZOID_TRAVERSAL_BEST || zoid_skewed_lanes(op) < 2)
        return false;
    for (int a = 0; a < ZOID_AXES; a++)
        if (reach.lo[a] > ZOID_SKEW_REACH || reach.hi[a] > ZOID_SKEW_REACH)
            return false;
    zoid_chain_reach(blocks->shape, &lo, &hi);
    return hi == reach.hi[op->dims - 1];
}

/* A step takes about as long as a point in sweeps, whose chain of operations is the same, and comes
 * from as far as the ring does and goes back. */
static double skewed_seconds(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    const struct zoid_op *op = blocks->op;
    const int chain = op->dims - 1;
    const struct zoid_reach reach = zoid_op_reach(op, 0);
    const double points = (double)blocks->layout->plane, fields = op->nstate + op->ncoef;
    const double lanes = zoid_skewed_lanes(op), times = fmax(blocks->times, 1);
    const double planes = (double)(reach.lo[chain] + reach.hi[chain] + 1);
    const double step = fields * ZOID_SKEW_BYTES, ring = step * planes * points;
    long by[ZOID_AXES];
    double ramps;

    set_skew(op, by);
    ramps = (lanes - 1) * (double)by[chain - 1] / (double)blocks->shape->n[chain - 1] +
            lanes * (double)by[chain] / fmax(blocks->planes, 1);
    return (pace->update + 2 * step * pace->cost(pace->rates, ring)) * points * (1 + ramps) *
           ceil(times / lanes) / times;
}

static bool skewed_spares(const struct zoid_blocks *blocks)
{
    return blocks->times <= zoid_skewed_lanes(blocks->op);
}

const struct zoid_block_runner zoid_cpu_skewed = {.name = "skewed lanes",
                                                  .fits = skewed_fits,
                                                  .seconds = skewed_seconds,
                                                  .spares = skewed_spares,
                                                  .run = run_skewed};
