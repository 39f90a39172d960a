/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimate on cores: the cost of an update depends on the cache that its block runs from; every
 * visit of a slab streams it from and to memory once; data handed to neighbours is written and read
 * once per time; tasks cost a little each; and a chain of blocks feeds no more workers than it has
 * passes open. */
#include <math.h>
#include <string.h>

#include "codelets/block/in_place.h"
#include "codelets/block/scratch.h"
#include "codelets/block/tile.h"
#include "codelets/cpu/run.h"
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "runtime/machine/core.h"
#include "runtime/plan/place.h"
#include "runtime/plan/schedule.h"

/* Seconds of a sweep over no rows, on 2 EPYC cores. */
static const double SWEEP = 0.2e-6;

/* Seconds per row of a 2-D tile besides its points; measured rates include one row per ROW_POINTS
 * points, and only further ones count: jacobi2d with 8192 and 2048 points per row in blocks of 128
 * to 4096, on an EPYC core. */
static const double ROW = 18e-9, ROW_POINTS = 512;

/* Seconds per row of a layer that matches, and per layer of a plane, besides the points: wave in
 * 1-D to 3-D, radius 1 to 4, f32 and f64, on an EPYC core. */
static const double LAYER_ROW = 50e-9, LAYER = 50e-9;

/* Fraction of the rate in main memory; plans on a disk report the steps that reach it. */
static const double NEARLY = 0.9;

/* Blocks that follow a pass under way are a few blocks behind it, and find its slabs in nearer
 * caches. */
double zoid_estimate_away(const struct zoid_model *m, const struct zoid_plan *p, double busy)
{
    const double height = (double)zoid_min(p->graph.block, zoid_cell_line(&p->graph));
    const double plane = zoid_estimate_state(p) + zoid_estimate_coefficients(p);
    const double domain =
        zoid_rates_distance(m->rates, plane * zoid_estimate_planes(p) / zoid_place_all(&p->place));
    const double cells = fmin((double)zoid_rank_cells(&p->graph), busy);
    const double open = p->graph.method->pipelined ? fmax(busy / cells, 1) : 1;
    const bool scratch = p->graph.depth > 1 && !zoid_run_in_slabs(p->problem.op);
    const double between = height * plane * (1 + zoid_estimate_lag(p, height) + scratch);

    return (domain + (open - 1) * fmin(zoid_rates_distance(m->rates, between), domain)) / open;
}

/* Bytes of a row of a tile (in 2-D: a point) over `planes` planes. */
static double tile_row(const struct zoid_op *op, const struct zoid_layout *layout, double planes)
{
    /* The field of an operator with a single one drifts through one buffer. */
    const double fields = (op->nstate > 1 ? 2 : 1) * op->nstate + op->ncoef;

    return planes * fields * (double)zoid_type_size(layout->type) *
           (double)zoid_layout_rows(layout, 1);
}

/* Size, in leans of rows, of the tile that stays in the core's own cache. */
static double tile_fit(const struct zoid_machine *machine, const struct zoid_op *op,
                       const struct zoid_shape *shape, const struct zoid_layout *layout,
                       double planes)
{
    return zoid_tile_fit(zoid_machine_core(machine).cache, tile_row(op, layout, planes),
                         zoid_tile_lean(shape, zoid_type_size(layout->type)));
}

/* Return how far from the core's own cache the lowest tiles lie. */
static double tile_distance(const struct zoid_rates *rates, const struct zoid_op *op,
                            const struct zoid_shape *shape, const struct zoid_layout *layout,
                            double planes)
{
    const long lean = zoid_tile_lean(shape, zoid_type_size(layout->type));

    return zoid_rates_distance(rates,
                               (ZOID_TILE_LEAST + 2) * (double)lean * tile_row(op, layout, planes));
}

/* Return by how much tiles exceed the core's own cache: 0 if they fit, 2 if hardly anything of them
 * stays. */
static double tile_excess(const struct zoid_machine *machine, const struct zoid_op *op,
                          const struct zoid_shape *shape, const struct zoid_layout *layout,
                          double planes)
{
    const double fit = tile_fit(machine, op, shape, layout, planes);

    return fmin(fmax(2 - 2 * (fit + 2) / (ZOID_TILE_LEAST + 2), 0), 2);
}

double zoid_estimate_excess(const struct zoid_machine *machine, const struct zoid_rates *rates,
                            const struct zoid_op *op, const struct zoid_shape *shape,
                            const struct zoid_layout *layout, double planes)
{
    return tile_excess(machine, op, shape, layout, planes) *
           tile_distance(rates, op, shape, layout, planes);
}

