/* SPDX-License-Identifier: BSD-3-Clause */
/* A rough cost of a plan: what an update costs depends on the cache its block runs from, every
 * visit of a slab streams it from and to memory once, what neighbours hand on is written and read
 * once a time, tasks cost a little each, and a chain only feeds as many workers as it has passes
 * open. The constants were fitted to one core of a 2-core server (docs/performance.md); only their
 * ratios matter for the ranking. */
#include "runtime/estimate.h"

#include <math.h>

#include "runtime/budget.h"

/* Seconds a byte that an update moves between a core and its own cache; what more it takes from the
 * shared one, and from memory; seconds an operation, which hides under that or hides it. */
static const double UPDATE = 0.09e-9 / 8, SHARED = 0.05e-9 / 8, MEMORY = 0.40e-9 / 8;
static const double FLOP = 0.09e-9 / 12;
static const double TASK = 8e-6; /* seconds a task spends in StarPU */

/* Bytes of a plane of all fields. */
static double plane_bytes(const struct zoid_plan *p)
{
    return (double)zoid_layout_plane_bytes(&p->layout) *
           (p->problem.op->nstate + p->problem.op->ncoef);
}

/* Bytes that one time moves to update a plane of which nothing is in a cache. */
static double plane_traffic(const struct zoid_plan *p)
{
    return (double)p->layout.plane * p->problem.op->bytes / p->problem.op->step;
}

/* Operations of one time on a plane, in those of 4 bytes. */
static double plane_flops(const struct zoid_plan *p)
{
    double width = (double)zoid_type_size(p->layout.type) / 4;

    return (double)p->layout.plane * width * p->problem.op->flops / p->problem.op->step;
}

static double cache_share(const struct zoid_machine *m, int level, int workers)
{
    int sharers = m->cache_sharers[level] < workers ? m->cache_sharers[level] : workers;

    return (double)m->cache[level] / (sharers > 1 ? sharers : 1);
}

struct home {
    double cost;
    const char *name;
};

/* Where `bytes` that a worker goes over again and again come from. */
static struct home home_of(const struct zoid_machine *m, double bytes, int workers)
{
    if (bytes <= cache_share(m, 1, workers))
        return (struct home){0, "the core's own cache"};
    if (bytes <= cache_share(m, 2, workers))
        return (struct home){SHARED, "the shared cache"};
    return (struct home){MEMORY, "memory"};
}

static double workers_fed(const struct zoid_plan *p, double slabs, double passes)
{
    double open = passes < p->graph.lanes ? passes : p->graph.lanes;
    double fed = p->census.abreast > 1 ? fmin((double)p->census.abreast * open, slabs) : open;

    return fed < p->workers ? fed : p->workers;
}

/* How often an update's traffic misses the core's own cache where blocks run tile by tile (see
 * codelets/run.c): for the rows that come from the tile before, and, where a tile of the least height
 * is too large, for more. Fitted to radius 1 and 4 in 3-D. */
static double misses(const struct zoid_machine *m, const struct zoid_plan *p, double block)
{
    const struct zoid_shape *shape = &p->graph.shape;
    const double least = 8, rows_beside = 3, crowding = 2.5;
    /* The only field of an operator drifts through one buffer. */
    const double buffers = p->problem.op->nstate > 1 ? 2 : 1;
    int axis = shape->dims - 2;
    double lean = 1, fit, value = (double)zoid_type_size(p->layout.type);

    if (axis < 0 || zoid_face_open(shape, axis, ZOID_LOW) || zoid_face_open(shape, axis, ZOID_HIGH))
        return 1;
    for (int s = 0; s < shape->stages; s++)
        lean = fmax(lean, fmax((double)shape->reach[s].lo[axis], (double)shape->reach[s].hi[axis]));
    if (axis == 0)
        lean = ceil(lean * value / ZOID_LINE) * ZOID_LINE / value;
    fit = 0.75 * cache_share(m, 1, p->workers) / (buffers * block / (double)shape->n[axis]) / lean -
          2;
    return rows_beside / fmax(fit, least) + crowding * fmax(1 - fit / least, 0);
}

/* Planes that a block leaves to another of its pass: those that a face moves over, at every time. */
static double handed_on(const struct zoid_plan *p)
{
    long lo, hi;

    zoid_chain_reach(&p->graph.shape, &lo, &hi);
    return p->census.kind[ZOID_REUSE].rows ? p->census.mean_times * (double)(lo + hi) : 0;
}

/* Seconds a byte between main memory and a disk, each way: a fast one is twice as fast. */
static const double DISK = 1 / 1e9;

/* Where main memory holds few slabs, StarPU, which makes room for two when one is to come, also throws
 * out some that the next lane is about to take: measured with a busy machine and two lanes, half as many
 * again to twice as many bytes with less than 6 slabs a lane, and none with that. */
static double detours(const struct zoid_plan *p)
{
    const double enough = 6, worst = 2;
    uint64_t slab = zoid_budget_datum_bytes(p, ZOID_SLAB), all = zoid_budget_data(p, ZOID_SLAB);
    double room = (double)(p->bytes[ZOID_SLAB] + p->budget - p->total_bytes) / (double)slab;

    return room < (double)all &&
                   room < enough * (double)zoid_budget_running(p) * (double)p->census.open_slabs
               ? worst
               : 1;
}

