/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/plans.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/traits.h"
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/plan/dealt.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"

/* ---- places by name ------------------------------------------------------------------------ */

static enum zoid_status bad_places(const char *text)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "'%s' names no places; use one of cores, cores:N, gpus and gpus:N, or up to "
                     "%d of them joined by +, as in {places=cores+gpus}",
                     text, ZOID_PARTS_MOST);
}

/* Parse one place from *at on, and move past it. */
static bool parse_place(const char **at, enum zoid_place_kind *kind, int *workers)
{
    const char *from = *at;
    char *end;
    long n = 0;

    for (int k = 0; k < ZOID_ANY; k++) {
        const size_t length = strlen(zoid_places[k]->name);

        if (strncmp(from, zoid_places[k]->name, length) != 0)
            continue;
        *kind = (enum zoid_place_kind)k;
        *at = from + length;
        break;
    }
    if (*at == from)
        return false;
    if (**at == ':') {
        from = *at + 1;
        n = *from >= '1' && *from <= '9' ? strtol(from, &end, 10) : 0;
        if (n < 1 || n > 1 << 16)
            return false;
        *at = end;
    }
    *workers = (int)n;
    return true;
}

enum zoid_status zoid_places_parse(const char *text, struct zoid_places_named *named)
{
    const char *at = text;

    named->places = 0;
    do {
        at += named->places > 0;
        if (named->places == ZOID_PARTS_MOST || !parse_place(&at, &named->place[named->places].kind,
                                                             &named->place[named->places].workers))
            return bad_places(text);
        named->places++;
    } while (*at == '+');
    return *at ? bad_places(text) : ZOID_OK;
}

/* ---- places of a site ---------------------------------------------------------------------- */

/* The places that take part, of a site. */
struct parts {
    const struct zoid_site *site;
    const struct zoid_problem *problem;
    const struct zoid_request *request;
    int parts;
    struct zoid_place place[ZOID_PARTS_MOST]; /* kind, workers, first, shares */
    long fair; /* planes of the first place if all are to take as long */
};

static enum zoid_status too_few(enum zoid_place_kind kind, int there)
{
    return zoid_fail(kind == ZOID_GPUS ? ZOID_RESOURCE : ZOID_BAD_ARGUMENT,
                     "{places} names more %s than the %d that StarPU has here; name fewer",
                     zoid_places[kind]->name, there);
}

/* A limit to GPU memory asks for a GPU, and leaves the cores to those that are named. */
static int workers_there(const struct zoid_site *site, int kind)
{
    return kind == ZOID_CORES ? site->machine->cpu_workers : site->workers[kind];
}

/* Give the places their workers: those that are named, one after the other, and the rest to the one
 * of that kind without a number. */
static enum zoid_status seat(struct parts *p, const struct zoid_places_named *named)
{
    for (int k = 0; k < ZOID_PLACES; k++) {
        const int there = workers_there(p->site, k);
        int taken = 0, open = 0, of_kind = 0, first = 0;

        for (int i = 0; i < named->places; i++)
            if (named->place[i].kind == (enum zoid_place_kind)k) {
                taken += zoid_max(named->place[i].workers, 1);
                open += !named->place[i].workers;
                of_kind++;
            }
        if (taken > there)
            return too_few((enum zoid_place_kind)k, there);
        if (open > 1)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{places} leaves the rest of the %s to several places; give all but "
                             "one of them a number, as in %s:1",
                             zoid_places[k]->name, zoid_places[k]->name);
        for (int i = 0; i < named->places; i++) {
            const int rest = there - taken + 1, n = named->place[i].workers;

            if (named->place[i].kind != (enum zoid_place_kind)k)
                continue;
            p->place[i] = (struct zoid_place){.kind = (enum zoid_place_kind)k,
                                              .workers = n ? n : rest,
                                              .first = first,
                                              .shares = of_kind > 1};
            first += p->place[i].workers;
        }
    }
    p->parts = named->places;
    return ZOID_OK;
}

/* ---- what cannot be split ------------------------------------------------------------------ */

static enum zoid_status check(const struct parts *p)
{
    const struct zoid_request *r = p->request;
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const int chain = zoid_chain(&shape);