double zoid_estimate_ends(const struct zoid_machine *machine, const struct zoid_shape *shape,
                          enum zoid_type type)
{
    static const size_t bytes[] = {[ZOID_PORTABLE] = 0, [ZOID_V3] = 32, [ZOID_V4] = 64};
    const double lanes = fmax((double)(bytes[machine->isa] / zoid_type_size(type)), 1);
    const double n = (double)shape->n[0], more = fmod(n, lanes) > 0 ? 1 : 0.5;

    return shape->dims > 1 && !zoid_in_order(shape) ? (ceil(n / lanes) + more) * lanes / n : 1;
}

/* Sweeps over tiles of a block at each of its times, most of them over no rows if many times lean
 * through few rows. */
static double tiles_of(const struct zoid_model *m, const struct zoid_plan *p, double planes,
                       double times)
{
    const struct zoid_shape *shape = &p->graph.shape;
    const int axis = zoid_chain(shape) - 1;
    const double fit = tile_fit(m->machine, p->problem.op, shape, &p->layout, planes);
    const double lean = (double)zoid_tile_lean(shape, zoid_type_size(p->layout.type));
    const double rows = (double)(p->layout.hi[axis] - p->layout.lo[axis]) / lean;

    /* A block that fits whole is not tiled; see codelets/block/run.c. */
    return fit < rows ? (rows + times) / fmax(fit, ZOID_TILE_LEAST) : 1;
}

/* Rows of tiles in a plane of a 2-D block, beyond those that the measured rates include. */
static double rows_beyond(const struct zoid_model *m, const struct zoid_plan *p, double planes,
                          double times)
{
    const double points = (double)(p->layout.hi[0] - p->layout.lo[0]);

    return p->graph.shape.dims == 2 ? fmax(tiles_of(m, p, planes, times) - points / ROW_POINTS, 0)
                                    : 0;
}

/* Planes that blocks leave to one another: those that a face moves over, at every time. */
static double handed_on(const struct zoid_plan *p, const struct zoid_block_extent *e)
{
    const struct zoid_census *c = &p->census;
    long lo, hi;

    zoid_chain_reach(&p->graph.shape, &lo, &hi);
    return c->kind[ZOID_REUSE].rows || c->kind[ZOID_EDGE].rows
               ? e->blocks * e->times * (double)(lo + hi)
               : 0;
}

static const char *home_of(double distance)
{
    return distance < 0.01  ? "the core's own cache"
           : distance < 0.5 ? "the shared cache"
                            : "memory";
}

/* Seconds of a plane's way through the ring (skew buffer) into which a single time is computed
 * (codelets/block/in_place.c), in whole planes or tiles of rows: it is written there, read again
 * and written to its slab, whose cache lines are still there. There is no ring if slabs that stay
 * take it directly; the measured rate of a single step includes it. */
static double through_ring(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_shape *shape = &p->graph.shape;
    const bool straight = p->graph.method->single_step && zoid_run_in_slabs(p->problem.op);
    const bool measured = m->cores && zoid_tiled(shape);
    const double state = zoid_estimate_state(p);
    const long batch = zoid_cpu_batch(shape);
    const double planes = (double)zoid_scratch_planes(shape, 0, batch);
    const size_t cache = zoid_traversal_fuses(p->place.traversal[ZOID_CORES])
                             ? zoid_machine_core(m->machine).cache
                             : 0;
    const double row =
        (double)(p->layout.pitch * p->problem.op->nstate) * (double)zoid_type_size(p->layout.type);
    const long rows = zoid_in_place_rows(cache, row, shape, batch);
    const double near = rows ? fmin((double)rows / (double)shape->n[1], 1) : 1;

    return straight || measured
               ? 0
               : 2 * state * zoid_rates_cost(m->rates, 2 * planes * state * near) * m->far;
}

/* Seconds per point due to tiles that exceed the core's own cache: the rate measured with tiles
 * that exceed it by a little, or if hardly anything of them stays, that of a visit for each
 * time. */
static double exceeding(const struct zoid_model *m, const struct zoid_plan *p, double planes)
{
    const struct zoid_op *op = p->problem.op;
    const struct zoid_shape *shape = &p->graph.shape;
    const double excess = tile_excess(m->machine, op, shape, &p->layout, planes);

    return fmax(m->op.exceeding * excess, m->op.visit * excess * excess / 4) *
           tile_distance(m->rates, op, shape, &p->layout, planes);
}

/* Seconds of one core for blocks: as if all data were in the core's own cache, and the additional
 * time for data from farther away. */
struct work {
    double near, far;
    double handed; /* of a plane that neighbours leave or take; included above */
    double away;   /* memory time relative to the rates of visits, at the domain's distance */
    const char *home;
};

