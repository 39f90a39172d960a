/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: every choice is made, and proved to fit, before anything is allocated. Impossible
 * requests are refused, with a remedy; search.c has the candidates for the others. */
#include "runtime/plan/plan.h"

#include <limits.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "graphs/cell.h"
#include "graphs/method.h"
#include "runtime/boundary.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/search.h"
#include "runtime/plan/tier.h"
#include "runtime/plan/ways.h"

/* Name the last method that can do it, which is no worse than the others. */
static enum zoid_status refuse_shape(const struct zoid_wanted *w, const struct zoid_shape *shape)
{
    const char *able = NULL;

    for (size_t i = 0; zoid_methods[i]; i++)
        if (!zoid_method_refuses(zoid_methods[i], shape))
            able = zoid_methods[i]->name;
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s cannot do %s; use {method=%s}", w->name,
                     zoid_method_refuses(w->method, shape), able);
}

/* --leaf requires a method that recurses. */
static enum zoid_status check_leaf(const struct zoid_wanted *w, const struct zoid_shape *shape)
{
    const char *able = NULL;

    for (size_t i = 0; zoid_methods[i]; i++)
        if (zoid_methods[i]->leaf && !zoid_method_refuses(zoid_methods[i], shape) &&
            (!zoid_cells_wanted(w->request) || zoid_methods[i]->cells))
            able = zoid_methods[i]->name;
    if (!able)
        return zoid_fail(ZOID_BAD_ARGUMENT, "no method that {leaf} is for can do this; drop it");
    if (w->method && !w->method->leaf)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no use for {leaf}; use {method=%s}", w->name,
                         able);
    return ZOID_OK;
}

static enum zoid_status validate(struct zoid_wanted *w, bool strips)
{
    const struct zoid_shape shape = zoid_problem_shape(w->problem);
    const char *name = w->request->method;
    enum zoid_status status = zoid_problem_check(w->problem);

    if (status)
        return status;
    if (w->request->block < 0 || w->request->depth < 0 || w->request->lanes < 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "slabs, depths and lanes are at least 1");
    if (name && strcmp(name, "auto") && !(w->method = zoid_method_find(name)))
        return zoid_fail(ZOID_BAD_ARGUMENT, "no method is called '%s'; {help} lists them", w->name);
    if (w->method && zoid_method_refuses(w->method, &shape))
        return refuse_shape(w, &shape);
    status = zoid_cells_check(
        &(struct zoid_cells_check){.request = w->request,
                                   .op = w->problem->op,
                                   .shape = &shape,
                                   .method = w->method,
                                   .name = w->name,
                                   .strips = strips,
                                   .ranks = w->split || zoid_ranks_several(w->site, w->request)});
    if (!status && w->request->leaf)
        status = check_leaf(w, &shape);
    return status;
}

/* Refuse a requested GPU that cannot run the operator, and operators that no device here can
 * run. */
static enum zoid_status check_places(const struct zoid_site *site, const struct zoid_op *op)
{
    if (site->gpu_wanted && !zoid_places[ZOID_GPUS]->can(op))
        return zoid_fail(ZOID_RESOURCE,
                         "{gpu_mem} asks for a GPU, and %s %s; drop it to run on CPU cores",
                         op->name, zoid_ways_not_on_gpus(op));
    if (!site->workers[ZOID_CORES] && !zoid_op_on_gpus(op))
        return zoid_fail(ZOID_RESOURCE,
                         "%s runs on CPU cores only, and StarPU has none of them here; raise "
                         "STARPU_NCPU",
                         op->name);
    return ZOID_OK;
}

static enum zoid_status deal(const struct zoid_wanted *w, bool planes,
                             struct zoid_rank_grids *grids)
{
    const struct zoid_shape shape = zoid_problem_shape(w->problem);

    return zoid_ranks_deal(w->site, w->request, w->problem->op, &shape, planes, grids);
}

/* Let the plan of the best grid have the one that came second. */
static void compare_grids(struct zoid_found *best, const struct zoid_plan *other)
{
    struct zoid_seconds *second = &best->best.second;

    if (second->seconds.ranks > 0 && other->cost.seconds >= second->seconds.ranks)
        return;
    second->seconds.ranks = other->cost.seconds;
    for (int a = 0; a < ZOID_AXES; a++)
        second->ranks[a] = zoid_ranks_along(&other->graph, a);
}

/* Search each grid of ranks. Another one than the first must be faster by more than predictions of
 * different shapes err, and by default rates they err more. Parts of a process, which are planned
 * apart, all have the first one; if nothing is found, that one says why. */
static enum zoid_status search_grids(struct zoid_wanted *w, const struct zoid_rank_grids *grids,
                                     struct zoid_found *found)
{
    static const double GAIN = 0.95;
    const int n = w->split ? 1 : grids->n;
    struct zoid_cell_grid best = grids->grid[0];
    struct zoid_found one;
    enum zoid_status status = ZOID_OK;

    *found = (struct zoid_found){.any = false};
    w->known = 0;
    for (int i = 0; i < n && !status && (!found->any || found->best.cost.calibrated); i++) {
        w->ranks = grids->grid[i];
        if (w->split)
            w->ranks.cells[w->problem->op->dims - 1] = w->split->parts;
        status = zoid_search(w, &one);
        if (status || (i && (!one.any || (w->known > 0 && one.best.cost.seconds >= w->known)))) {
            if (!status && one.any)
                compare_grids(found, &one.best);
            continue;
        }
        if (found->any && one.any)
            compare_grids(&one, &found->best);
        *found = one;
        best = w->ranks;
        w->known = !one.any ? 0 : i ? one.best.cost.seconds : GAIN * one.best.cost.seconds;
    }
    w->ranks = best;
    return status;
}

