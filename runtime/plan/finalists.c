/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/finalists.h"

#include <string.h>

#include "graphs/cell.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/replay.h"
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

void zoid_finalists_add_exchanged(struct zoid_finalists *f, const struct zoid_plan *p)
{
    int i = 0;

    if (zoid_ranks_processes(&p->graph) == 1)
        return;
    while (i < f->exchanges && (f->exchanged[i].graph.epoch != p->graph.epoch ||
                                f->exchanged[i].graph.joined != p->graph.joined))
        i++;
    if (i == ZOID_EXCHANGED ||
        (i < f->exchanges && f->exchanged[i].cost.seconds <= p->cost.seconds))
        return;
    f->exchanges += i == f->exchanges;
    f->exchanged[i] = *p;
}

void zoid_finalists_add(struct zoid_finalists *f, const struct zoid_plan *p)
{
    const int kind = kind_of(p);
    struct zoid_plan *plan = f->plan[kind];
    int *plans = &f->plans[kind], at = *plans;

    zoid_finalists_add_exchanged(f, p);
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
    p->turns = zoid_turns(p, task_points(m, p));
    p->cost = zoid_estimate(m, p);
    zoid_ranking_add(ranking, p);
}

/* Schedule the best candidate by the census whose epoch, or else exchange, is not the best
 * plan's. */
static void schedule_other(struct zoid_finalists *f, bool epoch, const struct zoid_model *m,
                           struct zoid_ranking *ranking)
{
    const struct zoid_graph *best = &ranking->best.graph;
    struct zoid_plan *other = NULL;

    for (int i = 0; i < f->exchanges; i++) {
        struct zoid_plan *p = &f->exchanged[i];

        if ((epoch ? p->graph.epoch != best->epoch : p->graph.joined != best->joined) &&
            (!other || p->cost.seconds < other->cost.seconds))
            other = p;
    }
    if (other)
        schedule(other, m, ranking);
}

void zoid_finalists_rank(struct zoid_finalists *f, const struct zoid_model *m,
                         struct zoid_ranking *ranking)
{
    const struct zoid_ranking before = *ranking;

    *ranking = (struct zoid_ranking){.any = false};
    zoid_ranking_keep_compared(ranking, &before, ZOID_GPUS);
    if (before.any && zoid_plan_on_gpus(&before.best))
        zoid_ranking_add(ranking, &before.best);
    if (before.any_other && zoid_plan_on_gpus(&before.other))
        zoid_ranking_add(ranking, &before.other);
    for (int i = 0; i < ZOID_FINALISTS; i++)
        for (int kind = 0; kind < ZOID_FINALS; kind++)
            if (i < f->plans[kind] && f->plan[kind][i].cost.seconds <=
                                          TOO_MUCH * zoid_ranking_bar(ranking, &f->plan[kind][i]))
                schedule(&f->plan[kind][i], m, ranking);
    for (int of = 0; of < 2 && ranking->any; of++)
        schedule_other(f, of, m, ranking);
}

/* ---- exchanges ------------------------------------------------------------------------------ */

/* Add a plan with the seconds of its replay, if it has one. */
static bool replay(const struct zoid_model *m, const struct zoid_plan *p,
                   struct zoid_ranking *ranking)
{
    struct zoid_plan again = *p;
    const bool replayed = zoid_replay(m, &again);

    zoid_ranking_add(ranking, &again);
    return replayed;
}

void zoid_finalists_replay(struct zoid_finalists *f, const struct zoid_model *m,
                           struct zoid_ranking *ranking)
{
    const struct zoid_ranking before = *ranking;

    if (!before.any || zoid_ranks_processes(&before.best.graph) == 1)
        return;
    *ranking = (struct zoid_ranking){.any = false};
    if (!replay(m, &before.best, ranking)) {
        *ranking = before;
        return;
    }
    if (before.any_other)
        replay(m, &before.other, ranking);
    for (int i = 0; i < f->exchanges; i++)
        if (f->exchanged[i].cost.seconds <= TOO_MUCH * before.best.cost.seconds &&
            !same(&f->exchanged[i], &before.best))
            replay(m, &f->exchanged[i], ranking);
}