/* Cores at work, by workers: a chain of blocks feeds some of them. */
static double busy_of(const struct zoid_plan *p)
{
    return 1 / p->turns * zoid_place_all(&p->place) / p->place.workers;
}

static double height_of(const struct zoid_plan *p)
{
    return fmin((double)p->graph.block, (double)zoid_cell_line(&p->graph));
}

static struct work work_of(const struct zoid_model *m, const struct zoid_plan *p,
                           const struct zoid_block_extent *e)
{
    const struct zoid_rates *r = m->rates;
    const double points = (double)p->layout.plane / p->problem.op->step;
    const double plane = zoid_estimate_state(p) + zoid_estimate_coefficients(p);
    const double planes = e->planes, times = fmax(e->times, 1), busy = busy_of(p);
    const double max_planes = fmax((double)p->census.box_planes, height_of(p));
    const double share = e->share;
    /* With fewer busy cores than were measured, each gets more of the memory bandwidth; those of
     * other parts take theirs. */
    const double memory =
        points * zoid_rates_memory(r, busy + p->place.busy) / zoid_rates_memory(r, r->workers);
    const double far = fmax(m->op.step - m->op.tiled, 0) * memory * share;
    /* All stages of a step, since each of them counts as a time. */
    const double visit = m->op.visit * memory * p->problem.op->step;
    const bool tiled = zoid_tiled(&p->graph.shape);
    /* Planes of a sweep drift through one buffer; tiles need those of two times, and the slab. */
    const double home = zoid_rates_distance(r, (tiled ? 3 : 1) * max_planes * plane);
    const double away = zoid_estimate_away(m, p, busy);
    /* Planes from one neighbour, and those for the other, do not stay in a cache that long: they
     * cost a visit, whose default rate is low because of tiles. */
    struct work w = {.near = planes * m->op.tiled * points * share *
                             zoid_estimate_ends(m->machine, &p->graph.shape, p->layout.type),
                     .handed = m->cores ? visit : fmin(far, visit),
                     .away = memory / points * away,
                     .home = times > 1 ? home_of(home) : "memory"};

    if (times <= 1)
        w.far = planes * far * away + planes * through_ring(m, p);
    else if (tiled)
        w.far =
            planes * exceeding(m, p, max_planes) * memory * share + planes / times * visit * away;
    else
        w.far = planes * far * home + planes / times * visit * away;
    if (tiled && times > 1)
        w.near += e->blocks * times * tiles_of(m, p, max_planes, e->times) * SWEEP * m->near +
                  planes * rows_beyond(m, p, max_planes, e->times) * ROW * m->near;
    w.far += handed_on(p, e) * w.handed;
    return w;
}

/* All blocks of a plan. */
static struct zoid_block_extent all_of(const struct zoid_plan *p)
{
    return (struct zoid_block_extent){.planes = p->census.planes,
                                      .times = p->census.about.mean_times,
                                      .blocks = (double)p->census.blocks,
                                      .share = zoid_estimate_share(p)};
}

static struct zoid_blocks blocks_of(const struct zoid_plan *p, const struct zoid_block_extent *e)
{
    return (struct zoid_blocks){.op = p->problem.op,
                                .shape = &p->graph.shape,
                                .layout = &p->layout,
                                .traversal = p->place.traversal[ZOID_CORES],
                                .planes = fmax((double)p->census.box_planes, height_of(p)),
                                .times = e->times,
                                .team = p->place.team,
                                .handed_on = e->planes > 0 ? handed_on(p, e) / e->planes : 0};
}

static struct zoid_pace pace_of(const struct zoid_model *m, const struct zoid_plan *p,
                                const struct zoid_block_extent *e, const struct work *sweeps)
{
    const struct zoid_op *op = p->problem.op;
    const struct zoid_rates *r = m->rates;
    const double points = (double)p->layout.plane / op->step;
    const double ends = zoid_estimate_ends(m->machine, &p->graph.shape, p->layout.type) * e->share;

    return (struct zoid_pace){.update = m->op.tiled * ends,
                              .untiled = m->op.untiled * ends,
                              .farther = fmax(m->op.step - m->op.untiled, 0) * e->share,
                              .near = r->cost[0].seconds,
                              .far = r->cost[r->costs - 1].seconds,
                              .handed = sweeps->handed / points,
                              .marched = m->op.marched * ends,
                              .marched_visit = op->step * m->op.marched_visit * sweeps->away,
                              .stream = r->cost[r->costs - 1].seconds * sweeps->away,
                              .stretch = ROW * m->near,
                              .stretch_points = ROW_POINTS,
                              .cpu = zoid_machine_core(m->machine),
                              .cost = zoid_rates_cost,
                              .rates = r};
}

