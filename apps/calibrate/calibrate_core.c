/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of cores: all of them at once, each in memory of its own. Of every operator three blocks
 * are run, as tasks run them: one that goes through memory sweep by sweep, the same tile by tile,
 * and one whose tiles do not fit the core's own cache.
 *
 * What slows a machine down for seconds would spoil all samples of an operator, were they taken one
 * after the other. So they are taken in rounds over all operators, and rates are worked out anew in
 * each from the medians of all so far. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "apps/calibrate/calibrate.h"
#include "apps/measure/sample.h"
#include "apps/measure/team.h"
#include "codelets/device.h"
#include "codelets/tile.h"
#include "runtime/machine/core.h"
#include "runtime/plan/estimate.h"

/* What a core goes over when it goes through memory. */
static const size_t FAR = 64 << 20;
/* A sample takes at least this long. */
static const double LEAST = 2e-3;
enum { PAGE = 2 << 20 };

struct pace {
    long times; /* that a sample does its work */
    double seconds;
};

enum { ROUNDS = 5, BRIEF_ROUNDS = 3, MOST = ZOID_MAX_COSTS + 2 };

/* The samples of what is measured one after the other. */
struct series {
    double taken[MOST][ROUNDS];
};

struct cores {
    const struct zoid_machine *machine;
    char **memory;  /* FAR bytes and more for each, in large pages as slabs are */
    char **scratch; /* as much, in small pages as scratch is; NULL for copying alone */
    size_t room;    /* bytes of one */
    int n;
    struct pace *pace; /* of each */
    struct series *series;
    int rounds, round, nth;
};

static size_t own_cache(const struct zoid_machine *m)
{
    size_t bytes = zoid_machine_core(m).cache;

    return bytes ? bytes : 1 << 18;
}

/* ---- memory ------------------------------------------------------------------------------ */

struct copying {
    struct cores *cores;
    size_t half;
};

/* In pieces too small for the C library to go past the caches: kernels do not either. */
static void copy_halves(void *arg, int member)
{
    const size_t piece = 1 << 13;
    struct copying *c = arg;
    char *from = c->cores->memory[member], *to = from + c->half;

    for (long i = 0; i < c->cores->pace[member].times; i++)
        for (size_t at = 0; at < c->half; at += piece) {
            size_t n = c->half - at < piece ? c->half - at : piece;

            memcpy(to + at, from + at, n);
        }
}

struct timed {
    struct cores *cores;
    zoid_team_fn *work;
    void *arg;
};

