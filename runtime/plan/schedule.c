/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/schedule.h"

#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/sinks/schedule.h"
#include "graphs/volume.h"
#include "runtime/plan/estimate.h"

/* Most blocks to schedule: of a whole run, and of the longer of two short ones. */
static const double WHOLE = 1000, TOO_MANY = 6000;

/* A chain has one running block per open pass, and passes behind one another begin and end that
 * way; other blocks begin and end together, approximately. */
double zoid_turns_about(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const double workers = p->place.workers, cells = (double)zoid_rank_cells(g);
    const double lanes = g->elastic ? 2 * g->lanes - 1 : g->lanes;
    const double height = (double)zoid_min(g->block, zoid_cell_line(g));
    const double blocks = fmax((double)p->census.blocks, 1), serial = p->census.about.serial;
    const double open = fmin(zoid_estimate_passes(p) * cells, lanes);
    const double fed = fmin(open, workers);

    if (g->method->pipelined && p->census.about.abreast <= 1)
        return fmax(1 / fed +
                        fmax(fed / cells - 1, 0) * (1 + zoid_estimate_lag(p, height)) / blocks,
                    serial);
    return fmax(1 / workers + fmin(0.1 * (workers - 1) / blocks, 0.2 / workers), serial);
}

static double seconds_of(const void *of, const struct zoid_block *b)
{
    return *(const double *)of + (double)zoid_volume(&b->zoid, &b->region);
}

/* Schedule a run of `steps` steps; return false if that is not possible. */
static bool schedule(const struct zoid_plan *p, long steps, double task, struct zoid_schedule *s)
{
    const int workers = p->place.workers;
    struct zoid_graph g = p->graph;
    bool clamped;

    g.steps = steps;
    return !zoid_graph_init(&g, &clamped) &&
           !zoid_schedule_graph(
               &g,
               &(struct zoid_schedule_options){.workers = workers,
                                               .most = (long)ZOID_IN_FLIGHT * workers,
                                               .seconds = seconds_of,
                                               .of = &task},
               s);
}

double zoid_turns(const struct zoid_plan *p, double task)
{
    const struct zoid_graph *g = &p->graph;
    const long period = zoid_cells(g) > 1 ? g->epoch : g->depth;
    const double periods = (double)g->steps / (double)period, blocks = (double)p->census.blocks;
    const double about = zoid_turns_about(p), cells = (double)zoid_rank_cells(g);
    /* All lanes have a pass, or a lap, and WHOLE / 2 blocks have run. */
    const double laps = cells * (double)(period / g->depth);
    const double some = ceil(fmax(g->lanes / laps, WHOLE / 2 * periods / blocks));
    struct zoid_schedule s, more;
    double rest;

    if (p->place.workers == 1 || blocks < 1)
        return 1;
    if (blocks <= WHOLE || (2 * some >= periods && blocks <= TOO_MANY))
        return schedule(p, g->steps, task, &s) && s.work > 0 ? s.seconds / s.work : about;
    if (2 * some * blocks / periods > TOO_MANY || 2 * some >= periods ||
        !schedule(p, (long)some * period, task, &s) ||
        !schedule(p, 2 * (long)some * period, task, &more) || more.work <= s.work)
        return about;
    rest = (periods - some) / some;
    return (s.seconds + (more.seconds - s.seconds) * rest) / (s.work + (more.work - s.work) * rest);
}
