/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of operators on cores, from blocks that run as in tasks. For each operator: a block that
 * goes through memory sweep by sweep; one in tiles, if it is cut into them; one whose tiles exceed
 * the private cache; and slabs with rows of realistic length, updated in place by single steps and
 * by wavefronts of times. Rates are recomputed in each round, from the medians so far. */
#include <float.h>
#include <math.h>

#include "codelets/block/layout.h"
#include "codelets/block/scratch.h"
#include "codelets/block/tile.h"
#include "codelets/cpu/run.h"
#include "runtime/calibrate/rounds.h"
#include "runtime/machine/core.h"
#include "runtime/plan/estimate.h"

/* A block that a core runs repeatedly. */
struct block {
    struct zoid_rounds *rounds;
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_layout layout;
    long planes, steps;
    bool tiles;
    bool in_place; /* in the slab that it updates; otherwise from one slab to another */
    bool single;   /* each time is a run of its own */
    const struct zoid_block_runner *runner; /* NULL: sweeps */
};

static size_t share(const struct block *b, size_t fields)
{
    size_t bytes = fields * (size_t)b->planes * zoid_layout_plane_bytes(&b->layout);

    return (bytes + ZOID_LINE - 1) / ZOID_LINE * ZOID_LINE;
}

/* Bytes of its slabs. */
static size_t data_bytes(const struct block *b)
{
    return (b->in_place ? 1 : 2) * share(b, (size_t)b->op->nstate) + share(b, (size_t)b->op->ncoef);
}

static size_t scratch_bytes(const struct block *b)
{
    long planes = zoid_scratch_planes(&b->shape, b->planes, zoid_cpu_batch(&b->shape));

    return (size_t)(planes * b->op->nstate) * zoid_layout_plane_bytes(&b->layout);
}

static size_t block_bytes(const struct block *b)
{
    return data_bytes(b) + scratch_bytes(b);
}

static size_t list_parts(const struct block *b, long t0, long t1, char *at, struct zoid_part part[])
{
    const struct zoid_view before = {.t0 = t0, .t1 = t0, .hi = b->planes};
    const struct zoid_view after = {.t0 = t1, .t1 = t1, .hi = b->planes};
    const size_t state = share(b, (size_t)b->op->nstate);
    size_t n = 0;

    part[n++] = (struct zoid_part){.reads = true,
                                   .writes = b->in_place,
                                   .in = before,
                                   .out = after,
                                   .base = at,
                                   .capacity = b->planes};
    if (!b->in_place)
        part[n++] = (struct zoid_part){
            .writes = true, .out = after, .base = at + state, .capacity = b->planes};
    if (b->op->ncoef)
        part[n++] = (struct zoid_part){.reads = true,
                                       .coefficient = true,
                                       .in = {.t0 = t0, .t1 = t1, .hi = b->planes},
                                       .base = at + data_bytes(b) - share(b, (size_t)b->op->ncoef),
                                       .capacity = b->planes};
    return n;
}

static void run_block(void *arg, int member)
{
    const struct block *b = arg;
    const long end = b->steps * b->op->step, times = b->single ? 1 : end;
    const struct zoid_params params = zoid_op_defaults(b->op);
    struct zoid_cpu core = zoid_machine_core(b->rounds->machine);

    core.cache = b->tiles ? core.cache : 0;
    for (long i = 0; i < b->rounds->timing[member].times; i++)
        for (long t = 0; t < end; t += times) {
            const struct zoid zoid = zoid_domain(&b->shape, t, t + times);
            struct zoid_part part[3];
            const struct zoid_block_args run = {
                .op = b->op,
                .params = &params,
                .shape = &b->shape,
                .layout = &b->layout,
                .zoid = zoid,
                .region = zoid,
                .nparts = list_parts(b, t, t + times, b->rounds->memory[member], part),
                .part = part,
                .scratch = b->rounds->scratch[member],
                .runner = b->runner};

            zoid_cpu_run(&run, &core);
        }
}

