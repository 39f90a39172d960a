/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimate for workers of both kinds that take the same blocks: their rates add up, as long as no
 * pass is shorter than the block of a worker that takes part. A scheduler that knows the costs
 * leaves out workers that are slower than that. */
#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/place.h"

/* Part of a pass that a worker idles, if each takes one of its blocks. */
static const double SCATTER = 0.25;

/* The workers of a kind. */
struct kind {
    enum zoid_place_kind kind;
    int workers;
    double each; /* seconds of one of them for all blocks */
    double share;
    struct zoid_cost cost; /* of all blocks by these workers alone */
};

struct zoid_plan zoid_plan_as(const struct zoid_plan *p, enum zoid_place_kind kind)
{
    const int workers = zoid_place_of_kind(&p->place, kind);
    struct zoid_plan one = *p;

    if (zoid_streams(kind))
        one.graph.lanes = (int)zoid_min(one.graph.lanes, 2L * workers);
    one.place = zoid_place_make(kind, workers, p->place.traversal, one.graph.lanes);
    if (zoid_streams(kind))
        zoid_budget_keep(&one);
    return one;
}

/* Estimate the blocks as if workers of one kind took all. A core computes, a GPU waits for its link
 * as well. */
static struct kind kind_of(const struct zoid_model *m, struct zoid_plan *p,
                           enum zoid_place_kind kind)
{
    struct zoid_plan one = zoid_plan_as(p, kind);
    struct kind k = {.kind = kind, .workers = one.place.workers};

    k.cost = zoid_places[kind]->estimate(m, &one);
    k.each = k.cost.near + k.cost.far + (double)p->census.blocks * m->rates->task;
    if (zoid_streams(kind)) {
        k.each = fmax(k.each, k.cost.seconds * k.workers);
        return k;
    }
    p->place.runner = one.place.runner;
    p->place.spares = one.place.spares;
    return k;
}

/* Seconds of all blocks if the kinds in `taking` share them. The longest chain of them, `serial` of
 * all work, has one block of a pass that the slowest takes; and workers end their blocks of a pass
 * one after another. */
static double together(const struct kind kind[], int kinds, unsigned taking, double serial)
{
    double speed = 0, slowest = 0;
    int workers = 0;

    for (int i = 0; i < kinds; i++) {
        if (!(taking >> i & 1))
            continue;
        workers += kind[i].workers;
        speed += kind[i].workers / kind[i].each;
        slowest = fmax(slowest, kind[i].each * serial);
    }
    return fmax((1 + SCATTER * workers * serial) / speed, slowest);
}

/* Return the seconds of the fastest choice of kinds, and set their shares. */
static double fastest(struct kind kind[], int kinds, double serial)
{
    unsigned best = 1;
    double least = INFINITY, speed = 0;

    for (unsigned taking = 1; taking < 1u << kinds; taking++) {
        const double seconds = together(kind, kinds, taking, serial);

        if (seconds < least) {
            least = seconds;
            best = taking;
        }
    }
    for (int i = 0; i < kinds; i++)
        speed += best >> i & 1 ? kind[i].workers / kind[i].each : 0;
    for (int i = 0; i < kinds; i++)
        kind[i].share = best >> i & 1 ? kind[i].workers / kind[i].each / speed : 0;
    return least;
}

/* Parts of the kinds' costs, by the shares of the blocks that they take. */
static struct zoid_cost sum_of(const struct kind kind[], int kinds)
{
    struct zoid_cost sum = {.calibrated = true};

    for (int i = 0; i < kinds; i++) {
        const struct zoid_cost *c = &kind[i].cost;

        for (int r = 0; r < ZOID_COSTS && kind[i].share > 0; r++)
            sum.part[r] += kind[i].share * c->part[r];
        sum.near += kind[i].share > 0 ? kind[i].share * c->near : 0;
        sum.far += kind[i].share > 0 ? kind[i].share * c->far : 0;
        sum.calibrated &= c->calibrated;
    }
    return sum;
}

/* Limit the blocks in flight to those that keep all workers busy, twice: while the slowest takes
 * one, others take several. Returns the part of the workers that those feed that memory allows,
 * with a block each that runs and one that is next. */
