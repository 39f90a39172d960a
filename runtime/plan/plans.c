/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/plans.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/traits.h"
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/places.h"
#include "runtime/plan/ranks.h"

/* ---- what cannot be split ------------------------------------------------------------------ */

enum zoid_status zoid_sharing_check(const struct zoid_sharing *p)
{
    const struct zoid_request *r = p->request;
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const int chain = zoid_chain(&shape);
    bool across = false; /* ranks are named where places are not cut */

    for (int a = 0; a < chain; a++)
        across |= r->ranks[a] > 1;
    if (p->places < 2)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{balance=split} is for two places or more, and there "
                                            "is one; name them, as in {places=cores:1+cores:1}");
    if (r->folder[ZOID_DISK])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "several places keep their parts in main memory; drop {disk}, or use "
                         "{balance=cpu}");
    if (r->overlap == ZOID_OVERLAP_OFF)
        return zoid_fail(ZOID_BAD_ARGUMENT, "several places always overlap transfers; drop "
                                            "{overlap}, or use one place");
    if (zoid_ranks_several(p->site, r) && !across && (zoid_in_order(&shape) || !chain))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s is cut along %c only, where ranks cannot be split between places; "
                         "start one process, or use one place",
                         p->problem->op->family, "xyz"[chain]);
    if (r->ranks[chain] > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "places are cut along %c already; use {ranks} along the other axes only",
                         "xyz"[chain]);
    if (r->cells[chain] > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "places are cut along %c already; use {cells} along the other axes only",
                         "xyz"[chain]);
    if (shape.n[chain] < p->places)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%d places need %d planes along %c, and there are %ld; use fewer places",
                         p->places, p->places, "xyz"[chain], shape.n[chain]);
    return ZOID_OK;
}

/* ---- a plan for each subdomain ------------------------------------------------------------- */

/* The site of one place, with the main memory that the subdomains above it leave. */
static struct zoid_site site_of(const struct zoid_sharing *p, int part,
                                const struct zoid_plans *above)
{
    const struct zoid_place *place = &p->seat[part];
    struct zoid_site site = *p->site;

    for (int k = 0; k < ZOID_PLACES; k++)
        site.workers[k] = place->kind == (enum zoid_place_kind)k ? place->workers : 0;
    for (int t = ZOID_RAM + 1; t < ZOID_TIERS; t++)
        site.folder[t] = NULL;
    site.gpu_wanted = place->kind == ZOID_GPUS && site.gpu_wanted;
    for (int i = 0; above && i < p->places; i++)
        if (i != part && p->seat[i].kind == ZOID_CORES)
            site.busy += p->seat[i].workers;
    for (int i = part + 1; above && i < p->places; i++) {
        const uint64_t taken = above->part[i].tier[ZOID_RAM].bytes;

        site.capacity[ZOID_RAM] -=
            taken < site.capacity[ZOID_RAM] ? taken : site.capacity[ZOID_RAM];
    }
    return site;
}

/* The request for a subdomain: the last place has method and sizes, the others those of cores.
 * Cells across planes are those of the subdomain above, with which it exchanges halos cell by cell;
 * sweeps in order have method, slabs and depth in common, too. */
static struct zoid_request request_of(const struct zoid_sharing *p, int part,
                                      const struct zoid_plans *above)
{
    struct zoid_request r = *p->request;

    r.each = NULL;
    /* An alias is refused for the traversal of its own place alone. */
    for (int k = 0; k < ZOID_ANY; k++)
        if (k != (int)p->seat[part].kind) {
            r.traversal[k] = ZOID_TRAVERSAL_BEST;
            r.traversal_named[k] = false;
        }
    if (part == p->places - 1)
        return r;
    r.method = r.cores.method;
    r.block = r.cores.block;
    r.depth = r.cores.depth;
    r.team = r.cores.team;
    r.leaf = 0;
    if (above) {
        r.strip = 0;
        for (int a = 0; a < ZOID_AXES; a++)
            r.cells[a] = zoid_rank_cells_along(&above->part[part + 1].graph, a);
    }
    if (above && zoid_op_in_order(p->problem->op)) {
        const struct zoid_graph *g = &above->part[part + 1].graph;

        r.method = g->method->name;
        r.block = g->block;
        r.depth = g->depth;
    }
    return r;
}

/* Raise a failure again that is about the settings of a place, which others than the last have by
 * other keys. */
static enum zoid_status rename_keys(enum zoid_status status)
{
    static const char *const keys[] = {"method", "block", "depth", "team"};
    struct zoid_failure failure = {.status = ZOID_OK}, renamed;

