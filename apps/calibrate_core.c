/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of cores: all of them at once, each in memory of its own. Of every operator three blocks are
 * run, as tasks run them: one that stays in the core's own cache, one sweep by sweep through memory, and
 * the same tile by tile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "apps/bench.h"
#include "apps/calibrate.h"
#include "apps/team.h"
#include "codelets/run.h"
#include "runtime/estimate.h"
#include "runtime/task.h"

/* What a core goes over when it goes through memory. */
static const size_t FAR = 64 << 20;
/* A sample takes at least this long. */
static const double LEAST = 2e-3;
enum { PAGE = 2 << 20 };

struct cores {
    const struct zoid_machine *machine;
    char **memory; /* FAR bytes and more for each */
    size_t room;   /* bytes of one */
    int n;
    long times;
    void *job;
};

static size_t own_cache(const struct zoid_machine *m)
{
    size_t bytes = zoid_task_core(m).cache;

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

    for (long i = 0; i < c->cores->times; i++)
        for (size_t at = 0; at < c->half; at += piece) {
            size_t n = c->half - at < piece ? c->half - at : piece;

            memcpy(to + at, from + at, n);
        }
}

/* The median of what the team needs for once. The first samples find out how often it is worth doing;
 * what takes long is sampled less often. */
static enum zoid_status sample(struct cores *c, int n, zoid_team_fn *work, void *arg,
                               double *seconds)
{
    double taken[ZOID_SAMPLES];
    enum zoid_status status;
    int samples;

    c->times = 1;
    status = zoid_team_run(n, work, arg, seconds);
    if (!status && *seconds < LEAST)
        status = zoid_team_run(n, work, arg, seconds);
    if (status)
        return status;
    c->times = *seconds < LEAST ? (long)ceil(LEAST / fmax(*seconds, 1e-8)) : 1;
    samples = c->times > 1 ? ZOID_SAMPLES : 3;
    for (int i = 0; i < samples && !status; i++)
        status = zoid_team_run(n, work, arg, &taken[i]);
    *seconds = zoid_bench_median(taken, samples) / (double)c->times;
    return status;
}

static void release(struct cores *c)
{
    for (int i = 0; c->memory && i < c->n; i++)
        free(c->memory[i]);
    free(c->memory);
}

/* Values that are neither denormal nor all the same. */
static void touch(void *arg, int member)
{
    static const double value = 0.1234;
    struct cores *c = arg;

    for (size_t i = 0; i < c->room / sizeof value; i++)
        memcpy(c->memory[member] + i * sizeof value, &value, sizeof value);
}

static enum zoid_status allocate(struct cores *c, const struct zoid_machine *m, size_t room)
{
    double unused;
    bool complete;

    *c = (struct cores){.machine = m, .room = room, .n = m->cpu_workers};
    c->memory = calloc((size_t)c->n, sizeof *c->memory);
    complete = c->memory;
    for (int i = 0; i < c->n && complete; i++) {
        complete = (c->memory[i] = aligned_alloc(PAGE, room)) != NULL;
        if (complete)
            madvise(c->memory[i], room, MADV_HUGEPAGE);
    }
    if (!complete)
        return zoid_fail(ZOID_RESOURCE, "no room for %zu MiB a core; stop what else runs here",
                         room >> 20);
    return zoid_team_run(c->n, touch, c, &unused);
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
        r->cost[r->costs++] = (struct zoid_reach_cost){(double)bytes, seconds / (double)bytes};
    }
    if (!status)
        status = sample(c, 1, copy_halves, &copying, &seconds);
    r->memory_alone = seconds / (2 * (double)copying.half);
    return status;
}

enum zoid_status zoid_calibrate_memory(const struct zoid_machine *m, struct zoid_rates *r)
{
    const uint64_t most = m->ram_available / 2 / (uint64_t)m->cpu_workers / PAGE * PAGE;
    struct cores cores;
    enum zoid_status status = allocate(&cores, m, most < 4 * FAR ? most : 4 * FAR);

    r->workers = m->cpu_workers;
    if (!status)
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
    long scratch = zoid_scratch_planes(&b->shape, b->planes, zoid_cpu.batch);

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
    struct zoid_cpu core = zoid_task_core(b->cores->machine);
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
                                 .params = &b->op->defaults,
                                 .shape = &b->shape,
                                 .layout = &b->layout,
                                 .zoid = zoid,
                                 .region = zoid,
                                 .nparts = b->op->ncoef ? 3 : 2,
                                 .part = part,
                                 .scratch = at + 2 * state + share(b, (size_t)b->op->ncoef)};

    part[1].out.t0 = part[1].out.t1 = part[2].in.t1 = t1;
    core.cache = b->tiles ? core.cache : 0;
    for (long i = 0; i < b->cores->times; i++)
        zoid_run_block(&run, &zoid_cpu, &core);
}