/* Seconds that the member had its core: what else runs on the machine does not count. */
static double time_once(const struct timed *t, int member)
{
    struct timespec start, end;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    t->work(t->arg, member);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* The median of what the member needs for once. The first sample finds out how often it is worth
 * doing; for what takes long it is enough. */
static void time_member(void *arg, int member)
{
    enum { FEW = 1 };
    const struct timed *t = arg;
    struct pace *pace = &t->cores->pace[member];
    double taken[ZOID_SAMPLES];
    int n = 0, samples;

    pace->times = 1;
    taken[0] = time_once(t, member);
    if (taken[0] < LEAST)
        pace->times = (long)ceil(LEAST / fmax(taken[0], 1e-8));
    else
        n = 1;
    samples = n ? FEW : ZOID_SAMPLES;
    for (; n < samples; n++)
        taken[n] = time_once(t, member);
    pace->seconds = zoid_sample_median(taken, samples) / (double)pace->times;
}

/* The median of this round's and those before. */
static enum zoid_status sample(struct cores *c, int n, zoid_team_fn *work, void *arg,
                               double *seconds)
{
    struct timed timed = {c, work, arg};
    double *taken = c->series->taken[c->nth++], unused;
    enum zoid_status status = zoid_team_run(n, time_member, &timed, &unused);

    taken[c->round] = 0;
    for (int i = 0; i < n; i++)
        taken[c->round] += c->pace[i].seconds / n;
    *seconds = zoid_sample_median(taken, c->round + 1);
    return status;
}

static void release(struct cores *c)
{
    for (int i = 0; c->memory && i < c->n; i++)
        free(c->memory[i]);
    for (int i = 0; c->scratch && i < c->n; i++)
        free(c->scratch[i]);
    free(c->memory);
    free(c->scratch);
    free(c->pace);
    free(c->series);
}

/* Values that are neither denormal nor all the same. */
static void touch(void *arg, int member)
{
    static const double value = 0.1234;
    struct cores *c = arg;

    for (size_t i = 0; i < c->room / sizeof value; i++) {
        memcpy(c->memory[member] + i * sizeof value, &value, sizeof value);
        if (c->scratch)
            memcpy(c->scratch[member] + i * sizeof value, &value, sizeof value);
    }
}

static enum zoid_status refuse_room(uint64_t bytes)
{
    return zoid_fail(ZOID_RESOURCE,
                     "measuring all cores takes %llu MiB; stop what else runs here, or set "
                     "STARPU_NCPU to fewer cores",
                     (unsigned long long)(bytes >> 20));
}

/* For copying, or for so many operators. */
static enum zoid_status allocate(struct cores *c, const struct zoid_calibration *calibration,
                                 size_t room, size_t ops)
{
    const struct zoid_machine *m = &calibration->context->machine;
    const uint64_t wanted = (uint64_t)m->cpu_workers * (ops ? 2 * room : room);
    double unused;
    bool complete;

    *c = (struct cores){.machine = m,
                        .room = room,
                        .n = m->cpu_workers,
                        .rounds = calibration->brief ? BRIEF_ROUNDS : ROUNDS};
    if (wanted > m->ram_available)
        return refuse_room(wanted);
    c->memory = calloc((size_t)c->n, sizeof *c->memory);
    c->scratch = ops ? calloc((size_t)c->n, sizeof *c->scratch) : NULL;
    c->pace = calloc((size_t)c->n, sizeof *c->pace);
    c->series = calloc(ops ? ops : 1, sizeof *c->series);
    complete = c->memory && (c->scratch || !ops) && c->pace && c->series;
    for (int i = 0; i < c->n && complete; i++) {
        complete = (c->memory[i] = aligned_alloc(PAGE, room)) &&
                   (!ops || (c->scratch[i] = aligned_alloc(ZOID_LINE, room)));
        if (complete)
            madvise(c->memory[i], room, MADV_HUGEPAGE);
    }
    if (!complete)
        return refuse_room(wanted);
    return zoid_team_run(c->n, touch, c, &unused);
}

/* As the C library gives large memory out; and back, which takes a small part of it. */
static void touch_first(void *arg, int member)
{
    const size_t step = 1 << 12; /* pages are no smaller */
    const struct cores *c = arg;

    for (long i = 0; i < c->pace[member].times; i++) {
        char *at = mmap(NULL, FAR, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        for (size_t byte = 0; at != MAP_FAILED && byte < FAR; byte += step)
            at[byte] = 1;
        if (at != MAP_FAILED)
            munmap(at, FAR);
    }
}

/* From what half of the core's own cache holds to four times FAR, in factors of four. */
static enum zoid_status copy_all(struct cores *c, struct zoid_rates *r)
{
    struct copying copying = {.cores = c};
    enum zoid_status status = ZOID_OK;
    double seconds = 0;

    r->costs = 0;
    for (size_t bytes = own_cache(c->machine) / 2;
         bytes <= c->room && r->costs < ZOID_MAX_COSTS && !status; bytes *= 4) {
        copying.half = bytes / 2 / PAGE ? bytes / 2 / PAGE * PAGE : bytes / 2;
        status = sample(c, c->n, copy_halves, &copying, &seconds);
        r->cost[r->costs++] = (struct zoid_copy_cost){(double)bytes, seconds / (double)bytes};
    }
    if (!status)
        status = sample(c, 1, copy_halves, &copying, &seconds);
    r->memory_alone = seconds / (2 * (double)copying.half);
    if (!status)
        status = sample(c, c->n, touch_first, c, &seconds);
    r->first_touch = seconds / (double)FAR;
    return status;
}

enum zoid_status zoid_calibrate_memory(const struct zoid_calibration *calibration,
                                       struct zoid_rates *r)
{
    const struct zoid_machine *m = &calibration->context->machine;
    const uint64_t most = m->ram_available / 2 / (uint64_t)m->cpu_workers / PAGE * PAGE;
    struct cores cores;
    enum zoid_status status = allocate(&cores, calibration, most < 4 * FAR ? most : 4 * FAR, 0);

    r->workers = m->cpu_workers;
    for (; !status && cores.round < cores.rounds; cores.round++, cores.nth = 0)
        status = copy_all(&cores, r);
    release(&cores);
    return status;
}

/* ---- operators --------------------------------------------------------------------------- */

/* A block that a core runs again and again. */
struct block {
    struct cores *cores;
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_layout layout;
    long planes, steps;
    bool tiles;
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
    struct zoid_cpu core = zoid_machine_core(b->cores->machine);
    char *at = b->cores->memory[member];
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
                                 .scratch = b->cores->scratch[member]};

    part[1].out.t0 = part[1].out.t1 = part[2].in.t1 = t1;
    core.cache = b->tiles ? core.cache : 0;
    for (long i = 0; i < b->cores->pace[member].times; i++)
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
    const size_t home = b->tiles ? own_cache(b->cores->machine) : block_bytes(b);

    return 2 * bytes * (double)carried(b, b->op->dims - 1) * zoid_rates_cost(r, (double)home);
}

enum kind { NEAR, FLAT, TALL }; /* in the core's own cache; in memory; the same with more planes */

/* Rows of a plane, of which tiles that lean by a large radius leave some that are whole. */
enum { ENOUGH = 160 };
/* Points of a plane that is a row. */
enum { USUAL = 4096 };

static double excess(const struct block *b)
{
    return zoid_estimate_excess(b->cores->machine, b->op, &b->shape, &b->layout, (double)b->planes);
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
static struct block block_of(struct cores *c, const struct zoid_op *op, enum kind kind)
{
    const size_t bytes = kind == NEAR ? own_cache(c->machine) / 2 : FAR;
    const double values = (double)(bytes / zoid_type_size(op->type)) / (4 * op->nstate + op->ncoef);
    const long planes[] = {[NEAR] = 8, [FLAT] = 32, [TALL] = 128};
    const long beside = 2 * op->radius, least = beside + 4, shortest = 128;
    struct block b = {.cores = c, .op = op};
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
    if (block_bytes(b) > b->cores->room)
        return zoid_fail(ZOID_RESOURCE, "%s does not fit its own measurement", b->op->name);
    status = sample(b->cores, b->cores->n, run_block, b, seconds);
    *seconds /= (double)steps;
    *seconds = above(*seconds - carrying(b, r), *seconds) / inner_points(b);
    return status;
}

/* Of few and of many steps, about as many as visits make: what every step takes, and what a block
 * takes once. */
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

static enum zoid_status tile_rates(struct cores *c, const struct zoid_op *op,
                                   const struct zoid_rates *r, struct zoid_op_rates *known)
{
    enum { TALL_STEPS = 12 };
    struct block flat = block_of(c, op, FLAT), tall = block_of(c, op, TALL);
    double seconds = 0, beyond;
    enum zoid_status status = two_depths(&flat, r, &known->tiled, &known->visit);

    if (!status)
        status = rate(&tall, r, TALL_STEPS, true, &seconds);
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
static enum zoid_status plain_rates(struct cores *c, const struct zoid_op *op,
                                    const struct zoid_rates *r, struct zoid_op_rates *known)
{
    struct block near = block_of(c, op, NEAR);
    double unused;
    enum zoid_status status = two_depths(&near, r, &known->tiled, &unused);

    known->visit = known->exceeding = above(known->step - known->tiled, known->tiled);
    return status;
}

static enum zoid_status one_operator(struct cores *c, const struct zoid_op *op,
                                     struct zoid_rates *r, struct zoid_op_rates *known)
{
    enum { FAR_STEPS = 2 };
    struct block flat = block_of(c, op, FLAT);
    double away = fmax(zoid_rates_distance(r, (double)block_bytes(&flat)), 0.25);
    enum zoid_status status = rate(&flat, r, FAR_STEPS, false, &known->step);

    if (!status)
        status =
            zoid_tiled(&flat.shape) ? tile_rates(c, op, r, known) : plain_rates(c, op, r, known);
    /* As if FAR were as far as memory is. */
    known->visit /= away;
    known->step = known->tiled + above(known->step - known->tiled, known->tiled) / away;
    return status;
}

enum zoid_status zoid_calibrate_cores(const struct zoid_calibration *calibration,
                                      struct zoid_rates *r)
{
    struct cores cores;
    enum zoid_status status = allocate(&cores, calibration, 2 * FAR, calibration->ops);
    struct series *first = cores.series;

    for (; !status && cores.round < cores.rounds; cores.round++)
        for (size_t i = 0; i < calibration->ops && !status; i++) {
            cores.series = first + i;
            cores.nth = 0;
            status = one_operator(&cores, calibration->op[i], r, &r->op[i]);
        }
    cores.series = first;
    release(&cores);
    return status;
}
