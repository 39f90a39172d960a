/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/finalists.h"

#include <string.h>

#include "graphs/cell.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/place.h"
#include "runtime/plan/schedule.h"

/* Factor by which the census overestimates the time of a run; seldom exceeded. */
static const double TOO_MUCH = 1.35;

/* Index of a kind of plans: those of one method, with or without cells. */
static int kind_of(const struct zoid_plan *p)
{
    int method = 0;

    while (zoid_methods[method] != p->graph.method)
        method++;
    return 2 * method + (zoid_rank_cells(&p->graph) > 1);
}

static bool same(const struct zoid_plan *a, const struct zoid_plan *b)
{
    return a->home == b->home && !memcmp(&a->graph, &b->graph, sizeof a->graph);
}

void zoid_finalists_add(struct zoid_finalists *f, const struct zoid_plan *p)
{
    const int kind = kind_of(p);
    struct zoid_plan *plan = f->plan[kind];
    int *plans = &f->plans[kind], at = *plans;

    for (int i = 0; i < *plans; i++)
        if (same(&plan[i], p))
            return;
    while (at > 0 && plan[at - 1].cost.seconds > p->cost.seconds)
        at--;
    if (at == ZOID_FINALISTS)
        return;
    *plans += *plans < ZOID_FINALISTS;
    memmove(plan + at + 1, plan + at, (size_t)(*plans - 1 - at) * sizeof *plan);
    plan[at] = *p;
}

/* Points that take as long as a task's overhead. */
static double task_points(const struct zoid_model *m, const struct zoid_plan *p)
{
    return m->rates->task / m->op.tiled * p->problem.op->step;
}

static void schedule(struct zoid_plan *p, const struct zoid_model *m, struct zoid_ranking *ranking)
{
    if (p->cost.seconds > TOO_MUCH * zoid_ranking_bar(ranking, p))
        return;
    p->turns = zoid_turns(p, task_points(m, p));
    p->cost = zoid_estimate(m, p);
    zoid_ranking_add(ranking, p);
}

void zoid_finalists_rank(struct zoid_finalists *f, const struct zoid_model *m,
                         struct zoid_ranking *ranking)
{
    const struct zoid_ranking before = *ranking;

    *ranking = (struct zoid_ranking){.any = false};
    if (before.any && zoid_plan_on_gpus(&before.best))
        zoid_ranking_add(ranking, &before.best);
    if (before.any_other && zoid_plan_on_gpus(&before.other))
        zoid_ranking_add(ranking, &before.other);
    for (int i = 0; i < ZOID_FINALISTS; i++)
        for (int kind = 0; kind < ZOID_FINALS; kind++)
            if (i < f->plans[kind])
                schedule(&f->plan[kind][i], m, ranking);
}