/* Choose the fastest runner of a list that fits the blocks, if it is faster than `least`. */
static void take_less(struct zoid_plan *p, const struct zoid_block_runner *const *runner,
                      const struct zoid_blocks *blocks, const struct zoid_pace *pace,
                      struct work *least)
{
    for (; *runner; runner++) {
        const double seconds = (*runner)->fits(blocks)
                                   ? p->census.planes * (*runner)->seconds(blocks, pace)
                                   : INFINITY;

        if (seconds < least->near + least->far) {
            *least = (struct work){.near = seconds, .home = least->home};
            p->place.runner = *runner;
        }
    }
}

/* Return whether blocks leave their scratch buffer untouched, so that the system never allocates
 * its pages. */
static bool spares(const struct zoid_plan *p, const struct zoid_blocks *blocks)
{
    const bool lean = p->census.about.abreast == 1 && !p->graph.leaf;
    const struct zoid_block_runner *runner = p->place.runner;

    return lean && runner && runner->spares && runner->spares(blocks);
}

/* Seconds of halos between cells: they are written and read once, while the slabs next to them are
 * in use. */
static double halos_of(const struct zoid_model *m, const struct zoid_plan *p,
                       const struct zoid_pace *pace, const struct work *sweeps)
{
    return 2 * zoid_estimate_halos(p) * pace->far * sweeps->away * m->far;
}

/* Seconds of layers that match, which are computed after the planes of each time: as many
 * operations at the operator's rate, values that are in the core's cache, and memory from where
 * that of a block is. It comes there from its home once a visit. */
static struct work layers_of(const struct zoid_model *m, const struct zoid_plan *p,
                             const struct zoid_block_extent *e, const struct zoid_pace *pace,
                             const struct work *sweeps)
{
    const struct zoid_estimate_layers l = zoid_estimate_layers(p);
    const double height = fmax((double)p->census.box_planes, height_of(p));
    const double planes = e->planes / p->problem.op->step, memory = l.memory * l.points;
    const double byte = zoid_rates_cost(m->rates, height * memory);
    const double each = l.flops / p->problem.op->flops * m->op.tiled +
                        (l.beside * pace->near + 2 * l.memory * byte) * m->near;

    if (!(l.points > 0))
        return (struct work){.near = 0};
    return (struct work){
        .near = planes * (e->share * (l.points * each + l.rows * LAYER_ROW * m->near) +
                          l.layers * LAYER * m->near),
        .far = planes / fmax(e->times, 1) * e->share * 2 * memory * fmax(pace->far - byte, 0) *
               sweeps->away * m->far,
    };
}

/* Time of all blocks by sweeps, or by another runner that fits them and is faster; infinite if
 * nothing fits. Sets the plan's runner, and whether it leaves scratch untouched. */
static struct work least_work(const struct zoid_model *m, struct zoid_plan *p)
{
    const struct zoid_op *op = p->problem.op;
    const struct zoid_block_extent all = all_of(p);
    const struct work sweeps = work_of(m, p, &all);
    const struct zoid_blocks blocks = blocks_of(p, &all);
    const struct zoid_pace pace = pace_of(m, p, &all, &sweeps);
    struct work least = sweeps, layers;

    p->place.runner = NULL;
    if (!zoid_cpu_runners[0]->fits(&blocks))
        least.near = INFINITY;
    take_less(p, zoid_cpu_runners + 1, &blocks, &pace, &least);
    if (op->runner)
        take_less(p, op->runner, &blocks, &pace, &least);
    layers = layers_of(m, p, &all, &pace, &sweeps);
    least.near += layers.near;
    least.far += layers.far + halos_of(m, p, &pace, &sweeps);
    p->place.spares = spares(p, &blocks);
    return least;
}

/* Append to the plan's reason: the steps per visit from which on a disk is nearly as fast as
 * memory, and the runner's own explanation. */
static void explain(const struct zoid_model *m, struct zoid_plan *p, double computing, double disk)
{
    const struct zoid_block_runner *runner = p->place.runner;
    const struct zoid_cpu cpu = zoid_machine_core(m->machine);
    size_t at = strlen(p->reason);
    char text[128] = "";

    if (p->home == ZOID_DISK)
        snprintf(p->reason + at, sizeof p->reason - at,
                 "; slabs stream from disk, at %.1f of the rate in memory from %.0f steps a %s on",
                 NEARLY, ceil(NEARLY * (double)p->graph.depth * disk / computing),
                 p->graph.leaf ? "pass" : "visit");
    at = strlen(p->reason);
    if (!runner || !runner->explain)
        return;
    runner->explain(p->problem.op, &cpu, text, sizeof text);
    snprintf(p->reason + at, sizeof p->reason - at, "; %s", text);
}

