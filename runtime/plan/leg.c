/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/leg.h"

#include "graphs/leg.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

/* Tier that has too little room; ZOID_TIERS: all have enough. */
static int short_tier(const struct zoid_plan *p)
{
    int t = 0;

    while (t < ZOID_TIERS && (!zoid_plan_uses(p, t) || p->tier[t].bytes <= p->tier[t].capacity))
        t++;
    return t;
}

static int graph_of(const struct zoid_plan *before, const struct zoid_next_leg *next,
                    struct zoid_graph *g, bool *clamped)
{
    g->steps = next->steps;
    if (!next->first)
        return zoid_graph_follow(g, &before->graph, next->start - before->graph.start, clamped);
    g->start = next->start;
    return zoid_graph_init(g, clamped);
}

/* Recompute what follows from a leg's graph. A leg keeps data in the same tiers, and computes on
 * the same place, as the legs before it. */
static void count(struct zoid_plan *p)
{
    p->place.lanes = p->graph.lanes;
    zoid_graph_census(&p->graph, &p->census);
    p->scratch_planes = zoid_plan_scratch(p);
    zoid_budget_recount(p);
}

static void predict(struct zoid_cost *cost, long steps, long planned)
{
    const double part = planned ? (double)steps / (double)planned : 1;

    cost->seconds *= part;
    cost->alone *= part;
    for (int i = 0; i < ZOID_COSTS; i++)
        cost->part[i] *= part;
    cost->near *= part;
    cost->far *= part;
}

enum zoid_status zoid_plan_next(struct zoid_plan *plan, const struct zoid_next_leg *next)
{
    struct zoid_graph g = next->run->graph;
    struct zoid_plan leg = *next->run;
    int tier;

    leg.problem.start = next->start;
    leg.problem.steps = next->steps;
    if (zoid_problem_check(&leg.problem))
        return ZOID_BAD_ARGUMENT;
    for (;;) {
        leg.graph = g;
        if (graph_of(plan, next, &leg.graph, &leg.clamped))
            return zoid_fail(ZOID_BAD_ARGUMENT, "no leg of %ld steps can follow here", next->steps);
        count(&leg);
        tier = short_tier(&leg);
        if (tier == ZOID_TIERS)
            break;
        if (g.lanes == 1 && leg.graph.depth == 1)
            return zoid_fail(ZOID_DOES_NOT_FIT,
                             "a leg of %ld steps needs %llu MiB of %s, and the plan has %llu; plan "
                             "it with fewer steps or more memory",
                             next->steps, zoid_mib(leg.tier[tier].bytes), zoid_tiers[tier]->name,
                             (unsigned long long)(leg.tier[tier].capacity / ZOID_MIB));
        if (g.lanes > 1)
            g.lanes /= 2;
        else
            g.depth = leg.graph.depth / 2;
    }
    predict(&leg.cost, next->steps, next->run->problem.steps);
    *plan = leg;
    return ZOID_OK;
}