    zoid_failure_keep(&failure, status);
    renamed = failure;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char key[16];
        const char *at;

        snprintf(key, sizeof key, "\016%s", keys[i]);
        at = strstr(renamed.text, key);
        if (!at)
            continue;
        snprintf(failure.text, sizeof failure.text, "%.*s\016cores_%s", (int)(at - renamed.text),
                 renamed.text, at + 1);
        renamed = failure;
    }
    return zoid_failure_raise(&failure);
}

static enum zoid_status plan_part(const struct zoid_sharing *p, const struct zoid_split *split,
                                  struct zoid_request *request, const struct zoid_site *site,
                                  struct zoid_plan *plan)
{
    const enum zoid_status status = zoid_plan_part_at(site, p->problem, request, split, plan);

    if (status)
        return split->part < p->places - 1 ? rename_keys(status) : status;
    plan->place.first = p->seat[split->part].first;
    plan->place.shares = p->seat[split->part].shares;
    return ZOID_OK;
}

/* Planes that a subdomain has at least. */
static long least_planes(const struct zoid_shape *shape, long epoch)
{
    struct zoid_graph g = {.shape = *shape, .epoch = epoch};

    g.ranks[zoid_chain(shape)] = ZOID_PARTS_MOST;
    return zoid_max(zoid_grid_least_planes(&g), 1);
}

void zoid_plans_keep_borders(struct zoid_plans *plans)
{
    for (int i = 0; i < plans->parts; i++) {
        struct zoid_graph *g = &plans->part[i].graph;

        g->cut[zoid_chain(&g->shape)].border = plans->border;
    }
}

/* Planes that a subdomain has room for, so that the border may move: the lower subdomain has room
 * for twice the planes that it should have, or begins with; the upper one for all, and with stages
 * in order both. */
static long room_for(const struct zoid_sharing *p, int part, const long border[], long epoch)
{
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const long n = shape.n[zoid_chain(&shape)], ghosts = 2 * least_planes(&shape, epoch);

    return part || zoid_in_order(&shape) ? n
                                         : zoid_min(2 * zoid_max(border[1], p->fair) + ghosts, n);
}

/* Plan all subdomains, from the highest down. */
static enum zoid_status plan_all(const struct zoid_sharing *p, const long border[], long epoch,
                                 struct zoid_plans *plans)
{
    enum zoid_status status = ZOID_OK;

    plans->parts = p->places;
    plans->moves = p->places == 2 && !p->request->split_stay;
    memcpy(plans->border, border, ((size_t)p->places + 1) * sizeof *border);
    for (int i = p->places - 1; i >= 0 && !status; i--) {
        const struct zoid_split split = {p->places, i, plans->border,
                                         plans->moves ? room_for(p, i, plans->border, epoch) : 0};
        const struct zoid_site site = site_of(p, i, plans);
        struct zoid_request request = request_of(p, i, plans);

        request.epoch = epoch;
        request.again |= plans->moves;
        status = plan_part(p, &split, &request, &site, &plans->part[i]);
    }
    return status;
}

double zoid_plans_seconds(const struct zoid_plans *plans)
{
    double most = 0, sum = 0;

    for (int i = 0; i < plans->parts; i++) {
        most = fmax(most, plans->part[i].cost.seconds);
        sum += plans->part[i].cost.seconds;
    }
    /* Stages in order take turns: each waits for the one below, and for the planes that the one
     * above left an epoch ago. */
    return plans->parts > 1 && zoid_in_order(&plans->part->graph.shape) ? sum : most;
}

/* ---- borders ------------------------------------------------------------------------------- */

/* Set borders so that all subdomains take as long, at `seconds` a plane and step; false: there are
 * too few planes. The first place named may have a number of planes of its own. */
static bool place_borders(struct zoid_sharing *p, const double seconds[], long epoch, long border[])
{
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const long n = shape.n[zoid_chain(&shape)], least = least_planes(&shape, epoch);
    double speed = 0, below = 0;

    for (int i = 0; i < p->places; i++)
        speed += 1 / seconds[i];
    border[0] = 0;
    for (int i = 1; i < p->places; i++) {
        below += 1 / seconds[i - 1];
        border[i] = (long)((double)n * below / speed + 0.5);
        if (i == 1)
            p->fair = zoid_min(zoid_max(border[i], least), n - least * (p->places - i));
        if (i == 1 && p->request->split_at)
            border[i] = p->request->split_at;
        else
            border[i] =
                zoid_min(zoid_max(border[i], border[i - 1] + least), n - least * (p->places - i));
    }
    border[p->places] = n;
    for (int i = 0; i < p->places; i++)
        if (border[i + 1] - border[i] < least)
            return false;
    return true;
}

