/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of a session, and its run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/plan/estimate.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/api/api.h"
#include "runtime/session/api/watch.h"
#include "runtime/session/family.h"
#include "runtime/session/results.h"
#include "runtime/session/shared.h"
#include "runtime/solve/engine.h"

/* ---- life ---------------------------------------------------------------------------------- */

enum zoid_status zoid_session_create(struct zoid_session **session)
{
    struct zoid_session *s = calloc(1, sizeof *s);
    enum zoid_status status = s ? zoid_session_open(s) : zoid_no_memory();

    if (!status) {
        s->name = "zoid";
        s->rates = ZOID_RATES_KEEP;
        s->shares = true;
        status = zoid_families() ? ZOID_OK : zoid_no_memory();
    }
    *session = s;
    if (status)
        zoid_session_destroy(session);
    return status;
}

void zoid_session_destroy(struct zoid_session **session)
{
    struct zoid_session *s = *session;

    if (!s)
        return;
    zoid_session_close(s, ZOID_OK);
    zoid_settings_close(&s->settings);
    zoid_api_drop_arrays(s);
    zoid_added_clear(&s->added);
    zoid_options_free(&s->options);
    free(s->text);
    free(s);
    *session = NULL;
}

enum zoid_status zoid_shutdown(void)
{
    enum zoid_status status = zoid_shared_close();

    if (!status)
        zoid_ranks_end();
    return status;
}

enum zoid_status zoid_api_check(const struct zoid_session *s, int first, int last)
{
    static const char *const is[] = {"is not planned", "is examined", "is planned", "has begun",
                                     "has failed"};

    if ((int)s->state >= first && (int)s->state <= last)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "the session %s, so it does not allow this call",
                     is[s->state]);
}

/* A failure of a run leaves no state. */
static enum zoid_status after_ready(struct zoid_session *s, enum zoid_status status)
{
    if (status && status != ZOID_STOPPED && status != ZOID_CHECK_FAILED)
        s->state = ZOID_SESSION_BROKEN;
    return status;
}

/* ---- plan and start ------------------------------------------------------------------------ */

static bool resumes(const struct zoid_session *s, bool usual)
{
    return s->settings.has_resumable ? s->settings.resumable : usual && !s->alone;
}

/* A failure leaves the settings alone, so that they can be changed, and the checkpoint open. */
static enum zoid_status back_to_new(struct zoid_session *s, enum zoid_status status)
{
    struct zoid_restart restart;

    zoid_stored_free(&s->restart.about.settings);
    restart = s->restart;
    s->restart = (struct zoid_restart){.from = NULL};
    status = zoid_session_close(s, status);
    s->restart = restart;
    if (s->step_chosen)
        s->settings.dt.automatic = true;
    s->step_chosen = false;
    s->state = ZOID_SESSION_NEW;
    return status;
}

static enum zoid_status examine(struct zoid_session *s)
{
    enum zoid_status status = zoid_ranks_start();

    if (!status)
        status = zoid_session_prepare(s);
    if (status)
        return back_to_new(s, status);
    s->state = ZOID_SESSION_EXAMINED;
    return ZOID_OK;
}

static enum zoid_status plan(struct zoid_session *s)
{
    enum zoid_status status =
        zoid_session_make_plan(s, s->settings.trace, s->list ? zoid_api_print_plan : NULL, s->list);

    if (status)
        return back_to_new(s, status);
    s->state = ZOID_SESSION_PLANNED;
    return ZOID_OK;
}

/* Returns the approximate number of points that all blocks compute per step, redundant ones
 * included. */
static double points_a_step(const struct zoid_plan *plan)
{
    const long steps = plan->problem.steps;

    return steps > 0 ? zoid_estimate_points(plan) / (double)steps : 0;
}

static enum zoid_status start(struct zoid_session *s)
{
    enum zoid_status status = zoid_results_open(s);

    if (!status)
        status = zoid_session_fill(s);
    s->rate = status ? 0 : points_a_step(s->plan);
    s->state = status ? ZOID_SESSION_BROKEN : ZOID_SESSION_READY;
    return status;
}

