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

/* Bytes of the place's memory for data of kinds that it does not keep. */
static double room_of(const struct zoid_plan *p)
{
    const struct zoid_tier *tier = &p->tier[p->place.memory];
    double room = (double)tier->capacity - (double)p->scratch_bytes;

    for (int k = 0; k < ZOID_KINDS; k++)
        if (p->keep[k][p->place.memory] == ZOID_KEEP_ALL)
            room -= (double)zoid_budget_data_in(p, k, p->place.memory,
                                                zoid_tiers[p->place.memory]->data(p, k));
    return fmax(room, 1);
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
    w.room = room_of(p);
    return w;
}

/* Seconds of a run of some epochs, of which none is the run's last; 0 if they cannot be replayed.
 */
static double some_epochs(const struct zoid_plan *p, const struct zoid_schedule_options *options,
                          long epochs)
{
    struct zoid_graph g = p->graph;
    struct zoid_schedule s;
    bool clamped;

    g.steps = zoid_min(epochs * g.epoch, g.steps);
    return zoid_graph_init(&g, &clamped) || zoid_schedule_graph(&g, options, &s) ? 0 : s.seconds;
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
    double seconds, first;

    if (!epochs || blocks > TOO_MANY * (double)epochs)
        return false;
    if (epochs <= more) {
        seconds = some_epochs(p, &options, epochs);
    } else {
        first = some_epochs(p, &options, some);
        seconds = first > 0 ? some_epochs(p, &options, more) : 0;
        if (seconds > 0)
            seconds += (seconds - first) / (double)(more - some) *
                       ((double)p->graph.steps / (double)p->graph.epoch - (double)more);
    }
    if (!(seconds > 0))
        return false;
    seconds += ways.near ? zoid_card_of(m->machine->gpu)->before : 0;
    p->cost.part[ZOID_COST_MESSAGE] =
        fmax(p->cost.part[ZOID_COST_MESSAGE] + seconds - p->cost.seconds, 0);
    p->cost.seconds = seconds;
    return true;
}