static enum zoid_status refuse_borders(const struct zoid_sharing *p, long epoch)
{
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const int chain = zoid_chain(&shape);
    const long n = shape.n[chain], least = least_planes(&shape, epoch), at = p->request->split_at;
    const long most = n - least * (p->places - 1);
    long fits = epoch;

    if (at && least <= most)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "each place needs %ld planes with such an {epoch}; use {split_at=%ld} or "
                         "%s",
                         least, at < least ? least : most, at < least ? "more" : "less");
    while (fits > 0 && least_planes(&shape, fits) * p->places > n)
        fits--;
    if (!fits)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "each of %d places needs %ld planes along %c for a step, and there are "
                         "%ld; use one place",
                         p->places, least_planes(&shape, 1), "xyz"[chain], n);
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "with {epoch=%ld} each of %d places needs %ld planes along %c, and there are "
                     "%ld; use {epoch=%ld} or less, or one place",
                     epoch, p->places, least, "xyz"[chain], n, fits);
}

/* ---- the search ---------------------------------------------------------------------------- */

enum zoid_status zoid_sharing_alone(const struct zoid_sharing *p, int place, bool only,
                                    struct zoid_plan *plan)
{
    const struct zoid_place *seat = &p->seat[place];
    struct zoid_request request = only ? *p->request : request_of(p, place, NULL);
    struct zoid_site site = site_of(p, place, NULL);
    enum zoid_status status;

    if (p->places > 1 && (!only || !zoid_cells_named(&request)))
        request.epoch = 0;
    for (int t = ZOID_RAM + 1; t < ZOID_TIERS; t++)
        site.folder[t] = p->site->folder[t];
    status = zoid_plan_at(&site, p->problem, &request, plan);
    if (status)
        return only || place == p->places - 1 ? status : rename_keys(status);
    plan->place.first = seat->first;
    plan->place.shares = seat->workers < zoid_places_workers(p->site, seat->kind);
    return ZOID_OK;
}

/* Plan all subdomains for an epoch, then again with the borders that these plans suggest. */
static enum zoid_status try_epoch(struct zoid_sharing *p, const double first[], long epoch,
                                  struct zoid_plans *plans)
{
    double seconds[ZOID_PARTS_MOST];
    struct zoid_plans again = *plans;
    long border[ZOID_PARTS_MOST + 1];
    enum zoid_status status;

    if (!place_borders(p, first, epoch, border))
        return refuse_borders(p, epoch);
    status = plan_all(p, border, epoch, plans);
    if (status || (p->request->split_at && p->places == 2))
        return status;
    for (int i = 0; i < p->places; i++)
        seconds[i] = fmax(plans->part[i].cost.seconds / (double)(border[i + 1] - border[i]), 1e-12);
    if (place_borders(p, seconds, epoch, border) && !plan_all(p, border, epoch, &again) &&
        zoid_plans_seconds(&again) < zoid_plans_seconds(plans))
        *plans = again;
    zoid_plans_keep_borders(plans);
    return ZOID_OK;
}

enum zoid_status zoid_sharing_split(struct zoid_sharing *p, const double alone[],
                                    struct zoid_plans *plans)
{
    static const long epochs[] = {8, 16, 32, 64};
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const double planes = (double)shape.n[zoid_chain(&shape)];
    const long steps = zoid_max(p->problem->steps, 1), named = p->request->epoch;
    double first[ZOID_PARTS_MOST], least = INFINITY;
    struct zoid_plans one = *plans;
    enum zoid_status status;

    for (int i = 0; i < p->places; i++)
        first[i] = fmax(alone[i] / planes, 1e-12);
    if (named)
        return try_epoch(p, first, named, plans);
    for (size_t i = 0; i < sizeof epochs / sizeof *epochs; i++) {
        const long epoch = zoid_min(epochs[i], steps);

        if (i && epochs[i - 1] >= steps)
            break;
        status = try_epoch(p, first, epoch, &one);
        if (status || zoid_plans_seconds(&one) >= least)
            continue;
        least = zoid_plans_seconds(&one);
        *plans = one;
        zoid_plans_keep_borders(plans);
    }
    return least < INFINITY ? ZOID_OK : try_epoch(p, first, 1, plans);
}