/* Return the time that blocks take on a worker, relative to that of one core. */
static double together(const struct zoid_plan *p, const struct zoid_block_extent *e)
{
    const struct zoid_block_runner *runner = p->place.runner;
    const struct zoid_blocks blocks = blocks_of(p, e);
    const int team = p->place.team;

    if (team < 2)
        return 1;
    return (runner && runner->excess ? runner->excess(&blocks) : team) / team;
}

/* The same sums for one block, by the plan's runner. */
static double block_of(const struct zoid_model *m, const struct zoid_plan *p,
                       const struct zoid_block_extent *e)
{
    const struct zoid_block_runner *runner = p->place.runner;
    const struct work sweeps = work_of(m, p, e);
    const struct zoid_blocks blocks = blocks_of(p, e);
    const struct zoid_pace pace = pace_of(m, p, e, &sweeps);
    const double seconds =
        runner ? e->planes * runner->seconds(&blocks, &pace) : sweeps.near + sweeps.far;
    const struct work layers = layers_of(m, p, e, &pace, &sweeps);
    const double halos = halos_of(m, p, &pace, &sweeps) * e->planes / fmax(p->census.planes, 1);

    return (seconds + layers.near + layers.far + halos) * together(p, e);
}

static struct zoid_cost estimate_cores(const struct zoid_model *m, struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_block_extent all = all_of(p);
    double extent = (double)zoid_cell_line(g), height = height_of(p);
    double blocks = (double)p->census.blocks;
    double turns = p->turns = p->turns > 0 ? p->turns : zoid_turns_about(p);
    double fed = 1 / turns, waits = fed > 1 ? m->waits : 1, length = waits * turns;
    double busy = busy_of(p);
    struct work work = least_work(m, p);
    const struct zoid_block_runner *runner = p->place.runner;
    struct zoid_cost cost = {.part = {[ZOID_COST_COMPUTE] = length * work.near,
                                      [ZOID_COST_MEMORY] = length * work.far,
                                      [ZOID_COST_TASK] = length * blocks * m->rates->task,
                                      [ZOID_COST_DISK] = zoid_estimate_disk(m, p)},
                             .near = work.near,
                             .far = work.far,
                             .waits = fed > 1 && p->home == ZOID_RAM ? waits : 0,
                             .calibrated = m->cores && (p->home != ZOID_DISK || *m->rates->disk)};
    double share = together(p, &all), sum;
    char teams[32] = "";

    cost.part[ZOID_COST_COMPUTE] *= share;
    cost.part[ZOID_COST_MEMORY] *= share;
    sum = cost.part[ZOID_COST_COMPUTE] + cost.part[ZOID_COST_MEMORY] + cost.part[ZOID_COST_TASK];

    if (p->place.team > 1)
        snprintf(teams, sizeof teams, ", in teams of %d", p->place.team);
    snprintf(p->reason, sizeof p->reason,
             "%s of %ld planes run %ld steps a %s from %s%s%s; %.0f of %d workers fed%s",
             g->leaf ? "leaves" : "slabs", g->leaf ? g->leaf : g->block, g->depth,
             g->leaf ? "pass" : "visit", work.home, runner ? " by " : "",
             runner ? runner->name : "", busy, zoid_place_all(&p->place), teams);
    explain(m, p, sum, cost.part[ZOID_COST_DISK]);
    cost.part[ZOID_COST_TASK] = fmax(cost.part[ZOID_COST_TASK], blocks * m->rates->submit);
    /* The transfer in of the first slab, and out of the last one, overlap with nothing. */
    cost.seconds =
        zoid_estimate_together(p, fmax(sum, cost.part[ZOID_COST_TASK]), cost.part[ZOID_COST_DISK]) +
        cost.part[ZOID_COST_DISK] / zoid_estimate_rounds(p) * height / extent;
    return cost;
}

static bool can(const struct zoid_op *op)
{
    (void)op;
    return true;
}

static long batch(const struct zoid_graph *graph)
{
    return zoid_cpu_batch(&graph->shape);
}

const struct zoid_place_type zoid_place_cores = {.name = "cores",
                                                 .workers = "cpu",
                                                 .on = " on cores",
                                                 .memory = ZOID_RAM,
                                                 .begun = 2,
                                                 .beside = 1,
                                                 .can = can,
                                                 .batch = batch,
                                                 .block = block_of,
                                                 .estimate = estimate_cores};