    if (p->parts < 2)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{balance=split} is for two places or more, and there "
                                            "is one; name them, as in {places=cores:1+cores:1}");
    if (r->folder[ZOID_DISK])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "several places keep their parts in main memory; drop {disk}, or use "
                         "{balance=cpu}");
    if (r->overlap == ZOID_OVERLAP_OFF)
        return zoid_fail(ZOID_BAD_ARGUMENT, "several places always overlap transfers; drop "
                                            "{overlap}, or use one place");
    if (p->site->ranks > 1 || r->ranks[0] > 1 || r->ranks[1] > 1 || r->ranks[2] > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "several places of one process cannot be split beside other ranks; start "
                         "one process, or drop {places}");
    if (r->cells[chain] > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "places are cut along %c already; use {cells} along the other axes only",
                         "xyz"[chain]);
    if (shape.n[chain] < p->parts)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%d places need %d planes along %c, and there are %ld; use fewer places",
                         p->parts, p->parts, "xyz"[chain], shape.n[chain]);
    return ZOID_OK;
}

/* ---- a plan for each part ------------------------------------------------------------------ */

/* The site of one place, with the main memory that the parts above it leave. */
static struct zoid_site site_of(const struct parts *p, int part, const struct zoid_plans *above)
{
    const struct zoid_place *place = &p->place[part];
    struct zoid_site site = *p->site;

    for (int k = 0; k < ZOID_PLACES; k++)
        site.workers[k] = place->kind == (enum zoid_place_kind)k ? place->workers : 0;
    for (int t = ZOID_RAM + 1; t < ZOID_TIERS; t++)
        site.folder[t] = NULL;
    site.gpu_wanted = place->kind == ZOID_GPUS && site.gpu_wanted;
    for (int i = part + 1; above && i < p->parts; i++) {
        const uint64_t taken = above->part[i].tier[ZOID_RAM].bytes;

        site.capacity[ZOID_RAM] -=
            taken < site.capacity[ZOID_RAM] ? taken : site.capacity[ZOID_RAM];
    }
    return site;
}

/* The request for a part: the last place has method and sizes, the others those of cores. Cells
 * across planes are those of the part above, with which it exchanges halos cell by cell; sweeps in
 * order have method, slabs and depth in common, too. */
