/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice between one place and several. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/dealt.h"
#include "runtime/plan/floor.h"
#include "runtime/plan/place.h"
#include "runtime/plan/places.h"
#include "runtime/plan/plans.h"
#include "runtime/plan/ranks.h"

static const struct {
    double gain;     /* by which several places are to be faster than one, as predicted */
    double near;     /* plans whose times are closer are worth a trial each, */
    double told;     /* and a word */
    double planning; /* seconds to be gained before several places are planned: it takes so long */
} bounds = {.gain = 0.03, .near = 0.05, .told = 0.10, .planning = 6};

/* Plans of each place by itself. */
struct alone {
    struct zoid_plan plan[ZOID_PARTS_MOST];
    enum zoid_status status[ZOID_PARTS_MOST];
    struct zoid_failure failure[ZOID_PARTS_MOST];
    bool planned[ZOID_PARTS_MOST];
    double seconds[ZOID_PARTS_MOST]; /* infinite: there is no plan; or if it was not planned, at
                                        least these */
    int best;
    struct zoid_plan dealt; /* of blocks that workers of all places take, */
    double dealt_seconds;   /* infinite: not planned, or refused */
};

/* ---- one place ----------------------------------------------------------------------------- */

/* The place that takes all of a run: CPU is the first one named, GPU the last. */
static int place_of(const struct zoid_sharing *p)
{
    return p->request->balance == ZOID_BALANCE_GPU ? p->places - 1 : 0;
}

static void take_alone(const struct zoid_sharing *p, int place, const struct zoid_plan *plan,
                       struct zoid_plans *plans)
{
    plans->parts = 1;
    plans->moves = false;
    plans->part[0] = *plan;
    plans->place[0] = place;
    plans->balance = plans->second = place == p->places - 1 ? ZOID_BALANCE_GPU : ZOID_BALANCE_CPU;
}

/* The kind that `balance` names where no places are named. */
static enum zoid_status by_kind(struct zoid_sharing *p, enum zoid_place_kind kind,
                                struct zoid_plans *plans)
{
    const int there = zoid_places_workers(p->site, kind);
    struct zoid_plan plan;
    enum zoid_status status;

    if (!there)
        return zoid_fail(ZOID_RESOURCE, "{balance} asks for %s, and StarPU has none of them",
                         zoid_places[kind]->name);
    p->places = 1;
    p->seat[0] = (struct zoid_place){.kind = kind, .workers = there};
    status = zoid_sharing_alone(p, 0, true, &plan);
    if (!status)
        take_alone(p, 0, &plan, plans);
    return status;
}

/* ---- any worker ---------------------------------------------------------------------------- */

/* Plan for workers of all places that take any block. */
static enum zoid_status plan_dealt(const struct zoid_sharing *p, const struct zoid_request *request,
                                   struct zoid_plan *plan)
{
    struct zoid_crew crew[ZOID_PARTS_MOST];

    for (int i = 0; i < p->places; i++)
        crew[i] = (struct zoid_crew){
            .kind = p->seat[i].kind, .first = p->seat[i].first, .workers = p->seat[i].workers};
    return zoid_dealt_at(p->site, p->problem, request, crew, p->places, plan);
}

static void take_dealt(struct zoid_plans *plans)
{
    plans->parts = 1;
    plans->moves = false;
    plans->place[0] = 0;
    plans->balance = plans->second = ZOID_BALANCE_SCHEDULER;
}

/* Return whether the request has settings of one of several places, which no dealt block has. */
static bool names_parts(const struct zoid_request *r)
{
    return r->split_at || r->split_stay || r->cores.block || r->cores.depth || r->cores.team ||
           (r->cores.method && strcmp(r->cores.method, "auto") != 0);
}

/* Plan dealt blocks as zoid_sharing_alone plans those of one place. */
static enum zoid_status plan_any(const struct zoid_sharing *p, struct zoid_plan *plan)
{
    struct zoid_request request = *p->request;

    request.each = NULL;
    if (!zoid_cells_named(&request))
        request.epoch = 0;
    return plan_dealt(p, &request, plan);
}

/* ---- several ------------------------------------------------------------------------------- */

static enum zoid_status split(struct zoid_sharing *p, struct zoid_plans *plans)
{
    double seconds[ZOID_PARTS_MOST];
    enum zoid_status status = zoid_sharing_check(p);

    for (int i = 0; i < p->places && !status; i++) {
        struct zoid_plan plan;

        status = zoid_sharing_alone(p, i, false, &plan);
        seconds[i] = status ? 1 : plan.cost.seconds;
    }
    plans->balance = plans->second = ZOID_BALANCE_SPLIT;
    return status ? status : zoid_sharing_split(p, seconds, plans);
}

