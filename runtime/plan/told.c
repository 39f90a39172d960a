/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/told.h"

#include <string.h>

#include "codelets/cpu/run.h"
#include "graphs/cell.h"
#include "graphs/method.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/tier.h"

/* ---- runners of cores, those of all operators first ------------------------------------------ */

static int runner_number(const struct zoid_plan *p)
{
    const struct zoid_block_runner *const *own = p->problem.op->runner;
    int n = 0;

    for (size_t i = 0; zoid_cpu_runners[i]; i++, n++)
        if (zoid_cpu_runners[i] == p->place.runner)
            return n;
    for (size_t i = 0; own && own[i]; i++, n++)
        if (own[i] == p->place.runner)
            return n;
    return -1;
}

static const struct zoid_block_runner *runner_at(const struct zoid_op *op, int n)
{
    for (size_t i = 0; zoid_cpu_runners[i] && n >= 0; i++)
        if (n-- == 0)
            return zoid_cpu_runners[i];
    return n >= 0 ? op->runner[n] : NULL;
}

/* ---- one plan -------------------------------------------------------------------------------- */

static struct zoid_told_plan tell(const struct zoid_plan *p)
{
    struct zoid_told_plan told = {.method = 0, .alias = -1, .runner = runner_number(p)};

    while (zoid_methods[told.method] != p->graph.method)
        told.method++;
    for (int i = 0; p->alias && zoid_aliases[i].name; i++)
        if (!strcmp(zoid_aliases[i].name, p->alias))
            told.alias = i;
    return told;
}

/* The problem is the rank's own; blocks that a policy deals are of one process. */
static void take(const struct zoid_told_plan *told, const struct zoid_site *site,
                 const struct zoid_problem *problem, struct zoid_plan *p)
{
    p->problem = *problem;
    p->graph.method = zoid_methods[told->method];
    p->alias = told->alias < 0 ? NULL : zoid_aliases[told->alias].name;
    p->place.runner = runner_at(problem->op, told->runner);
    p->place.policy = NULL;
    p->folder = site->folder[p->home];
    for (int t = 0; t < ZOID_TIERS; t++)
        p->tier[t].name = zoid_tiers[t]->name;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void zoid_told_make(const struct zoid_plans *plans, struct zoid_told *told)
{
    memset(told, 0, sizeof *told);
    zoid_rates_name(plans->part->problem.op, told->op);
    told->plans = *plans;
    for (int i = 0; i < plans->parts; i++)
        told->part[i] = tell(&plans->part[i]);
}

/* Series lie where the other rank has them. */
static bool are_held_alike(const struct zoid_problem *first, const struct zoid_problem *problem)
{
    bool alike = true;

    for (int a = 0; a < ZOID_AXES; a++)
        for (int side = 0; side < ZOID_SIDES; side++)
            alike = alike &&
                    first->params.held[a][side].samples == problem->params.held[a][side].samples;
    return alike;
}

static bool is_of(const struct zoid_told *told, const struct zoid_problem *problem)
{
    const struct zoid_problem *first = &told->plans.part->problem;
    char name[ZOID_RATES_NAME];

    zoid_rates_name(problem->op, name);
    return !strcmp(name, told->op) && !memcmp(first->n, problem->n, sizeof first->n) &&
           !memcmp(first->face, problem->face, sizeof first->face) &&
           first->start == problem->start && first->steps == problem->steps &&
           !memcmp(first->params.value, problem->params.value,
                   (size_t)problem->op->nparams * sizeof *problem->params.value) &&
           !memcmp(first->params.spacing, problem->params.spacing, sizeof first->params.spacing) &&
           first->params.speed == problem->params.speed &&
           first->params.absorb.points == problem->params.absorb.points &&
           first->params.absorb.reflection == problem->params.absorb.reflection &&
           first->params.pml.points == problem->params.pml.points &&
           first->params.pml.reflection == problem->params.pml.reflection &&
           first->params.pml.shift == problem->params.pml.shift &&
           first->params.pml.speed == problem->params.pml.speed &&
           first->params.rows == problem->params.rows && are_held_alike(first, problem);
}

enum zoid_status zoid_told_take(const struct zoid_told *told, const struct zoid_site *site,
                                const struct zoid_problem *problem, struct zoid_plans *plans)
{
    if (!is_of(told, problem))
        return zoid_fail(ZOID_BAD_ARGUMENT, "the ranks have different problems; start all of them "
                                            "with the same options");
    *plans = told->plans;
    plans->named = NULL; /* of one rank alone */
    if (plans->parts > 1)
        zoid_plans_keep_borders(plans);
    for (int i = 0; i < plans->parts; i++) {
        take(&told->part[i], site, problem, &plans->part[i]);
        zoid_plan_take_rank(site, &plans->part[i]);
    }
    return ZOID_OK;
}