static struct zoid_request request_of(const struct parts *p, int part,
                                      const struct zoid_plans *above)
{
    struct zoid_request r = *p->request;

    r.each = NULL;
    if (part == p->parts - 1)
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

static enum zoid_status plan_part(const struct parts *p, const struct zoid_split *split,
                                  struct zoid_request *request, const struct zoid_site *site,
                                  struct zoid_plan *plan)
{
    const enum zoid_status status = zoid_plan_part_at(site, p->problem, request, split, plan);

    if (status)
        return split->part < p->parts - 1 ? rename_keys(status) : status;
    plan->place.first = p->place[split->part].first;
    plan->place.shares = p->place[split->part].shares;
    return ZOID_OK;
}

/* Planes that a part has at least. */
static long least_planes(const struct zoid_shape *shape, long epoch)
{
    struct zoid_graph g = {.shape = *shape, .epoch = epoch};

    g.ranks[zoid_chain(shape)] = ZOID_PARTS_MOST;
    return zoid_max(zoid_grid_least_planes(&g), 1);
}

/* The graphs refer to borders that *plans has; call after it was copied. */
static void keep_borders(struct zoid_plans *plans)
{
    for (int i = 0; i < plans->parts; i++) {
        struct zoid_graph *g = &plans->part[i].graph;

        g->cut[zoid_chain(&g->shape)].border = plans->border;
    }
}

/* Planes that a part has room for, so that the border may move: the lower part has room for twice
 * the planes that it should have, or begins with; the upper one for all, and with stages in order
 * both. */
static long room_for(const struct parts *p, int part, const long border[], long epoch)
{
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const long n = shape.n[zoid_chain(&shape)], ghosts = 2 * least_planes(&shape, epoch);

    return part || zoid_in_order(&shape) ? n
                                         : zoid_min(2 * zoid_max(border[1], p->fair) + ghosts, n);
}

/* Plan all parts, from the highest down. */
static enum zoid_status plan_all(const struct parts *p, const long border[], long epoch,
                                 struct zoid_plans *plans)
{
    enum zoid_status status = ZOID_OK;

    plans->parts = p->parts;
    plans->moves = p->parts == 2 && !p->request->split_stay;
    memcpy(plans->border, border, ((size_t)p->parts + 1) * sizeof *border);
    for (int i = p->parts - 1; i >= 0 && !status; i--) {
        const struct zoid_split split = {p->parts, i, plans->border,
                                         plans->moves ? room_for(p, i, plans->border, epoch) : 0};
        const struct zoid_site site = site_of(p, i, plans);
        struct zoid_request request = request_of(p, i, plans);

        request.epoch = epoch;
        request.again |= plans->moves;
        status = plan_part(p, &split, &request, &site, &plans->part[i]);
    }
    return status;
}

static double slowest(const struct zoid_plans *plans)
{
    double most = 0;

    for (int i = 0; i < plans->parts; i++)
        most = fmax(most, plans->part[i].cost.seconds);
    return most;
}

/* ---- borders ------------------------------------------------------------------------------- */

/* Set borders so that all parts take as long, at `seconds` a plane and step; false: there are too
 * few planes. The first place named may have a number of planes of its own. */
static bool place_borders(struct parts *p, const double seconds[], long epoch, long border[])
{
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const long n = shape.n[zoid_chain(&shape)], least = least_planes(&shape, epoch);
    double speed = 0, below = 0;

    for (int i = 0; i < p->parts; i++)
        speed += 1 / seconds[i];
    border[0] = 0;
    for (int i = 1; i < p->parts; i++) {
        below += 1 / seconds[i - 1];
        border[i] = (long)((double)n * below / speed + 0.5);
        if (i == 1)
            p->fair = zoid_min(zoid_max(border[i], least), n - least * (p->parts - i));
        if (i == 1 && p->request->split_at)
            border[i] = p->request->split_at;
        else
            border[i] =
                zoid_min(zoid_max(border[i], border[i - 1] + least), n - least * (p->parts - i));
    }
    border[p->parts] = n;
    for (int i = 0; i < p->parts; i++)
        if (border[i + 1] - border[i] < least)
            return false;
    return true;
}

static enum zoid_status refuse_borders(const struct parts *p, long epoch)
{
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const int chain = zoid_chain(&shape);
    const long n = shape.n[chain], least = least_planes(&shape, epoch), at = p->request->split_at;
    const long most = n - least * (p->parts - 1);
    long fits = epoch;

    if (at && least <= most)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "each place needs %ld planes with such an {epoch}; use {split_at=%ld} or "
                         "%s",
                         least, at < least ? least : most, at < least ? "more" : "less");
    while (fits > 0 && least_planes(&shape, fits) * p->parts > n)
        fits--;
    if (!fits)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "each of %d places needs %ld planes along %c for a step, and there are "
                         "%ld; use one place",
                         p->parts, least_planes(&shape, 1), "xyz"[chain], n);
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "with {epoch=%ld} each of %d places needs %ld planes along %c, and there are "
                     "%ld; use {epoch=%ld} or less, or one place",
                     epoch, p->parts, least, "xyz"[chain], n, fits);
}

/* ---- the search ---------------------------------------------------------------------------- */

/* Seconds that each place would need for a plane and step of all of the domain, by itself. */
static enum zoid_status alone(const struct parts *p, double seconds[])
{
    const struct zoid_shape shape = zoid_problem_shape(p->problem);
    const double planes = (double)shape.n[zoid_chain(&shape)];
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < p->parts && !status; i++) {
        const struct zoid_site site = site_of(p, i, NULL);
        struct zoid_request request = request_of(p, i, NULL);
        struct zoid_plan plan;

        request.epoch = 0;
        status = zoid_plan_at(&site, p->problem, &request, &plan);
        if (status && i < p->parts - 1)
            status = rename_keys(status);
        seconds[i] = status ? 1 : fmax(plan.cost.seconds / planes, 1e-12);
    }
    return status;
}

/* Plan all parts for an epoch, then again with the borders that these plans suggest. */
static enum zoid_status try_epoch(struct parts *p, const double first[], long epoch,
                                  struct zoid_plans *plans)
{
    double seconds[ZOID_PARTS_MOST];
    struct zoid_plans again;
    long border[ZOID_PARTS_MOST + 1];
    enum zoid_status status;