/* Seconds that slabs and coefficients spend on their way from and to the disk: once for all lanes. */
static double disk_seconds(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    double bytes =
        (double)zoid_layout_plane_bytes(&p->layout) * (double)g->shape.n[g->shape.dims - 1];
    double passes = g->steps > g->depth ? ceil((double)g->steps / (double)g->depth) : 1;

    return p->on_disk ? detours(p) * ceil(passes / g->lanes) * bytes *
                            (2 * p->problem.op->nstate + p->problem.op->ncoef) * DISK
                      : 0;
}

/* Of two things that take so long each. */
static double together(const struct zoid_plan *p, double a, double b)
{
    return p->serial ? a + b : fmax(a, b);
}

static double estimate_cpu(const struct zoid_machine *machine, struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    double extent = (double)g->shape.n[g->shape.dims - 1], plane = plane_bytes(p);
    double height = g->block < extent ? (double)g->block : extent;
    double times = p->census.mean_times, slabs = extent / height;
    double passes = g->steps > g->depth ? (double)g->steps / (double)g->depth : 1;
    double tallest = (double)p->census.box_planes > height ? (double)p->census.box_planes : height;
    double ring = handed_on(p), fed = workers_fed(p, slabs, passes);
    /* The planes of two times and the slab. What came from one neighbour and what goes to the other
     * does not survive in a cache until then. */
    struct home home = home_of(machine, 3 * tallest * plane, p->workers);
    double in_cache = fmax(UPDATE * plane_traffic(p), FLOP * plane_flops(p));
    double beside = times > 1 ? home.cost * misses(machine, p, tallest * plane) : 0;
    double update = in_cache + plane_traffic(p) *
                                   (beside + (1 + ring / p->census.mean_planes) * MEMORY / times);
    double block = TASK + update * times * p->census.mean_planes;
    /* Lanes that are a pass short wait for the others, unless they may share. */
    double rounds = g->elastic ? 1 : ceil(passes / g->lanes) * g->lanes / ceil(passes);
    double compute = block * ((double)p->census.blocks / fed * rounds + fed);

    snprintf(p->reason, sizeof p->reason,
             "%s of %ld planes run %ld steps a %s from %s; %.0f of %d workers fed%s",
             g->leaf ? "leaves" : "slabs", g->leaf ? g->leaf : g->block, g->depth,
             g->leaf ? "pass" : "visit", times > 1 ? home.name : "memory", fed, p->workers,
             p->on_disk ? "; slabs stream from disk" : "");
    /* The first slab's way in and the last one's way out run under nothing. */
    return together(p, compute, disk_seconds(p)) + (p->on_disk ? 2 * height * plane * DISK : 0);
}

static const double GPU_MEMORY = 1 / 3.6e12; /* seconds a byte that a kernel moves */
static const double LAUNCH = 2e-6;           /* seconds a stage spends between kernels */
/* Seconds from the end of a block to the next one's kernels, where no other lane has any. */
static const double GPU_TASK = 120e-6;
static const double LINK = 1 / 50e9; /* seconds a byte between RAM and a GPU, each way */

/* A slab on a GPU takes as long as its blocks' kernels or as its way in, whichever is longer. */
static double estimate_gpu(struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    double extent = (double)g->shape.n[g->shape.dims - 1], plane = plane_bytes(p);
    double height = g->block < extent ? (double)g->block : extent;
    double times = p->census.mean_times, mean = p->census.mean_planes;
    /* A single time is computed beside its slab and copied into it. Where blocks are lower than slabs,
     * a slab takes several. */
    double compute = (times > 1 ? times : 2) * (LAUNCH + mean * plane_traffic(p) * GPU_MEMORY);
    double blocks = fmax(height / mean, 1) * (double)(g->depth * g->shape.stages) / times;
    /* Both ways at once, or one after the other. */
    double move = p->in_core ? 0 : height * plane * LINK * (p->serial ? 2 : 1);
    long passes = g->steps > g->depth ? (g->steps + g->depth - 1) / g->depth : 1;
    /* Blocks at the ends of a leaning pass are cut off; they add up to whole ones. */
    double slabs = extent / height;
    int gpus = g->lanes < p->workers ? g->lanes : p->workers, own = g->lanes / gpus;
    /* How often a slab comes from RAM, and visits the first GPU, which has the most lanes to do; how
     * often it is alone there. */
    long ways = (passes + g->lanes - 1) / g->lanes, left = passes - (ways - 1) * g->lanes;
    long visits = (ways - 1) * own + (left < own ? left : own);
    long alone = own == 1 ? visits : left == 1;
    double work = (double)visits * blocks * compute + (double)alone * blocks * GPU_TASK;

    snprintf(p->reason, sizeof p->reason,
             "slabs of %ld planes run %ld steps a visit, %d visits in turn on %d of %d GPUs, %s",
             g->block, g->depth, own, gpus, p->workers,
             p->in_core ? "and stay there" : "and stream through them");
    /* The first slab's way in and the last one's way out run under nothing. */
    return together(p, together(p, work, (double)ways * move) * slabs + gpus * blocks * compute,
                    disk_seconds(p)) +
           2 * height * plane * (LINK + (p->on_disk ? DISK : 0));
}

double zoid_estimate(const struct zoid_machine *machine, struct zoid_plan *p)
{
    return p->on_gpu ? estimate_gpu(p) : estimate_cpu(machine, p);
}