/* Goes on to a later state. */
static enum zoid_status reach(struct zoid_session *s, int state, bool resumable)
{
    static enum zoid_status (*const leave[])(struct zoid_session *) = {examine, plan, start};
    enum zoid_status status = zoid_api_check(s, ZOID_SESSION_NEW, state - 1);

    if (!status && s->state == ZOID_SESSION_NEW)
        s->resumable = resumes(s, resumable);
    while (!status && (int)s->state < state)
        status = leave[s->state](s);
    return status;
}

enum zoid_status zoid_session_examine(struct zoid_session *s)
{
    return reach(s, ZOID_SESSION_EXAMINED, true);
}

enum zoid_status zoid_session_plan(struct zoid_session *s)
{
    return reach(s, ZOID_SESSION_PLANNED, true);
}

enum zoid_status zoid_session_start(struct zoid_session *s)
{
    return reach(s, ZOID_SESSION_READY, true);
}

/* ---- the run ------------------------------------------------------------------------------- */

/* Starts the session, unless it has begun. */
static enum zoid_status ready(struct zoid_session *s, bool resumable)
{
    enum zoid_status status = zoid_api_check(s, ZOID_SESSION_NEW, ZOID_SESSION_READY);

    if (!status && s->state < ZOID_SESSION_READY)
        status = reach(s, ZOID_SESSION_READY, resumable);
    return status ? status : zoid_api_ready(s);
}

/* Ends a run that was stopped before it began. */
static enum zoid_status stopped_before(struct zoid_session *s)
{
    double requested = s->stop;

    zoid_ranks_add(&requested, 1);
    if (!(requested > 0))
        return ZOID_OK;
    s->stop = false;
    return zoid_fail(ZOID_STOPPED, "stopped after %ld of %ld steps", zoid_job_steps(s->job),
                     s->loop.total);
}

static enum zoid_status advance(struct zoid_session *s, long to)
{
    const long from = zoid_job_steps(s->job);
    struct zoid_watch watch;
    enum zoid_status status;

    s->before = zoid_job_points(s->job);
    s->goal = s->rate * (double)(to - from);
    status = stopped_before(s);
    zoid_watch_begin(&watch, s);
    if (!status)
        status = zoid_session_until(s, to);
    zoid_watch_end(&watch);
    s->stop = false;
    if (s->engine->derive && zoid_job_steps(s->job) == s->loop.total)
        status = s->engine->derive(s, status);
    return after_ready(s, status);
}

static bool iterates(const struct zoid_session *s)
{
    return s->engine->iterates && s->engine->iterates(s);
}

enum zoid_status zoid_session_advance(struct zoid_session *s, int64_t steps)
{
    enum zoid_status status = ready(s, true);
    long from;

    if (status)
        return status;
    if (iterates(s))
        return zoid_fail(ZOID_BAD_ARGUMENT, "the settings are those of an iteration, which "
                                            "is run to its end; solve it");
    from = zoid_job_steps(s->job);
    if (steps < -1 || steps > s->loop.total - from)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%ld steps from step %ld are not what is left of a run of {steps=%ld}; "
                         "open it with more",
                         (long)steps, from, s->loop.total);
    return advance(s, steps < 0 ? s->loop.total : from + (long)steps);
}

static double derived(const struct zoid_session *s, const char *name)
{
    for (int i = 0; i < ZOID_MAX_DERIVED && s->report.derived[i].name; i++)
        if (!strcmp(s->report.derived[i].name, name))
            return s->report.derived[i].value;
    return NAN;
}

/* An eigenvalue iteration fills a few members of a solution. */
static void fill_solution(const struct zoid_session *s, struct zoid_solution *solution)
{
    const size_t size = solution->size;
    struct zoid_solution all = {.size = size,
                                .sweeps = zoid_job_steps(s->job),
                                .first_below = -1,
                                .residual = derived(s, "residual"),
                                .initial_residual = derived(s, "initial_residual"),
                                .omega = derived(s, "omega"),
                                .eigenvalue = derived(s, "eigenvalue")};

    if (s->engine == &zoid_solve_engine) {
        all.sweeps = zoid_solve_result(s)->sweeps;
        all.first_below = zoid_solve_result(s)->below;
    }
    memcpy(solution, &all, size < sizeof all ? size : sizeof all);
}

