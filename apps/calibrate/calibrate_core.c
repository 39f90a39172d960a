/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of operators on cores. Three blocks of every operator are run, as tasks run them: one that
 * goes through memory sweep by sweep, the same tile by tile, and one whose tiles do not fit the
 * core's own cache, which goes as times that march, too. Rates are worked out anew in each round,
 * from the medians of all so far. */
#include <math.h>

#include "apps/calibrate/rounds.h"
#include "codelets/device.h"
#include "codelets/tile.h"
#include "runtime/machine/core.h"
#include "runtime/plan/estimate.h"

/* A block that a core runs again and again. */
struct block {
    struct zoid_rounds *rounds;
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_layout layout;
    long planes, steps;
    bool tiles, march;
};

static size_t share(const struct block *b, size_t fields)
{
    size_t bytes = fields * (size_t)b->planes * zoid_layout_plane_bytes(&b->layout);

    return (bytes + ZOID_LINE - 1) / ZOID_LINE * ZOID_LINE;
}

static size_t block_bytes(const struct block *b)
{
    const size_t state = (size_t)b->op->nstate;
    long scratch = zoid_scratch_planes(&b->shape, b->planes, zoid_cpu_batch(&b->shape));

    return 2 * share(b, state) + share(b, (size_t)b->op->ncoef) +
           state * (size_t)scratch * zoid_layout_plane_bytes(&b->layout);
}

static void run_block(void *arg, int member)
{
    const struct block *b = arg;
    const long t1 = b->steps * b->op->step;
    const struct zoid_view all = {.hi = b->planes};
    const struct zoid zoid = zoid_domain(&b->shape, 0, t1);
    const size_t state = share(b, (size_t)b->op->nstate);
    struct zoid_cpu core = zoid_machine_core(b->rounds->machine);
    char *at = b->rounds->memory[member];
    struct zoid_part part[] = {
        {.reads = true, .in = all, .base = at, .capacity = b->planes},
        {.writes = true, .out = all, .base = at + state, .capacity = b->planes},
        {.reads = true,
         .coefficient = true,
         .in = all,
         .base = at + 2 * state,
         .capacity = b->planes}};
    const struct zoid_run run = {.op = b->op,
                                 .params = (const struct zoid_params[]){zoid_op_defaults(b->op)},
                                 .shape = &b->shape,
                                 .layout = &b->layout,
                                 .zoid = zoid,
                                 .region = zoid,
                                 .nparts = b->op->ncoef ? 3 : 2,
                                 .part = part,
                                 .scratch = b->rounds->scratch[member],
                                 .runner = b->march ? &zoid_cpu_march : NULL};

    part[1].out.t0 = part[1].out.t1 = part[2].in.t1 = t1;
    core.cache = b->tiles ? core.cache : 0;
    for (long i = 0; i < b->rounds->timing[member].times; i++)
        zoid_cpu_run(&run, &core);
}

/* The outermost layers along an axis, which are carried. */
static long carried(const struct block *b, int axis)
{
    const struct zoid_reach *reach = &b->shape.reach[0];

    return b->op->own_edges ? 0 : reach->lo[axis] + reach->hi[axis];
}

/* Points that a step computes. */
static double inner_points(const struct block *b)
{
    double points = 1;

    for (int a = 0; a < b->op->dims; a++)
        points *= (double)(b->shape.n[a] - carried(b, a));
    return points;
}

/* Seconds a step for planes that are carried: from memory, where their neighbours in it are not, or
 * from the core's own cache, where tiles have them. */
static double carrying(const struct block *b, const struct zoid_rates *r)
{
    const double bytes = (double)share(b, (size_t)b->op->nstate) / (double)b->planes;
    const size_t home = b->tiles ? zoid_rounds_cache(b->rounds->machine) : block_bytes(b);

    return 2 * bytes * (double)carried(b, b->op->dims - 1) * zoid_rates_cost(r, (double)home);
}

enum kind { NEAR, FLAT, TALL }; /* in the core's own cache; in memory; the same with more planes */

/* Rows of a plane, of which tiles that lean by a large radius leave some that are whole. */
enum { ENOUGH = 160 };
/* Points of a plane that is a row. */
enum { USUAL = 4096 };

static double excess(const struct block *b)
{
    return zoid_estimate_excess(b->rounds->machine, b->op, &b->shape, &b->layout,
                                (double)b->planes);
}

/* The domain is laid out. */
static void lay_out(struct block *b, const long n[ZOID_AXES])
{
    b->shape = zoid_op_shape(b->op, n);
    b->layout = zoid_layout_make(b->op, n, zoid_layout_ghost(&b->shape));
    b->planes = n[b->op->dims - 1];
}

/* A domain of about so many bytes. Its rows are long enough to be like others, tiles of a flat one
 * fit if they can, and it has so many planes beside the outermost ones, which are carried. */
static struct block block_of(struct zoid_rounds *c, const struct zoid_op *op, enum kind kind)
{
    const size_t bytes = kind == NEAR ? zoid_rounds_cache(c->machine) / 2 : ZOID_FAR;
    const double values = (double)(bytes / zoid_type_size(op->type)) / (4 * op->nstate + op->ncoef);
    const long planes[] = {[NEAR] = 8, [FLAT] = 32, [TALL] = 128};
    const long beside = 2 * op->radius, least = beside + 4, shortest = 128;
    struct block b = {.rounds = c, .op = op};
    long n[ZOID_AXES] = {1, 1, 1};