/* ---- the choice ---------------------------------------------------------------------------- */

/* A limit to GPU memory asks for a GPU: cores that were not named are not taken alone. */
static bool alone_is_meant(const struct zoid_sharing *p, int i)
{
    return p->request->places || !p->site->gpu_wanted || p->seat[i].kind == ZOID_GPUS;
}

/* Return a lower bound of the seconds of that number of workers. */
static double floor_seconds(const struct zoid_sharing *p, enum zoid_place_kind kind, int workers)
{
    const struct zoid_model model = zoid_model_of(p->site->machine, p->site->rates, p->problem->op);
    double points = (double)p->problem->steps;

    for (int a = 0; a < ZOID_AXES; a++)
        points *= (double)p->problem->n[a];
    return points * zoid_floor_point(&model, p->problem->op, kind, true) / workers;
}

/* Return the seconds of places that share the work perfectly, the i-th with `seconds` alone. */
static double perfect(const struct zoid_sharing *p, const double seconds[])
{
    double speed = 0;

    for (int i = 0; i < p->places; i++)
        speed += 1 / seconds[i];
    return 1 / speed;
}

/* Return whether places that share the work perfectly would gain enough over `seconds`. */
static bool gains(const struct zoid_sharing *p, const struct alone *alone, double seconds)
{
    return perfect(p, alone->seconds) < (1 - bounds.gain) * seconds;
}

/* Return the seconds that are to be gained before other places are planned, too. */
static double worth(const struct zoid_sharing *p)
{
    return p->request->places ? 0 : bounds.planning;
}

/* Plan each place by itself, from the last on; one that can be neither faster alone nor of use to
 * the best one keeps its lower bound. */
static void plan_alone(const struct zoid_sharing *p, struct alone *alone)
{
    alone->best = p->places - 1;
    for (int i = p->places - 1; i >= 0; i--) {
        const double best = alone->seconds[alone->best],
                     least = floor_seconds(p, p->seat[i].kind, p->seat[i].workers);
        const bool helps = best < INFINITY && best - 1 / (1 / best + 1 / least) > worth(p);

        alone->planned[i] = i == p->places - 1 || (least < best && alone_is_meant(p, i)) || helps;
        alone->seconds[i] = least;
        if (!alone->planned[i])
            continue;
        alone->status[i] = zoid_sharing_alone(p, i, true, &alone->plan[i]);
        zoid_failure_keep(&alone->failure[i], alone->status[i]);
        alone->seconds[i] = alone->status[i] ? INFINITY : alone->plan[i].cost.seconds;
        if (alone_is_meant(p, i) && alone->seconds[i] < alone->seconds[alone->best])
            alone->best = i;
    }
}

/* Return whether places that share the work perfectly would gain enough. */
static bool may_gain(const struct zoid_sharing *p, const struct alone *alone)
{
    const double best = alone->seconds[alone->best], shared = perfect(p, alone->seconds);

    return best < INFINITY && gains(p, alone, best) && best - shared > worth(p);
}

static void explain(struct zoid_plans *plans, const char *other, double seconds)
{
    char *reason = plans->part[plans->parts - 1].reason;
    const size_t room = sizeof plans->part->reason, at = strlen(reason);

    if (seconds < (1 + bounds.told) * zoid_plans_seconds(plans))
        snprintf(reason + at, room - at, "; %s: %.3g s", other, seconds);
}

static double seconds_of(const struct zoid_sharing *p, const struct alone *alone, int i)
{
    return alone->planned[i] && alone_is_meant(p, i) ? alone->seconds[i] : INFINITY;
}

/* Note the second choice; if it is close, it is worth a trial. */
static void note_second(const struct zoid_sharing *p, const struct alone *alone, double shared,
                        struct zoid_plans *plans)
{
    const struct {
        enum zoid_balance balance;
        const char *name;
        double seconds;
    } others[] = {{ZOID_BALANCE_GPU, "the last place alone", seconds_of(p, alone, p->places - 1)},
                  {ZOID_BALANCE_CPU, "the first place alone", seconds_of(p, alone, 0)},
                  {ZOID_BALANCE_SPLIT, "shared, which is to gain 3 %", shared},
                  {ZOID_BALANCE_SCHEDULER, "dealt, which is to gain 3 %", alone->dealt_seconds}};
    double least = INFINITY;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].balance == plans->balance)
            continue;
        explain(plans, others[i].name, others[i].seconds);
        if (others[i].seconds > least)
            continue;
        least = others[i].seconds;
        plans->next = others[i].balance;
    }
    plans->next_seconds = least < INFINITY ? least : 0;
    plans->second =
        least <= (1 + bounds.near) * zoid_plans_seconds(plans) ? plans->next : plans->balance;
}

