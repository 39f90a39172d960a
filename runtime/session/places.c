/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/places.h"

#include <math.h>
#include <stdlib.h>

#include "graphs/zoid.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/log.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/plans.h"
#include "runtime/session/run_loop.h"

/* Changes cost at most that part of a run that tries them, and each leg of a trial is at most one
 * in so many of its steps. */
static const struct {
    double cost;
    long legs;
} bounds = {.cost = 0.01, .legs = 64};

/* ---- changes ------------------------------------------------------------------------------- */

/* Returns what a budget of main memory leaves beside the parts as they are; 0: there is none. */
static uint64_t budget_beside(const struct zoid_session *s)
{
    uint64_t left = s->request.budget[ZOID_RAM];

    for (int i = 0; i < s->plans.parts && left; i++)
        left -= zoid_smaller(left - 1, s->plans.part[i].tier[ZOID_RAM].bytes);
    return left;
}

/* Plans anew for the whole run, and lets the job go on by that plan. After a failure it goes on by
 * the one before. */
static enum zoid_status change(struct zoid_session *s, enum zoid_balance balance)
{
    struct zoid_plans *before = malloc(sizeof *before);
    struct zoid_request request = s->request;
    enum zoid_status status = before ? ZOID_OK : zoid_no_memory();

    request.balance = balance;
    if (!request.places)
        request.places = s->plans.named ? s->plans.named : "cores+gpus";
    request.again = true;
    request.each = NULL;
    request.budget[ZOID_RAM] = budget_beside(s);
    if (before)
        *before = s->plans;
    if (!status)
        status = zoid_session_plan_within(s, &request);
    if (!status)
        status = zoid_job_change(s->job, &s->plans);
    if (status && before) {
        s->plans = *before;
        zoid_session_planned(s);
    }
    free(before);
    return status;
}

/* Changes the places if there is memory for it, and fills what a change does not copy. */
static enum zoid_status change_or_stay(struct zoid_session *s, enum zoid_balance balance,
                                       bool *changed)
{
    const enum zoid_status status = change(s, balance);

    *changed = !status;
    if (status) {
        zoid_log("%s: places stay as they are: %s", s->name, zoid_error_as(ZOID_NAMES_OPTIONS));
        zoid_job_may_leave(s->job, INFINITY);
        return ZOID_OK;
    }
    zoid_places_settle(s);
    return s->engine->pieces ? s->engine->pieces(s) : ZOID_OK;
}

/* The run loop's: the other one of two places computes what is left. */
static enum zoid_status leave(void *session, int place)
{
    struct zoid_session *s = session;
    bool changed;

    zoid_log(
        "%s: after %ld steps place %d (from 0) is too slow to take part; the other one goes on",
        s->name, zoid_job_steps(s->job), place);
    return change_or_stay(s, place ? ZOID_BALANCE_CPU : ZOID_BALANCE_GPU, &changed);
}

void zoid_places_settle(struct zoid_session *s)
{
    s->loop.leave = leave;
    s->loop.leaver = s;
    zoid_job_may_leave(s->job, s->fill_seconds);
}

/* ---- trials -------------------------------------------------------------------------------- */

/* Returns the steps of an epoch, or of a visit, but of a small part of the run at most. */
static long trial_steps(const struct zoid_session *s, long step)
{
    const struct zoid_graph *g = &s->plan->graph;
    const long epoch = g->epoch ? g->epoch : g->depth;
    const long left = step - zoid_job_steps(s->job);

    return zoid_max(zoid_min(epoch, left / bounds.legs), 1);
}

/* Runs two epochs, and measures the second one. */
static enum zoid_status run_epochs(struct zoid_session *s, long step, double *seconds_a_step)
{
    const long steps = trial_steps(s, step);
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < 2 && !status; i++) {
        const long from = zoid_job_steps(s->job), to = from + steps;
        const double before = s->report.seconds;

        status = zoid_run_loop_until(&s->loop, to, &s->report);
        *seconds_a_step = (s->report.seconds - before) / (double)steps;
    }
    return status;
}

static bool worth_a_trial(const struct zoid_session *s, long step)
{
    const long steps = step - zoid_job_steps(s->job);
    const double seconds =
        zoid_plans_seconds(&s->plans) * (double)steps / (double)zoid_max(s->problem.steps, 1);

    return s->plans.second != s->plans.balance && s->plan->graph.leg.is != ZOID_LEG_ONLY &&
           steps >= bounds.legs && 2 * s->fill_seconds < bounds.cost * seconds;
}

enum zoid_status zoid_places_try(struct zoid_session *s, long step)
{
    const enum zoid_balance first = s->plans.balance, second = s->plans.second;
    double one, other;
    enum zoid_status status;
    bool changed;

    if (s->tried || !worth_a_trial(s, step))
        return ZOID_OK;
    s->tried = true;
    status = run_epochs(s, step, &one);
    if (!status)
        status = change_or_stay(s, second, &changed);
    if (status || !changed)
        return status;
    status = run_epochs(s, step, &other);
    if (status)
        return status;
    zoid_log("%s: a step takes %.3g s by balance %s and %.3g s by %s", s->name, one,
             zoid_balance_name(first), other, zoid_balance_name(second));
    return one < other ? change_or_stay(s, first, &changed) : ZOID_OK;
}
