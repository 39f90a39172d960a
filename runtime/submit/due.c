/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/due.h"

#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/passes.h"
#include "runtime/machine/clock.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/schedule.h"
#include "runtime/submit/sink.h"

/* Steps that end after the last pass has opened: those of the open laps, and of that pass. With
 * cells the last pass ends an epoch; with several ranks the run ends one epoch later. */
double zoid_due_open_steps(const struct zoid_graph *g)
{
    const double passes = (double)g->depth * (g->lanes + 1);

    if (zoid_cells(g) == 1)
        return passes;
    return passes + (double)g->epoch * (zoid_ranks(g) > 1 ? 2 : 1);
}

long zoid_due_whole_epochs(const struct zoid_graph *g, long steps)
{
    const long passes = zoid_max(g->epoch / zoid_max(g->depth, 1), 1);

    return zoid_ceil_div(steps - g->start, g->epoch) - zoid_ceil_div(zoid_chain_lanes(g), passes);
}

/* Point updates of a step, over all stages; of several ranks or parts, of this one. */
static double points_of_step(const struct zoid_plan *plan)
{
    return zoid_estimate_owned(plan) * plan->graph.shape.stages;
}

struct zoid_due zoid_due_begin(const struct zoid_plan *plan, double by)
{
    const double step = points_of_step(plan);

    return (struct zoid_due){.by = by,
                             .begun = zoid_machine_clock(),
                             .open = zoid_due_open_steps(&plan->graph) * step,
                             .pace = step * (double)plan->graph.steps / plan->cost.seconds};
}

bool zoid_due_now(const struct zoid_due *due, double submitted, double done)
{
    const double now = zoid_machine_clock();
    double pace = due->pace;

    if (due->by <= 0)
        return false;
    /* Not the pace of the first blocks, which wait for new pages of memory. */
    if (done >= due->open)
        pace = done / (now - due->begun);
    return !(now + ZOID_DUE_CARE * (submitted - done + due->open) / pace < due->by);
}

double zoid_plan_stop_seconds(const struct zoid_plan *plan)
{
    const struct zoid_graph *g = &plan->graph;
    const double blocks = (double)plan->census.blocks / (double)(g->steps ? g->steps : 1);
    const double submitted = blocks > 0 ? ZOID_IN_FLIGHT * (double)plan->place.workers / blocks : 0;
    const double steps = fmin(submitted + zoid_due_open_steps(g), (double)g->steps);

    return g->steps ? ZOID_DUE_CARE * plan->cost.seconds * steps / (double)g->steps : 0;
}