static double limit_flight(struct zoid_plan *p, const struct kind kind[], int kinds)
{
    double need = 0, slowest = 0;

    if (!zoid_plan_on_gpus(p))
        return 1;
    for (int i = 0; i < kinds; i++)
        slowest = fmax(slowest, kind[i].each);
    for (int i = 0; i < kinds; i++)
        need += 2 * kind[i].workers * ceil(slowest / kind[i].each);
    p->place.flight = (long)fmax(fmin((double)p->place.flight, need), 2);
    zoid_budget_recount(p);
    return fmin((double)p->place.flight / (2 * p->place.workers), 1);
}

static void set_paces(struct zoid_plan *p, const struct kind kind[], int kinds)
{
    const double points = fmax(zoid_estimate_points(p), 1);

    for (int i = 0; i < p->place.crews; i++)
        for (int k = 0; k < kinds; k++)
            if (p->place.crew[i].kind == kind[k].kind)
                p->place.crew[i].pace = kind[k].each / points;
}

static void explain(struct zoid_plan *p, const struct kind kind[], int kinds)
{
    const double passes = fmax(zoid_estimate_passes(p), 1);
    int busy = 0;

    for (int k = 0; k < kinds; k++)
        busy += kind[k].share > 0 ? kind[k].workers : 0;
    snprintf(
        p->reason, sizeof p->reason,
        "slabs of %ld planes run %ld steps a visit, %.0f blocks a pass, which %d of %d workers "
        "take as they are dealt",
        p->graph.block, p->graph.depth, (double)p->census.blocks / passes, busy, p->place.workers);
}

/* Part of all work that is on the longest chain of blocks, with the highest slab of each pass in
 * it: the last slab may be lower. */
static double serial_of(const struct zoid_plan *p)
{
    const double line = (double)zoid_max(zoid_cell_line(&p->graph), 1);
    const double highest = fmin((double)p->graph.block, line) / line;

    return fmin(fmax(p->census.about.serial, highest / (double)zoid_rank_cells(&p->graph)), 1);
}

static struct zoid_cost estimate_any(const struct zoid_model *m, struct zoid_plan *p)
{
    const double submits = (double)p->census.blocks * m->rates->submit;
    struct kind kind[ZOID_ANY];
    struct zoid_cost cost;
    double seconds;
    int kinds = 0;

    for (int k = 0; k < ZOID_ANY; k++)
        if (zoid_place_of_kind(&p->place, (enum zoid_place_kind)k)) {
            kind[kinds] = kind_of(m, p, (enum zoid_place_kind)k);
            kind[kinds].each = fmax(kind[kinds].each, 1e-9);
            if (!(kind[kinds].each < INFINITY))
                return (struct zoid_cost){.seconds = INFINITY};
            kinds++;
        }
    seconds = fastest(kind, kinds, serial_of(p));
    /* Blocks by cores alone have been scheduled. */
    if (p->turns > 0 && !zoid_plan_on_gpus(p))
        seconds = fmax(seconds, kind->each * p->turns * (p->turns < 1 ? m->waits : 1));
    cost = sum_of(kind, kinds);
    cost.part[ZOID_COST_TASK] = fmax(cost.part[ZOID_COST_TASK], submits);
    cost.seconds = fmax(seconds / limit_flight(p, kind, kinds), submits);
    set_paces(p, kind, kinds);
    explain(p, kind, kinds);
    return cost;
}

static bool can(const struct zoid_op *op)
{
    return zoid_place_cores.can(op);
}

/* GPUs need no less than cores. */
static long batch(const struct zoid_graph *graph)
{
    return zoid_max(zoid_place_cores.batch(graph), zoid_place_gpus.batch(graph));
}

const struct zoid_place_type zoid_place_any = {.name = "any",
                                               .workers = "any",
                                               .on = " on any worker",
                                               .memory = ZOID_RAM,
                                               .begun = 2,
                                               .beside = 1,
                                               .can = can,
                                               .batch = batch,
                                               .estimate = estimate_any};