static void find_tiers(struct zoid_wanted *w)
{
    for (int t = 0; t < ZOID_TIERS; t++) {
        const uint64_t capacity = w->site->capacity[t], asked = w->request->budget[t];

        w->tier[t] = zoid_tier_make((enum zoid_tier_kind)t,
                                    asked && asked < capacity ? asked : capacity, w->site->rates);
    }
}

static enum zoid_status refuse_tier(const struct zoid_wanted *w, const struct zoid_found *found,
                                    int tier)
{
    const struct zoid_shortage shortage = {.site = w->site,
                                           .least = found->least[tier],
                                           .capacity = w->tier[tier].capacity,
                                           .asked = w->request->budget[tier]};

    return zoid_tiers[tier]->refuse(&shortage);
}

/* Report why the search found nothing. */
static enum zoid_status refuse(const struct zoid_wanted *w, const struct zoid_found *found)
{
    const bool elsewhere = found->least[ZOID_RAM] <= w->tier[ZOID_RAM].capacity;

    if (!found->any_tried && found->message)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "a message between two ranks would have %llu bytes, and MPI sends %d at "
                         "once; use a smaller {epoch}, {depth} or {block}, or other {ranks}",
                         (unsigned long long)found->message, INT_MAX);
    if (!found->any_tried && found->thin && found->epoch)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "cells are thinner than what blocks look at beside them in an epoch; use "
                         "{%s=%ld}, or less, or fewer ranks or {cells}",
                         w->request->epoch ? "epoch" : "depth", found->epoch);
    if (!found->any_tried && found->thin)
        return zoid_fail(ZOID_BAD_ARGUMENT, "cells are thinner than what blocks look at beside "
                                            "them in a step; use fewer ranks, or fewer {cells}");
    if (!found->any_tried)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "slabs of %ld planes are too low for %s here; the smallest that works is {block=%ld}",
            w->request->block, w->method ? w->name : "any method", found->lowest);
    if (found->no_runner)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s has nothing that runs such blocks; ask for another {block}, {depth} or {method}",
            w->problem->op->name);
    /* If main memory would suffice, the memory of the place is too small, otherwise the tier
     * beyond. */
    for (int t = 0; t < ZOID_TIERS; t++)
        if (t != ZOID_RAM && (t < ZOID_RAM) == elsewhere && found->least[t] != UINT64_MAX)
            return refuse_tier(w, found, t);
    return refuse_tier(w, found, ZOID_RAM);
}

/* Return whether the plan has less than the request names. Choices of the planner are not
 * clamping. */
static bool reduced(const struct zoid_plan *plan, const struct zoid_request *r)
{
    const struct zoid_graph *g = &plan->graph;
    bool fewer_cells = false;

    for (int a = 0; a < ZOID_AXES; a++)
        fewer_cells |= r->cells[a] > 1 && r->cells[a] * zoid_ranks_along(g, a) > g->cut[a].cells;
    return fewer_cells || (r->block && g->block != r->block) ||
           (r->depth && g->depth != r->depth) || (r->epoch && g->epoch != r->epoch) ||
           (r->lanes && g->lanes != r->lanes) ||
           (r->strip > 0 && r->strip > g->shape.n[g->shape.dims - 2]) ||
           (r->leaf && g->leaf > zoid_plan_leaf(&plan->problem, g, r->leaf));
}

void zoid_plan_take_rank(const struct zoid_site *site, struct zoid_plan *plan)
{
    const struct zoid_graph *g = &plan->graph;
    const int rank = zoid_ranks_of_part(g, zoid_ranks_part_of(g, g->rank), site->rank);

    if (site->rank >= 0 && site->ranks == zoid_ranks_processes(g) && rank != g->rank)
        zoid_ranks_take(plan, rank);
}

enum zoid_status zoid_plan_at(const struct zoid_site *site, const struct zoid_problem *problem,
                              const struct zoid_request *request, struct zoid_plan *plan)
{
    return zoid_plan_part_at(site, problem, request, NULL, plan);
}

enum zoid_status zoid_plan_part_at(const struct zoid_site *site, const struct zoid_problem *problem,
                                   const struct zoid_request *request,
                                   const struct zoid_split *split, struct zoid_plan *plan)
{
    struct zoid_request resolved = *request;
    const struct zoid_alias *alias = NULL;
    struct zoid_wanted wanted = {.site = site,
                                 .problem = problem,
                                 .request = &resolved,
                                 .name = request->method,
                                 .split = split};
    struct zoid_rank_grids grids;
    struct zoid_found found;
    enum zoid_status status = zoid_alias_apply(&resolved, problem->op->dims - 1, &alias);

    if (!status)
        status = validate(&wanted, alias && alias->strips);
    if (!status)
        status = check_places(site, problem->op);
    if (!status)
        status = deal(&wanted, split || (alias && alias->ranks), &grids);
    if (status)
        return status;
    /* As published. */
    wanted.visit = alias != NULL;
    find_tiers(&wanted);
    status = search_grids(&wanted, &grids, &found);
    if (status)
        return status;
    if (!found.any)
        return refuse(&wanted, &found);
    *plan = found.best;
    plan->alias = alias ? alias->name : NULL;
    plan->folder = site->folder[plan->home];
    plan->clamped = reduced(plan, request);
    if (!split)
        zoid_plan_take_rank(site, plan);
    return ZOID_OK;
}