static enum zoid_status solve(struct zoid_session *s)
{
    struct zoid_watch watch;
    enum zoid_status status = stopped_before(s);

    if (status)
        return status;
    zoid_watch_begin(&watch, s);
    status = zoid_session_compute(s);
    zoid_watch_end(&watch);
    s->stop = false;
    return after_ready(s, status);
}

enum zoid_status zoid_session_complete(struct zoid_session *s)
{
    enum zoid_status status = zoid_api_check(s, ZOID_SESSION_READY, ZOID_SESSION_READY);

    return status ? status : after_ready(s, zoid_session_compute(s));
}

enum zoid_status zoid_session_solve(struct zoid_session *s, struct zoid_solution *solution)
{
    enum zoid_status status = ready(s, false);

    if (status)
        return status;
    if (!iterates(s))
        return zoid_fail(ZOID_BAD_ARGUMENT, "the settings are those of steps, not of an iteration; "
                                            "set {solver} or {power_iteration}");
    status = solve(s);
    if (solution && s->state == ZOID_SESSION_READY)
        fill_solution(s, solution);
    return status;
}

enum zoid_status zoid_session_rewind(struct zoid_session *s)
{
    enum zoid_status status = ready(s, true);

    if (status)
        return status;
    if (s->restart.from || iterates(s))
        return zoid_fail(ZOID_BAD_ARGUMENT, "a session that restarted from a checkpoint, or that "
                                            "iterates, does not go back; create another");
    if (!s->request.again)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{resumable} is off, so the plan is for one run; set it");
    s->rewound = true;
    return ZOID_OK;
}

/* Sources and receivers may have changed since the session went back. */
enum zoid_status zoid_api_ready(struct zoid_session *s)
{
    enum zoid_status status = zoid_api_check(s, ZOID_SESSION_READY, ZOID_SESSION_READY);

    if (status || !s->rewound)
        return status;
    s->rewound = false;
    return after_ready(s, zoid_session_refill(s));
}

enum zoid_status zoid_session_finish(struct zoid_session *s)
{
    struct zoid_failure found = {.status = ZOID_OK};
    enum zoid_status status = zoid_api_ready(s);

    if (status)
        return status;
    status = zoid_session_check(s);
    if (status && status != ZOID_CHECK_FAILED)
        return after_ready(s, status);
    zoid_failure_keep(&found, status);
    /* Refine rates only by a run that was executed as planned. */
    if (!status && s->loop.legs == 1 && zoid_job_steps(s->job) == s->loop.total)
        zoid_session_refine(s);
    status = zoid_results_write(s, &found);
    if (!status)
        status = zoid_ranks_agree(zoid_results_report(s));
    return found.status ? zoid_ranks_agree(zoid_failure_raise(&found)) : after_ready(s, status);
}

enum zoid_status zoid_session_run(struct zoid_session *s)
{
    struct zoid_failure found = {.status = ZOID_OK};
    enum zoid_status status = ready(s, false);

    if (!status)
        status = iterates(s) ? solve(s) : advance(s, s->loop.total);
    if (status && (status != ZOID_CHECK_FAILED || zoid_session_lost(s, status)))
        return status;
    zoid_failure_keep(&found, status);
    status = zoid_session_finish(s);
    return found.status ? zoid_failure_raise(&found) : status;
}

/* ---- stopping and watching ----------------------------------------------------------------- */

void zoid_session_stop(struct zoid_session *s)
{
    zoid_session_halt(s);
}

double zoid_session_progress(const struct zoid_session *s)
{
    if (!s->job || !(s->goal > 0))
        return 0;
    return fmin((zoid_job_points(s->job) - s->before) / s->goal, 1);
}

enum zoid_status zoid_session_set_progress(struct zoid_session *s, zoid_progress_fn *call,
                                           void *user, double seconds)
{
    if (call && !(seconds > 0 && isfinite(seconds)))
        return zoid_fail(ZOID_BAD_ARGUMENT, "progress every %g seconds; give a number above 0",
                         seconds);
    s->watch.call = call;
    s->watch.user = user;
    s->watch.seconds = seconds;
    return ZOID_OK;
}
