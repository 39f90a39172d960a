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
#include "codelets/cpu/run.h"
#include "codelets/cpu/skew_block.h"
#include "codelets/op/traits.h"

/* Steps by which lanes lag along a row, at the least: loads of a step follow its stores far enough
 * behind. */
enum { LAG = 6 };

static int lanes_of(enum zoid_isa isa, enum zoid_type type)
{
    return isa > ZOID_PORTABLE ? ZOID_SKEW_BYTES / (int)zoid_type_size(type) : 1;
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Puts lane 0's points that no step is handed on with: the first ones of rows, or first rows. */
static void begin_plane(const struct zoid_skew *k, long z)
{
    const long above = z + k->by[k->chain];

    for (int f = 0; f < k->fields; f++)
        for (long y = 0; y < (k->chain == 2 ? zoid_min(k->by[1], k->n[1]) : 1); y++) {
            const char *from = zoid_skew_given(k, f, k->t, above, y);

            if (from)
                zoid_skew_put(k, f, 0, above, y, from,
                              k->chain == 2 ? k->n[0] : zoid_min(k->by[0], k->n[0]));
        }
}

static void run_plane(struct zoid_skew *k, long z)
{
    const long rows = k->chain == 2 ? k->n[1] + (k->used - 1) * k->by[1] : 1;
    const bool steps = z >= k->from || k->by[k->chain] > 0;

    k->received = zoid_skew_received(k, z);
    if (steps)
        begin_plane(k, z);
    for (long y = 0; y < rows; y++) {
        zoid_skew_begin_row(k, z, y);
        if (steps)
            zoid_skew_run_row(k, z, y);
        zoid_skew_leave_row(k, z, y);
    }
}

static void put_tables(const struct zoid_skew *k)
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

static void set_columns(struct zoid_skew *k, int l)
{
    for (int f = 0; f < k->fields; f++) {
        const struct zoid_box *box = &k->lane[l].boxes.of[f];

        if (box->lo[0] < box->hi[0])
            k->x[f] = (struct zoid_range){box->lo[0], box->hi[0]};
    }
}

/* Computes times t + 1 ... t + used. */
static void some_times(struct zoid_skew *k, long t)
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
        set_columns(k, l);
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

static void all_times(struct zoid_skew *k)
{
    const long t0 = k->run->zoid.t0, t1 = k->run->zoid.t1;
    char *half[2] = {k->run->scratch,
                     (char *)k->run->scratch +
                         (size_t)(k->run->op->nstate * k->most) * zoid_skew_plane_bytes(k)};

    zoid_lanes_leave_first(k->run);
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

/* Sets the offsets from a lane to the next one: neighbours that come later are handed on before
 * they are read, in 3-D with the row of steps before. */
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
    struct zoid_skew k = {.run = run,
                          .row = op->skewed[cpu->isa],
                          .chain = chain,
                          .fields = op->nstate + op->ncoef,
                          .lanes = lanes,
                          .writes = op->stage[0].writes,
                          .size = size,
                          .vector = (size_t)lanes * size,
                          .reach = zoid_op_reach(op, 0)};
    size_t ring, table, row;

    memcpy(k.n, run->shape->n, sizeof k.n);
    set_skew(op, k.by);
    k.planes = k.reach.lo[chain] + k.reach.hi[chain] + 1;
    k.row_pad = chain == 2 ? zoid_max(zoid_max(k.reach.lo[1], k.reach.hi[1]), k.by[1]) : 0;
    k.rows = chain == 2 ? k.n[1] + (lanes - 1) * k.by[1] + 2 * k.row_pad : 1;
    k.pad = zoid_max(k.reach.lo[0], 2);
    k.pitch = k.n[0] + lanes * k.by[0] + k.pad + k.reach.hi[0] + 2;
    k.most = zoid_lanes_most_planes(run);
    ring = whole_lines((size_t)(k.fields * k.planes * k.rows * k.pitch) * k.vector);
    table = whole_lines((size_t)op->ntables * k.vector);
    row = whole_lines((size_t)k.n[0] * size) + ZOID_LINE;
    k.ring = aligned_alloc(ZOID_LINE, ring + table + 2 * row);
    if (!k.ring) {
        zoid_cpu_sweeps.run(run, cpu);
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