/* Returns the number of outermost layers along an axis, which are carried. */
static long carried(const struct block *b, int axis)
{
    const struct zoid_reach *reach = &b->shape.reach[0];

    return b->op->own_edges ? 0 : reach->lo[axis] + reach->hi[axis];
}

/* Returns the points that a step computes. */
static double inner_points(const struct block *b)
{
    double points = 1;

    for (int a = 0; a < b->op->dims; a++)
        points *= (double)(b->shape.n[a] - carried(b, a));
    return points;
}

/* Returns the seconds per step of the planes that are carried: from memory if the block is there,
 * or from the private cache if tiles hold them. */
static double carrying(const struct block *b, const struct zoid_rates *r)
{
    const double bytes = (double)share(b, (size_t)b->op->nstate) / (double)b->planes;
    const size_t home = b->tiles ? zoid_rounds_cache(b->rounds->machine) : block_bytes(b);

    return 2 * bytes * (double)carried(b, b->op->dims - 1) * zoid_rates_cost(r, (double)home);
}

enum kind { NEAR, FLAT, TALL }; /* in the private cache; in memory; in memory with more planes */

/* Rows of a plane, enough for whole tiles between those that lean by a large radius. */
enum { ENOUGH = 160 };
/* Points of a plane that is one row. */
enum { USUAL = 4096 };

static double excess(const struct block *b, const struct zoid_rates *r)
{
    return zoid_estimate_excess(b->rounds->machine, r, b->op, &b->shape, &b->layout,
                                (double)b->planes);
}

static double ends(const struct block *b)
{
    return zoid_estimate_ends(b->rounds->machine, &b->shape, b->op->type);
}

/* Lays out the domain like plans on cores. */
static void lay_out(struct block *b, const long n[ZOID_AXES])
{
    b->shape = zoid_op_shape(b->op, n);
    b->layout = zoid_layout_make(b->op, n, zoid_layout_ghost(&b->shape));
    zoid_layout_loosen(&b->layout, b->op, zoid_machine_core(b->rounds->machine).ways);
    b->planes = n[b->op->dims - 1];
}

/* Returns a block of about ZOID_FAR bytes, or half of the private cache. Its rows are of usual
 * length, tiles of a FLAT one fit if possible, and the planes of its kind come in addition to the
 * outermost ones, which are carried. */
static struct block block_of(struct zoid_rounds *c, const struct zoid_op *op,
                             const struct zoid_rates *r, enum kind kind)
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
        /* Planes of one row: if short, their start-up time counts. */
        n[0] = n[0] < USUAL ? USUAL : n[0];
    } else {
        n[0] = (long)values;
    }
    for (int a = 0; a < op->dims; a++)
        n[a] = n[a] < least ? least : n[a];
    lay_out(&b, n);
    while (kind == FLAT && op->dims == 3 && n[0] > shortest && excess(&b, r) > 0) {
        n[0] /= 2;
        n[1] *= 2;
        lay_out(&b, n);
    }
    return b;
}

/* Returns a slab whose times form a wavefront. Its rows are of realistic length, which decides how
 * many of the planes in flight the caches hold, and its planes have several tiles, with room for
 * all times that drift through one buffer; rows are shorter only if there are many fields. */
static struct block marching(struct zoid_rounds *c, const struct zoid_op *op)
{
    enum { PLANES = 64, ROWS = 96, DRIFTING = 40, ROW = 512, LINE = 16384 };
    const long beside = 2 * op->radius, fields = op->nstate + op->ncoef;
    const long rows = op->nstate > 1 ? ROWS : zoid_max(ROWS, DRIFTING * op->radius);
    const size_t value = zoid_type_size(op->type);
    struct block b = {.rounds = c, .op = op, .in_place = true, .runner = &zoid_cpu_wavefront};
    long n[ZOID_AXES] = {op->dims == 3 ? ROW : LINE, rows + beside, PLANES + beside};

