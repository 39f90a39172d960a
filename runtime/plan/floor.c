/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/floor.h"

#include <math.h>

#include "codelets/cpu/skew.h"
#include "codelets/op/traits.h"
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

/* Owned planes of a rank's cells. */
static double own_planes(const struct zoid_graph *g)
{
    const int axis = zoid_chain(&g->shape);
    const long each = zoid_axis_cut(g, axis) ? zoid_grid_widths(g, axis).lo : g->shape.n[axis];

    return (double)zoid_rank_cells(g) * (double)each;
}

/* The last slab of a line whose border moves may have few planes, or be empty. */
static double slabs_of(const struct zoid_plan *p)
{
    const double slabs = (double)zoid_cell_line(&p->graph) / (double)p->graph.block;

    return (p->graph.apart ? slabs : ceil(slabs)) * (double)zoid_rank_cells(&p->graph);
}

/* Return a lower bound of the blocks: one per slab and pass, or 0 if they span slabs. */
static double blocks_of(const struct zoid_plan *p)
{
    return p->graph.method->spans || !p->graph.steps ? 0 : slabs_of(p) * zoid_estimate_passes(p);
}

/* Seconds of the disk, by data and by bytes. */
static double disk_of(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_tier *home = &p->tier[p->home];
    double (*datum)(const struct zoid_rates *) = zoid_tiers[p->home]->datum;
    const double bytes = zoid_estimate_planes(p) * zoid_estimate_state(p);

    if (p->home == ZOID_RAM)
        return 0;
    return zoid_estimate_rounds(p) *
           (bytes * (home->up + home->down) + (datum ? 2 * slabs_of(p) * datum(m->rates) : 0));
}

/* Lower bound on cores: an update in the core's own cache for each point, and a transfer there and
 * back for each visit. Runners of operators predict their own time. */
static double cores(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_op *op = p->problem.op;
    const struct zoid_rates *r = m->rates;
    const double points = (double)p->layout.plane / op->step, planes = own_planes(g);
    const double times = (double)g->steps * g->shape.stages;
    const double visits = (double)g->steps / (double)g->depth;
    const double away = zoid_estimate_away(m, p, zoid_place_all(&p->place)) *
                        zoid_rates_memory(r, 1) / zoid_rates_memory(r, r->workers);
    const int lanes = zoid_skewed_lanes(op);
    double update = m->op.tiled / lanes, visit = lanes > 1 ? 0 : m->op.visit, work = 0;

    if (m->op.marched > 0) {
        update = fmin(update, m->op.marched);
        visit = fmin(visit, m->op.marched_visit);
    }
    if (!op->runner)
        work = planes * points * zoid_estimate_share(p) * times * update;
    if (!op->runner && g->depth * g->shape.stages > 1)
        work += planes * points * visits * op->step * visit * away;
    return fmin(m->waits, 1) * (work + blocks_of(p) * r->task) / zoid_place_all(&p->place);
}

/* Lower bound on GPUs, at the best rate of the kernels. Slabs that cannot stay come and go in every
 * round. With several GPUs, the first may have one pass less. */
static double gpus(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_op *op = p->problem.op;
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];
    const int several = g->lanes < p->place.workers ? g->lanes : p->place.workers;
    const double lanes = zoid_estimate_lanes(p), rounds = zoid_estimate_rounds(p);
    const double share = zoid_cells(g) > 1 ? several : 1;
    const double bytes = zoid_estimate_planes(p) * zoid_estimate_state(p);
    const double points = (double)p->layout.plane / (double)zoid_op_width(op) / op->step;
    const double passes = (double)g->steps / (double)g->depth;
    const double visits = zoid_cells(g) > 1 ? fmax((passes - 2 * lanes) / several, 0)
                          : several > 1     ? fmax(passes / several - 2, 0)
                                            : passes;
    const double pass = own_planes(g) * points * (double)g->depth * g->shape.stages;
    const double rate = zoid_op_in_order(op) ? 0 : fmin(m->op.gpu_step, m->op.gpu_even);
    const double both = rounds > 1 && !p->serial ? m->rates->link_both : 1;
    const double link = bytes > (double)gpu->capacity
                            ? rounds * bytes / share * fmax(gpu->up, gpu->down) * both
                            : 0;

    return fmin(m->gpu.waits, 1) *
           fmax(fmax(visits * pass * rate, link), blocks_of(p) * m->rates->gpu_task / several);
}

double zoid_floor_point(const struct zoid_model *model, const struct zoid_op *op,
                        enum zoid_place_kind kind, bool fuses)
{
    const struct zoid_op_rates *r = &model->op;

    if (zoid_streams(kind))
        return fuses ? r->gpu_even : r->gpu_step;
    return r->marched > 0 ? fmin(r->marched, r->tiled) : r->tiled / zoid_skewed_lanes(op);
}

/* Lower bound of ANY place: the rates of both kinds of workers add up. */
static double any(const struct zoid_model *m, const struct zoid_plan *p)
{
    double speed = 0;

    for (int k = 0; k < ZOID_ANY; k++) {
        const enum zoid_place_kind kind = (enum zoid_place_kind)k;
        struct zoid_plan one = *p;

        one.place.kind = kind;
        one.place.workers = zoid_place_of_kind(&p->place, kind);
        one.place.crews = 0;
        if (one.place.workers)
            speed += 1 / (zoid_streams(kind) ? gpus(m, &one) : cores(m, &one));
    }
    return 1 / speed;
}

static double of_place(const struct zoid_model *m, const struct zoid_plan *p)
{
    if (p->place.kind == ZOID_ANY)
        return any(m, p);
    return zoid_plan_streams(p) ? gpus(m, p) : cores(m, p);
}

double zoid_floor_seconds(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_plan now = zoid_estimate_present(p);
    const double most = fmax(blocks_of(&now) * m->rates->submit, disk_of(m, &now));

    /* Margin for rounding errors. */
    return (1 - 1e-9) * fmax(most, of_place(m, &now));
}

uint64_t zoid_floor_bytes(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const uint64_t plane =
        zoid_amount_times(zoid_layout_plane_bytes(&p->layout), (uint64_t)p->problem.op->nstate);
    const uint64_t slab = zoid_amount_times((uint64_t)zoid_min(g->block, zoid_cell_line(g)), plane);

    if (p->place.memory == ZOID_RAM)
        return 0;
    return zoid_amount_times(slab, zoid_smaller((uint64_t)slabs_of(p), ZOID_LEAST_SLABS));
}