/* A plan that may be left for another one is for a job that runs again. */
static void keep_open(const struct zoid_sharing *p, int place, struct zoid_plans *plans)
{
    struct zoid_request open = *p->request;
    struct zoid_sharing again = *p;
    struct zoid_plan plan;
    enum zoid_status status;

    open.again = true;
    open.each = NULL;
    again.request = &open;
    status = plans->part->place.crews ? plan_any(&again, &plan)
                                      : zoid_sharing_alone(&again, place, true, &plan);
    if (!status && plan.cost.seconds <= (1 + bounds.near / 2) * plans->part->cost.seconds)
        plans->part[0] = plan;
    else
        plans->second = plans->balance;
}

/* Plan blocks that any worker takes, if that may gain enough over what is known: `shared` seconds
 * of all places, or those of the best one alone. A chain of blocks gains nothing over that. */
static void consider_dealt(const struct zoid_sharing *p, double shared, struct alone *alone)
{
    alone->dealt_seconds = INFINITY;
    if (p->site->policy && !names_parts(p->request) && may_gain(p, alone) &&
        gains(p, alone, shared) && !plan_any(p, &alone->dealt) &&
        alone->dealt.cost.seconds < alone->seconds[alone->best])
        alone->dealt_seconds = alone->dealt.cost.seconds;
}

/* Take the best place alone, or several if that gains enough. */
static void take_best(struct zoid_sharing *p, struct alone *alone, struct zoid_plans *plans)
{
    const double enough = (1 - bounds.gain) * alone->seconds[alone->best];
    double shared = INFINITY;

    plans->balance = ZOID_BALANCE_SPLIT;
    if (may_gain(p, alone) && !zoid_sharing_check(p) &&
        !zoid_sharing_split(p, alone->seconds, plans))
        shared = zoid_plans_seconds(plans);
    consider_dealt(p, shared, alone);
    if (alone->dealt_seconds < fmin(shared, enough)) {
        plans->part[0] = alone->dealt;
        take_dealt(plans);
    } else if (!(shared < enough)) {
        take_alone(p, alone->best, &alone->plan[alone->best], plans);
    }
    note_second(p, alone, shared, plans);
    for (int i = 0; i < p->places; i++)
        plans->alone[i] = alone->planned[i] && !alone->status[i] ? alone->seconds[i] : 0;
    if (plans->parts == 1 && plans->second != plans->balance && !p->request->again)
        keep_open(p, alone->best, plans);
}

/* Fails as the best place alone. */
static enum zoid_status choose(struct zoid_sharing *p, struct zoid_plans *plans)
{
    struct alone *alone = calloc(1, sizeof *alone);
    enum zoid_status status;

    if (!alone)
        return zoid_no_memory();
    plan_alone(p, alone);
    status = alone->status[alone->best];
    if (status)
        status = zoid_failure_raise(&alone->failure[alone->best]);
    else
        take_best(p, alone, plans);
    free(alone);
    return status;
}

/* ---- a part for each GPU -------------------------------------------------------------------- */

/* Return whether GPUs that hand slabs on to one another, as planned, may have a part each instead:
 * if GPUs that were never idle would gain enough. */
static bool may_part(const struct zoid_sharing *p, const struct zoid_plans *plans, int gpus)
{
    const struct zoid_request *r = p->request;
    const struct zoid_place *place = &plans->part->place;
    const double now = plans->part->cost.seconds;
    double least;

    if (r->balance != ZOID_BALANCE_AUTO || r->places || names_parts(r) || plans->parts != 1 ||
        zoid_ranks_several(p->site, r) || place->kind != ZOID_GPUS || gpus < 2 ||
        gpus > ZOID_PARTS_MOST || place->workers != gpus)
        return false;
    least = floor_seconds(p, ZOID_GPUS, gpus);
    return least < (1 - bounds.gain) * now && now - least > bounds.planning;
}

/* Plan a part for each GPU; returns its seconds, infinite if there is no such plan. */
static double plan_parts(struct zoid_sharing *p, double now, struct zoid_plans *plans)
{
    double alone[ZOID_PARTS_MOST];

    for (int i = 0; i < p->places; i++)
        alone[i] = p->places * now;
    *plans = (struct zoid_plans){.places = p->places,
                                 .place = {0, 1, 2, 3},
                                 .balance = ZOID_BALANCE_SPLIT,
                                 .second = ZOID_BALANCE_SPLIT};
    memcpy(plans->seat, p->seat, sizeof plans->seat);
    return zoid_sharing_split(p, alone, plans) ? INFINITY : zoid_plans_seconds(plans);
}