    if (op->dims == 2)
        n[1] = n[2];
    while ((double)(n[0] * n[1] * n[op->dims - 1] * fields) * (double)value > (double)ZOID_FAR)
        n[0] /= 2;
    lay_out(&b, n);
    return b;
}

/* Returns a slab in memory that single steps update in place, with planes so large that the private
 * cache does not hold the planes that are read, as in real runs. */
static struct block stepping(struct zoid_rounds *c, const struct zoid_op *op)
{
    enum { PLANES = 64, ROW = 512, LINE = 16384, MOST = 1024 };
    const long beside = 2 * op->radius, fields = op->nstate + op->ncoef;
    const long values = ZOID_FAR / 4 * 3 / (long)zoid_type_size(op->type) / fields;
    struct block b = {.rounds = c, .op = op, .in_place = true, .single = true};
    long n[ZOID_AXES] = {LINE, values / LINE, 1};

    if (op->dims == 3) {
        n[0] = ROW;
        n[2] = PLANES + beside;
        n[1] = zoid_min(values / n[0] / n[2], MOST);
    }
    for (int a = 0; a < op->dims; a++)
        n[a] = zoid_max(n[a], beside + 4);
    lay_out(&b, n);
    return b;
}

/* Keeps numbers that are differences positive. */
static double above(double value, double scale)
{
    return fmax(value, 0.01 * scale);
}

/* Stores the seconds per point and step. */
static enum zoid_status rate(struct block *b, const struct zoid_rates *r, long steps, bool tiles,
                             double *seconds)
{
    enum zoid_status status;

    b->steps = steps;
    b->tiles = tiles;
    if (data_bytes(b) > b->rounds->room || scratch_bytes(b) > b->rounds->room)
        return zoid_fail(ZOID_RESOURCE, "%s does not fit its own measurement", b->op->name);
    status = zoid_rounds_sample(b->rounds, b->rounds->n, run_block, b, seconds);
    *seconds /= (double)steps;
    *seconds = above(*seconds - carrying(b, r), *seconds) / inner_points(b);
    return status;
}

/* Correction for blocks of about ZOID_FAR bytes, which may partly be in a cache: the fraction of
 * the cost of memory that they see. */
static double part_of_memory(const struct zoid_rates *r, size_t bytes)
{
    return fmax(zoid_rates_distance(r, (double)bytes), 0.25);
}

/* Returns the least seconds to load and store a point of a block: most of the additional time of a
 * copy from memory over one in the private cache. */
static double least_visit(const struct block *b, const struct zoid_rates *r)
{
    const double most = 0.75, values = (double)(2 * b->op->nstate + b->op->ncoef);

    return most * values * (double)zoid_type_size(b->op->type) *
           (r->cost[r->costs - 1].seconds - r->cost[0].seconds) * part_of_memory(r, block_bytes(b));
}

/* Solves for `step`, the time per step, and `once`, the time that recurs: the two samples have
 * share[i] of the latter per step. If their difference is within the noise, `once` is `least`. */
static void take_apart(const double seconds[2], const double share[2], double least, double *step,
                       double *once)
{
    const double more = share[0] - share[1];

    *once = above(more > 0 ? (seconds[0] - seconds[1]) / more : 0, seconds[1]);
    *once = fmax(*once, fmin(least, seconds[1]));
    *step = above(seconds[1] - *once * share[1], seconds[1]);
}

/* Measures the time of a step and the time of a block (`once`), from blocks of few and of many
 * steps, about as many as visits have. */
static enum zoid_status two_depths(struct block *b, const struct zoid_rates *r, double *step,
                                   double *once)
{
    const long few = 4, many = b->op->dims == 3 ? 16 : 64;
    const double share[] = {1.0 / (double)few, 1.0 / (double)many};
    double seconds[2] = {0};
    enum zoid_status status = rate(b, r, few, true, &seconds[0]);

    if (!status)
        status = rate(b, r, many, true, &seconds[1]);
    take_apart(seconds, share, zoid_tiled(&b->shape) ? least_visit(b, r) : 0, step, once);
    return status;
}