    if (op->dims == 3) {
        n[2] = planes[kind] + beside;
        n[0] = 512;
        while (n[0] > shortest && values < (double)(n[0] * ENOUGH * n[2]))
            n[0] /= 2;
        n[1] = (long)(values / (double)n[0] / (double)n[2]);
    } else if (op->dims == 2) {
        n[1] = (kind == NEAR ? 4 : 2 * planes[kind]) + beside;
        n[0] = (long)(values / (double)n[1]);
        /* Planes of one row: what each takes to start counts, where it is short. */
        n[0] = n[0] < USUAL ? USUAL : n[0];
    } else {
        n[0] = (long)values;
    }
    for (int a = 0; a < op->dims; a++)
        n[a] = n[a] < least ? least : n[a];
    lay_out(&b, n);
    while (kind == FLAT && op->dims == 3 && n[0] > shortest && excess(&b) > 0) {
        n[0] /= 2;
        n[1] *= 2;
        lay_out(&b, n);
    }
    return b;
}

/* Numbers that are differences stay above zero. */
static double above(double value, double scale)
{
    return fmax(value, 0.01 * scale);
}

/* Seconds a point and step. */
static enum zoid_status rate(struct block *b, const struct zoid_rates *r, long steps, bool tiles,
                             double *seconds)
{
    enum zoid_status status;

    b->steps = steps;
    b->tiles = tiles;
    if (block_bytes(b) > b->rounds->room)
        return zoid_fail(ZOID_RESOURCE, "%s does not fit its own measurement", b->op->name);
    status = zoid_rounds_sample(b->rounds, b->rounds->n, run_block, b, seconds);
    *seconds /= (double)steps;
    *seconds = above(*seconds - carrying(b, r), *seconds) / inner_points(b);
    return status;
}

/* What every step takes, and what a block takes once: from blocks of few and of many steps, about
 * as many as visits make. */
static enum zoid_status two_depths(struct block *b, const struct zoid_rates *r, double *step,
                                   double *once)
{
    const long few = 4, many = b->op->dims == 3 ? 16 : 64;
    double shallow = 0, deep = 0;
    enum zoid_status status = rate(b, r, few, true, &shallow);

    if (!status)
        status = rate(b, r, many, true, &deep);
    *once = above((shallow - deep) * (double)(few * many) / (double)(many - few), deep);
    *step = above(deep - *once / (double)many, deep);
    return status;
}

static enum zoid_status tile_rates(struct zoid_rounds *c, const struct zoid_op *op,
                                   const struct zoid_rates *r, struct zoid_op_rates *known)
{
    enum { TALL_STEPS = 12 };
    struct block flat = block_of(c, op, FLAT), tall = block_of(c, op, TALL);
    double seconds = 0, beyond;
    enum zoid_status status = two_depths(&flat, r, &known->tiled, &known->visit);

    if (!status)
        status = rate(&tall, r, TALL_STEPS, true, &seconds);
    tall.march = true;
    if (!status)
        status = rate(&tall, r, TALL_STEPS, true, &known->marched);
    known->marched = above(known->marched - known->visit / TALL_STEPS, known->tiled);
    known->exceeding = above(seconds - known->visit / TALL_STEPS - known->tiled, known->tiled) /
                       fmax(excess(&tall) - excess(&flat), 0.5);
    /* Where even the first block's tiles do not fit, that is counted out; never more than a part of
     * what they take, which the two give together in any case. */
    beyond = excess(&flat) * known->exceeding;
    if (beyond > 0.3 * known->tiled) {
        known->exceeding *= 0.3 * known->tiled / beyond;
        beyond = 0.3 * known->tiled;
    }
    known->tiled -= beyond;
    return status;
}

/* Where blocks are not cut into tiles, what a core's own cache holds stands for them. */
static enum zoid_status plain_rates(struct zoid_rounds *c, const struct zoid_op *op,
                                    const struct zoid_rates *r, struct zoid_op_rates *known)
{
    struct block near = block_of(c, op, NEAR);
    double unused;
    enum zoid_status status = two_depths(&near, r, &known->tiled, &unused);

    known->visit = known->exceeding = above(known->step - known->tiled, known->tiled);
    known->marched = 0;
    return status;
}

static enum zoid_status one_operator(struct zoid_rounds *c, const struct zoid_op *op,
                                     struct zoid_rates *r, struct zoid_op_rates *known)
{
    enum { FAR_STEPS = 2 };
    struct block flat = block_of(c, op, FLAT);
    double away = fmax(zoid_rates_distance(r, (double)block_bytes(&flat)), 0.25);
    enum zoid_status status = rate(&flat, r, FAR_STEPS, false, &known->step);

    if (!status)
        status =
            zoid_tiled(&flat.shape) ? tile_rates(c, op, r, known) : plain_rates(c, op, r, known);
    /* As if ZOID_FAR were as far as memory is. */
    known->visit /= away;
    known->step = known->tiled + above(known->step - known->tiled, known->tiled) / away;
    return status;
}

enum zoid_status zoid_calibrate_cores(const struct zoid_calibration *calibration,
                                      struct zoid_rates *r)
{
    struct zoid_rounds rounds;
    enum zoid_status status =
        zoid_rounds_open(&rounds, calibration, 2 * ZOID_FAR, calibration->ops);
    struct zoid_series *first = rounds.series;

    for (; !status && rounds.round < rounds.rounds; rounds.round++)
        for (size_t i = 0; i < calibration->ops && !status; i++) {
            rounds.series = first + i;
            rounds.nth = 0;
            status = one_operator(&rounds, calibration->op[i], r, &r->op[i]);
        }
    rounds.series = first;
    zoid_rounds_close(&rounds);
    return status;
}