/* Let each GPU have a part, if that is predicted to gain 3 % over the present plan. */
static enum zoid_status consider_parts(const struct zoid_site *site,
                                       const struct zoid_problem *problem,
                                       const struct zoid_request *request, struct zoid_plans *plans)
{
    static const char *const names[ZOID_PARTS_MOST + 1] = {
        [2] = "gpus:1+gpus:1",
        [3] = "gpus:1+gpus:1+gpus:1",
        [4] = "gpus:1+gpus:1+gpus:1+gpus:1",
    };
    const int gpus = zoid_places_workers(site, ZOID_GPUS);
    struct zoid_sharing p = {.site = site, .problem = problem, .request = request, .places = gpus};
    const double now = plans->part->cost.seconds;
    struct zoid_places_named named;
    struct zoid_plans *before;
    double parted;

    if (!may_part(&p, plans, gpus) || zoid_sharing_check(&p) ||
        zoid_places_parse(names[gpus], &named) || zoid_places_seat(site, &named, p.seat))
        return ZOID_OK;
    before = malloc(sizeof *before);
    if (!before)
        return zoid_no_memory();
    *before = *plans;
    parted = plan_parts(&p, now, plans);
    if (parted < (1 - bounds.gain) * now) {
        plans->named = names[gpus];
        explain(plans, "by passes that GPUs share", now);
    } else {
        *plans = *before;
        explain(plans, "a part for each GPU, which is to gain 3 %", parted);
    }
    free(before);
    return ZOID_OK;
}

/* ---- the entry ----------------------------------------------------------------------------- */

/* Return whether cores and GPUs that were not named may share a run. */
static bool may_share(const struct zoid_site *site, const struct zoid_request *r)
{
    return zoid_places_workers(site, ZOID_CORES) && zoid_places_workers(site, ZOID_GPUS) &&
           site->ranks == 1 && !(r->epoch && !zoid_cells_named(r));
}

/* The places that may share a run that names no places; NULL: one place takes all of it. */
static const char *places_of(const struct zoid_site *site, const struct zoid_problem *problem,
                             const struct zoid_request *r)
{
    if (r->balance == ZOID_BALANCE_SCHEDULER)
        return zoid_dealt_places(site, problem->op);
    if (r->balance == ZOID_BALANCE_SPLIT || (r->balance == ZOID_BALANCE_AUTO && may_share(site, r)))
        return "cores+gpus";
    return NULL;
}

static enum zoid_status plan_places(const struct zoid_site *site,
                                    const struct zoid_problem *problem,
                                    const struct zoid_request *request, struct zoid_plans *plans)
{
    const enum zoid_balance balance = request->balance;
    const bool automatic = balance == ZOID_BALANCE_AUTO;
    const char *names = request->places ? request->places : places_of(site, problem, request);
    struct zoid_sharing p = {.site = site, .problem = problem, .request = request};
    struct zoid_places_named named = {.places = 0};
    struct zoid_plan plan;
    enum zoid_status status;

    *plans = (struct zoid_plans){.parts = 1, .place = {0, 1, 2, 3}};
    if (!names && automatic)
        return zoid_plan_at(site, problem, request, plans->part);
    if (!names)
        return by_kind(&p, balance == ZOID_BALANCE_GPU ? ZOID_GPUS : ZOID_CORES, plans);
    status = zoid_places_parse(names, &named);
    p.places = named.places;
    if (!status)
        status = zoid_places_seat(site, &named, p.seat);
    if (status)
        return status;
    plans->places = p.places;
    memcpy(plans->seat, p.seat, sizeof plans->seat);
    if (balance == ZOID_BALANCE_SCHEDULER) {
        take_dealt(plans);
        return plan_dealt(&p, request, plans->part);
    }
    if (balance == ZOID_BALANCE_SPLIT)
        return split(&p, plans);
    if (automatic && p.places > 1)
        return choose(&p, plans);
    status = zoid_sharing_alone(&p, place_of(&p), true, &plan);
    if (!status)
        take_alone(&p, place_of(&p), &plan, plans);
    return status;
}

/* All ranks plan for the same one of them, and then take their own. Ranks of several processes do
 * not change places while they run. */
enum zoid_status zoid_plans_at(const struct zoid_site *site, const struct zoid_problem *problem,
                               const struct zoid_request *request, struct zoid_plans *plans)
{
    enum zoid_status status = plan_places(site, problem, request, plans);

    if (!status)
        status = consider_parts(site, problem, request, plans);
    for (int i = 0; i < plans->parts && plans->parts > 1 && !status; i++)
        zoid_plan_take_rank(site, &plans->part[i]);
    if (site->ranks > 1)
        plans->second = plans->balance;
    return status;
}