static struct zoid_blocks like(const struct block *b)
{
    return (struct zoid_blocks){.op = b->op,
                                .shape = &b->shape,
                                .layout = &b->layout,
                                .planes = (double)b->planes,
                                .times = (double)(b->steps * b->op->step)};
}

/* Returns the loads of a wavefront block from memory to the private cache per step, or the
 * equivalent: its runner's prediction for a point if nothing else takes time. */
static double brought(const struct block *b, const struct zoid_rates *r, long steps)
{
    const struct zoid_pace pace = {.near = r->cost[0].seconds,
                                   .far = r->cost[r->costs - 1].seconds,
                                   .marched = DBL_MIN,
                                   .marched_visit = (double)b->op->step,
                                   .cpu = zoid_machine_core(b->rounds->machine),
                                   .cost = zoid_rates_cost,
                                   .rates = r};
    struct zoid_blocks blocks = like(b);

    blocks.times = (double)(steps * b->op->step);
    return (double)b->op->step * b->runner->seconds(&blocks, &pace) / (double)b->layout.plane;
}

/* The same for wavefronts. If tiles are low, the loads hardly depend on the number of times, so the
 * difference of the samples says little; but a step takes about its time in sweeps, or somewhat
 * more in 2-D, where stretches are short. The loads get the remaining time of both samples (least
 * squares); in 2-D, where stretches would hide them, no less than a `visit` of tiles, which moves
 * the same data. */
static void take_march_apart(const struct block *b, const double seconds[2], const double share[2],
                             double tiled, double visit, struct zoid_op_rates *known)
{
    const double least = 0.9, most = b->op->dims == 3 ? 1.25 : 1.75;
    const double squares = share[0] * share[0] + share[1] * share[1];
    const double loads = b->op->dims == 3 ? 0 : visit;
    double step, once;

    take_apart(seconds, share, 0, &step, &once);
    step = fmin(step, seconds[1] - share[1] * loads);
    known->marched = fmin(fmax(step, least * tiled), most * tiled);
    once = 0;
    for (int i = 0; i < 2; i++)
        once += share[i] * (seconds[i] - known->marched) / squares;
    known->marched_visit = above(fmax(once, loads), seconds[1]);
}

/* Measures the time of a step in a wavefront, and of each load of the block. `visit` is that of
 * tiles that lie in memory. */
static enum zoid_status march_rates(struct zoid_rounds *c, const struct zoid_op *op,
                                    const struct zoid_rates *r, double tiled, double visit,
                                    struct zoid_op_rates *known)
{
    /* Two times, few enough to form one wavefront everywhere. */
    const long few = op->step > 1 ? 1 : 2, many = 12;
    struct block b = marching(c, op);
    const double share[] = {brought(&b, r, few), brought(&b, r, many)};
    const double away = part_of_memory(r, data_bytes(&b));
    double seconds[2] = {0};
    enum zoid_status status = rate(&b, r, few, true, &seconds[0]);

    if (!status)
        status = rate(&b, r, many, true, &seconds[1]);
    take_march_apart(&b, seconds, share, tiled * ends(&b), visit * away, known);
    known->marched /= ends(&b);
    known->marched_visit /= away;
    return status;
}

