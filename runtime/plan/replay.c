/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/replay.h"

#include <math.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/sinks/schedule.h"
#include "runtime/machine/card.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/moves.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/schedule.h"
#include "runtime/plan/tier.h"

/* Most blocks of a replay. */
static const double TOO_MANY = 6000;

/* Blocks of a plan, by the model of their place. */
struct blocks {
    const struct zoid_model *model;
    const struct zoid_plan *plan;
    double factor; /* of their seconds */
};

static double seconds_of(const void *of, const struct zoid_block *b)
{
    const struct blocks *blocks = of;
    const struct zoid_plan *p = blocks->plan;
    const struct zoid_block_extent e = zoid_estimate_extent(&p->layout, &b->zoid, &b->region);

    return e.planes > 0 ? zoid_place_of(p)->block(blocks->model, p, &e) * blocks->factor : 0;
}

static struct blocks blocks_of(const struct zoid_model *m, const struct zoid_plan *p)
{
    const bool waits = !zoid_plan_streams(p) && p->place.workers > 1;

    return (struct blocks){.model = m, .plan = p, .factor = waits ? m->waits : 1};
}

static struct zoid_schedule_ways ways_of(const struct zoid_model *m, const struct zoid_plan *p,
                                         const struct zoid_plan_sizes *sizes)
{
    const struct zoid_tier *near = &p->tier[p->place.memory];
    const double once = zoid_estimate_thread(m, p, 1, 0);
    struct zoid_schedule_ways w = {.bytes = zoid_plan_size,
                                   .of = sizes,
                                   .near = zoid_plan_streams(p),
                                   .message = once,
                                   .copy = zoid_estimate_thread(m, p, 1, 1) - once,
                                   .way = m->network.way,
                                   .wire = m->network.wire,
                                   .steals = zoid_estimate_steals(m, p)};

    for (int k = 0; k < ZOID_KINDS && w.near; k++)
        w.kept[k] = p->keep[k][p->place.memory] == ZOID_KEEP_ALL;
    if (!w.near)
        return w;
    w.up = near->up;
    w.down = near->down;
    w.datum = zoid_card_of(m->machine->gpu)->move;
    w.turn = zoid_card_of(m->machine->gpu)->between;
    w.grain = (double)near->grain;
    w.room = fmax((double)zoid_budget_passing(p), 1);
    return w;
}

/* Replay a run of some epochs; false if they cannot be replayed. */
static bool some_epochs(const struct zoid_plan *p, const struct zoid_schedule_options *options,
                        long epochs, struct zoid_schedule *s)
{
    struct zoid_graph g = p->graph;
    bool clamped;

    g.steps = zoid_min(epochs * g.epoch, g.steps);
    return !zoid_graph_init(&g, &clamped) && !zoid_schedule_graph(&g, options, s) && s->seconds > 0;
}

/* Add `times` times the difference between two schedules to the longer one. */
static void go_on(struct zoid_schedule *more, const struct zoid_schedule *less, double times)
{
    more->seconds += (more->seconds - less->seconds) * times;
    more->work += (more->work - less->work) * times;
    more->up += (more->up - less->up) * times;
    more->down += (more->down - less->down) * times;
}

/* No resource works for longer than the run takes, but differences may be of epochs in which it
 * catches up. */
static double seconds_in_all(const struct zoid_schedule *s, int workers)
{
    return fmax(fmax(s->seconds, s->work / workers), fmax(s->up, s->down));
}

static bool can(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;

    return zoid_ranks_processes(g) > 1 && !zoid_grid_relays(g) && !g->apart && g->epoch > 0 &&
           zoid_epochs(g) > 1 && p->home == ZOID_RAM && !p->serial && p->place.kind != ZOID_ANY &&
           (!zoid_plan_streams(p) || p->place.workers == 1);
}

/* Passes of lanes repeat after some epochs. */
static long period_of(const struct zoid_plan *p)
{
    const long passes = zoid_max(p->graph.epoch / p->graph.depth, 1);
    long epochs = 1;

    while (epochs * passes % zoid_max(p->graph.lanes, 1) && epochs < p->graph.lanes)
        epochs++;
    return epochs;
}

bool zoid_replay(const struct zoid_model *m, struct zoid_plan *p)
{
    enum { SHORT = 4 };
    const long epochs = can(p) ? zoid_epochs(&p->graph) : 0, period = period_of(p);
    const long some = zoid_ceil_div(SHORT, period) * period, more = some + 2 * period;
    const double blocks = (double)p->census.blocks * (double)zoid_min(more, epochs);
    const struct zoid_plan_sizes sizes = zoid_plan_sizes_of(p);
    const struct blocks of = blocks_of(m, p);
    const struct zoid_schedule_ways ways = ways_of(m, p, &sizes);
    const struct zoid_schedule_options options = {.workers = p->place.workers,
                                                  .most = (long)ZOID_IN_FLIGHT * p->place.workers,
                                                  .seconds = seconds_of,
                                                  .of = &of,
                                                  .ways = &ways};
    struct zoid_schedule first, s;
    double seconds;

    if (!epochs || blocks > TOO_MANY * (double)epochs)
        return false;
    if (!some_epochs(p, &options, zoid_min(more, epochs), &s))
        return false;
    if (epochs > more) {
        if (!some_epochs(p, &options, some, &first))
            return false;
        go_on(&s, &first,
              ((double)p->graph.steps / (double)p->graph.epoch - (double)more) /
                  (double)(more - some));
    }
    seconds = seconds_in_all(&s, p->place.workers);
    if (ways.near) {
        seconds += zoid_card_of(m->machine->gpu)->before;
        p->cost.part[ZOID_COST_LINK_UP] = s.up;
        p->cost.part[ZOID_COST_LINK_DOWN] = s.down;
    }
    p->cost.part[ZOID_COST_MESSAGE] =
        fmax(p->cost.part[ZOID_COST_MESSAGE] + seconds - p->cost.seconds, 0);
    p->cost.seconds = seconds;
    p->cost.replayed = true;
    return true;
}