    if (!place_borders(p, first, epoch, border))
        return refuse_borders(p, epoch);
    status = plan_all(p, border, epoch, plans);
    if (status || (p->request->split_at && p->parts == 2))
        return status;
    for (int i = 0; i < p->parts; i++)
        seconds[i] = fmax(plans->part[i].cost.seconds / (double)(border[i + 1] - border[i]), 1e-12);
    if (place_borders(p, seconds, epoch, border) && !plan_all(p, border, epoch, &again) &&
        slowest(&again) < slowest(plans))
        *plans = again;
    keep_borders(plans);
    return ZOID_OK;
}

static enum zoid_status split(struct parts *p, struct zoid_plans *plans)
{
    static const long epochs[] = {8, 16, 32, 64};
    const long steps = zoid_max(p->problem->steps, 1), named = p->request->epoch;
    double first[ZOID_PARTS_MOST], least = INFINITY;
    struct zoid_plans one;
    enum zoid_status status = check(p);

    if (!status)
        status = alone(p, first);
    if (status)
        return status;
    if (named)
        return try_epoch(p, first, named, plans);
    for (size_t i = 0; i < sizeof epochs / sizeof *epochs; i++) {
        const long epoch = zoid_min(epochs[i], steps);

        if (i && epochs[i - 1] >= steps)
            break;
        status = try_epoch(p, first, epoch, &one);
        if (status || slowest(&one) >= least)
            continue;
        least = slowest(&one);
        *plans = one;
        keep_borders(plans);
    }
    return least < INFINITY ? ZOID_OK : try_epoch(p, first, 1, plans);
}

/* ---- the entry ----------------------------------------------------------------------------- */

/* The place that takes all of a run: the one that is named, or whose kind is. */
static enum zoid_status one_place(struct parts *p, struct zoid_plans *plans)
{
    const enum zoid_place_kind kind =
        p->request->balance == ZOID_BALANCE_GPU ? ZOID_GPUS : ZOID_CORES;
    const int at = p->request->balance == ZOID_BALANCE_GPU ? p->parts - 1 : 0;
    struct zoid_request request = *p->request;
    struct zoid_site site = *p->site;

    plans->parts = 1;
    if (p->parts > 0) {
        site = site_of(p, at, NULL);
        for (int t = 0; t < ZOID_TIERS; t++)
            site.folder[t] = p->site->folder[t];
    } else if (p->request->balance != ZOID_BALANCE_AUTO) {
        if (!workers_there(p->site, kind))
            return zoid_fail(ZOID_RESOURCE, "{balance} asks for %s, and StarPU has none of them",
                             zoid_places[kind]->name);
        for (int k = 0; k < ZOID_PLACES; k++)
            site.workers[k] = (enum zoid_place_kind)k == kind ? workers_there(p->site, k) : 0;
    }
    return zoid_plan_at(&site, p->problem, &request, plans->part);
}

/* Workers that take any block, of the places that are named. */
static enum zoid_status deal(const struct parts *p, struct zoid_plans *plans)
{
    struct zoid_crew crew[ZOID_PARTS_MOST];

    for (int i = 0; i < p->parts; i++)
        crew[i] = (struct zoid_crew){
            .kind = p->place[i].kind, .first = p->place[i].first, .workers = p->place[i].workers};
    plans->parts = 1;
    plans->moves = false;
    return zoid_dealt_at(p->site, p->problem, p->request, crew, p->parts, plans->part);
}

/* The places that share a run that names no places; NULL: one place takes all of it. */
static const char *places_of(const struct zoid_site *site, const struct zoid_problem *problem,
                             const struct zoid_request *request)
{
    if (request->balance == ZOID_BALANCE_SCHEDULER)
        return zoid_dealt_places(site, problem->op);
    return request->balance == ZOID_BALANCE_SPLIT ? "cores+gpus" : NULL;
}

enum zoid_status zoid_plans_at(const struct zoid_site *site, const struct zoid_problem *problem,
                               const struct zoid_request *request, struct zoid_plans *plans)
{
    struct parts p = {.site = site, .problem = problem, .request = request};
    struct zoid_places_named named;
    const char *names = request->places ? request->places : places_of(site, problem, request);
    enum zoid_status status = ZOID_OK;

    if (names) {
        status = zoid_places_parse(names, &named);
        if (!status)
            status = seat(&p, &named);
    }
    if (status)
        return status;
    if (request->balance == ZOID_BALANCE_SCHEDULER)
        return deal(&p, plans);
    return request->balance == ZOID_BALANCE_SPLIT ? split(&p, plans) : one_place(&p, plans);
}