static enum zoid_status tile_rates(struct zoid_rounds *c, const struct zoid_op *op,
                                   const struct zoid_rates *r, struct zoid_op_rates *known)
{
    enum { TALL_STEPS = 12 };
    struct block flat = block_of(c, op, r, FLAT), tall = block_of(c, op, r, TALL);
    double seconds = 0, near, beyond;
    enum zoid_status status = two_depths(&flat, r, &known->tiled, &known->visit);

    if (!status)
        status = rate(&tall, r, TALL_STEPS, true, &seconds);
    near = known->tiled * ends(&tall) / ends(&flat);
    known->exceeding = above(seconds - known->visit / TALL_STEPS - near, known->tiled) /
                       fmax(excess(&tall, r) - excess(&flat, r), 0.5);
    /* If even the first block's tiles exceed the cache, that share is subtracted, but at most a
     * fraction of their time; the sum of both is right in any case. */
    beyond = excess(&flat, r) * known->exceeding;
    if (beyond > 0.3 * known->tiled) {
        known->exceeding *= 0.3 * known->tiled / beyond;
        beyond = 0.3 * known->tiled;
    }
    known->tiled -= beyond;
    return status ? status
                  : march_rates(c, op, r, known->tiled / ends(&flat),
                                known->visit / part_of_memory(r, block_bytes(&flat)), known);
}

/* Measures the rate of an operator's own runner, per point and stage, so that its prediction for a
 * slab with long rows is right. */
static enum zoid_status own_rate(struct zoid_rounds *c, const struct zoid_op *op,
                                 const struct zoid_rates *r, struct zoid_op_rates *known)
{
    enum { PLANES = 256, ROWS = 64, ROW = 512, LINE = 4096, POINTS = 1 << 20, STEPS = 32 };
    const struct zoid_pace pace = {.marched = 1};
    struct block b = {.rounds = c, .op = op, .in_place = true, .steps = STEPS};
    const long n[][ZOID_AXES] = {{POINTS, 1, 1}, {LINE, PLANES, 1}, {ROW, ROWS, PLANES / 2}};
    struct zoid_blocks blocks;
    double seconds = 0;
    enum zoid_status status = ZOID_OK;

    known->marched = 0;
    if (!op->runner)
        return ZOID_OK;
    lay_out(&b, n[op->dims - 1]);
    b.runner = *op->runner;
    blocks = like(&b);
    if (!b.runner->fits(&blocks))
        return ZOID_OK;
    status = rate(&b, r, STEPS, true, &seconds);
    known->marched = seconds * inner_points(&b) * STEPS /
                     ((double)b.planes * blocks.times * b.runner->seconds(&blocks, &pace));
    return status;
}

/* If blocks are not cut into tiles, a block in the private cache stands for tiles. */
static enum zoid_status plain_rates(struct zoid_rounds *c, const struct zoid_op *op,
                                    const struct zoid_rates *r, struct zoid_op_rates *known)
{
    struct block near = block_of(c, op, r, NEAR);
    double unused;
    enum zoid_status status = two_depths(&near, r, &known->tiled, &unused);

    known->visit = known->exceeding = above(known->step - known->tiled, known->tiled);
    known->marched_visit = 0;
    return status ? status : own_rate(c, op, r, known);
}

static enum zoid_status one_operator(struct zoid_rounds *c, const struct zoid_op *op,
                                     struct zoid_rates *r, struct zoid_op_rates *known)
{
    enum { FAR_STEPS = 2 };
    struct block flat = block_of(c, op, r, FLAT), one = stepping(c, op);
    const bool tiled = zoid_tiled(&flat.shape);
    enum zoid_status status = tiled ? rate(&one, r, 1, true, &known->step)
                                    : rate(&flat, r, FAR_STEPS, false, &known->step);

    if (!status)
        status = tiled ? tile_rates(c, op, r, known) : plain_rates(c, op, r, known);
    known->visit /= part_of_memory(r, block_bytes(&flat));
    known->step = above(known->step - known->tiled, known->tiled) /
                  part_of_memory(r, tiled ? data_bytes(&one) : block_bytes(&flat));
    known->tiled /= ends(&flat);
    known->step += known->tiled;
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
            /* Bytes would be denormal floating-point numbers to the next operator, which are
             * slow. */
            if (!status && zoid_type_size(calibration->op[i]->type) == 1)
                status = zoid_rounds_fill(&rounds);
        }
    rounds.series = first;
    zoid_rounds_close(&rounds);
    return status;
}