/* Points that a step computes: the outermost layers are carried, which costs next to nothing. */
static double inner_points(const struct block *b)
{
    double points = 1;

    for (int a = 0; a < b->op->dims; a++) {
        const struct zoid_reach *reach = &b->shape.reach[0];
        long carried = b->op->own_edges ? 0 : reach->lo[a] + reach->hi[a];

        points *= (double)(b->shape.n[a] - carried);
    }
    return points;
}

/* A domain of about so many bytes in all buffers; rows long enough to be like others. */
static struct block block_of(struct cores *c, const struct zoid_op *op, size_t bytes)
{
    const double line = (double)(bytes / zoid_type_size(op->type)) / (4 * op->nstate + op->ncoef);
    const bool near = bytes < FAR;
    const long reach = 2 * ZOID_MAX_REACH, least = 2 * op->radius + 4;
    struct block b = {.cores = c, .op = op};
    long n[ZOID_AXES] = {1, 1, 1};

    if (op->dims == 3) {
        n[0] = near ? 128 : 512;
        n[2] = near ? 2 * op->radius + 8 : 2 * reach;
        n[1] = (long)(line / (double)n[0] / (double)n[2]);
    } else if (op->dims == 2) {
        n[1] = near ? 2 * op->radius + 16 : 4 * reach;
        n[0] = (long)(line / (double)n[1]);
    } else {
        n[0] = (long)line;
    }
    for (int a = 0; a < op->dims; a++)
        n[a] = n[a] < least ? least : n[a];
    b.shape = zoid_op_shape(op, n);
    b.layout = zoid_layout_make(op, n, zoid_layout_ghost(&b.shape));
    b.planes = n[op->dims - 1];
    return b;
}

/* Seconds a point and step. */
static enum zoid_status rate(struct block *b, long steps, bool tiles, double *seconds)
{
    enum zoid_status status;

    b->steps = steps;
    b->tiles = tiles;
    if (block_bytes(b) > b->cores->room)
        return zoid_fail(ZOID_RESOURCE, "%s does not fit its own measurement", b->op->name);
    status = sample(b->cores, b->cores->n, run_block, b, seconds);
    *seconds /= inner_points(b) * (double)steps;
    return status;
}

/* What tiles cost beside an update in the cache and the way of the block from and to memory. */
static double beside_of(const struct block *far, const struct zoid_rates *r,
                        const struct zoid_op_rates *op, double tiled, long steps)
{
    const double home = zoid_rates_distance(r, (double)block_bytes(far));
    const double misses = zoid_estimate_misses(far->cores->machine, far->op, &far->shape,
                                               &far->layout, (double)far->planes);
    const double streamed = (op->step - op->cached) * home / (double)steps;

    return fmax(tiled - op->cached - streamed, op->cached * 0.01) / fmax(home * misses, 0.05);
}

static enum zoid_status one_operator(struct cores *c, const struct zoid_op *op,
                                     struct zoid_rates *r, struct zoid_op_rates *known)
{
    enum { NEAR_STEPS = 8, FAR_STEPS = 2, TILED_STEPS = 8 };
    struct block near = block_of(c, op, own_cache(c->machine) / 8 * 5);
    struct block far = block_of(c, op, FAR);
    double tiled = 0, home = zoid_rates_distance(r, (double)block_bytes(&far) / 2);
    enum zoid_status status = rate(&near, NEAR_STEPS, true, &known->cached);

    if (!status)
        status = rate(&far, FAR_STEPS, false, &known->step);
    if (!status)
        status = rate(&far, TILED_STEPS, true, &tiled);
    if (status)
        return status;
    /* As if FAR were as far as memory is. */
    known->step =
        known->cached + fmax(known->step - known->cached, known->cached * 0.01) / fmax(home, 0.25);
    known->beside = beside_of(&far, r, known, tiled, TILED_STEPS);
    return ZOID_OK;
}

enum zoid_status zoid_calibrate_cores(const struct zoid_machine *m, struct zoid_rates *r)
{
    struct cores cores;
    enum zoid_status status = allocate(&cores, m, FAR + FAR / 2);
    const struct zoid_op *op;

    for (size_t i = 0; i < r->ops && !status && (op = zoid_op_at(i)); i++)
        status = one_operator(&cores, op, r, &r->op[i]);
    release(&cores);
    return status;
}
