/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/simple/simple.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/family.h"
#include "apps/driver/results.h"
#include "apps/driver/session.h"
#include "apps/simple/about.h"
#include "runtime/error.h"
#include "runtime/io/array_view.h"
#include "runtime/io/npy.h"
#include "runtime/job.h"
#include "runtime/machine/clock.h"
#include "runtime/plan/estimate.h"
#include "runtime/ranks/ranks.h"

enum { FACE = 2 };

struct zoid_simple {
    struct zoid_app app;
    struct zoid_settings settings;
    struct zoid_options options; /* of them */
    struct zoid_session session;
    struct zoid_array_views arrays;
    long end;           /* last step of the options */
    int legs;           /* completed */
    bool again;         /* several legs are allowed */
    volatile bool stop; /* a stop was requested */
    double rate;        /* points computed per step; 0: unknown */
    /* Points computed before the current zoid_simple_advance, and expected in it. */
    double before, goal;
    char *text; /* the text returned last */
};

/* The open run, or NULL. */
static struct zoid_simple *current;

/* ---- of the library ---------------------------------------------------------------------- */

int zoid_simple_face(void)
{
    return FACE;
}

const char *zoid_simple_version(void)
{
    return zoid_version();
}

const char *zoid_simple_error(void)
{
    return zoid_error_as(ZOID_NAMES_PYTHON);
}

const char *zoid_simple_error_key(void)
{
    return zoid_error_key();
}

void zoid_simple_end(void)
{
    zoid_ranks_end();
}

const char *zoid_simple_operators(void)
{
    static char *text;

    if (!text)
        text = zoid_about_operators();
    return text;
}

const char *zoid_simple_settings(void)
{
    static char *text;

    if (!text)
        text = zoid_settings_json();
    return text;
}

/* ---- before the first step --------------------------------------------------------------- */

int zoid_simple_new(struct zoid_simple **run)
{
    struct zoid_simple *r = calloc(1, sizeof *r);

    if (!r)
        return zoid_no_memory();
    r->app = (struct zoid_app){.name = "zoid",
                               .families = zoid_families(),
                               .choose = "operator",
                               .summary = "Runs any operator of Zoid."};
    *run = r;
    return ZOID_OK;
}

int zoid_simple_lend(struct zoid_simple *r, const char *name, const char *type, int axes,
                     const long *n, const long *stride, const void *at)
{
    struct zoid_array_view *more = realloc(r->arrays.array, (r->arrays.n + 1) * sizeof *more);

    if (!more)
        return zoid_no_memory();
    r->arrays.array = more;
    more += r->arrays.n++;
    *more = (struct zoid_array_view){
        .name = name, .element = zoid_npy_element(type), .axes = axes, .at = at};
    for (int a = 0; a < axes && a < ZOID_FILE_AXES; a++) {
        more->n[a] = n[a];
        more->stride[a] = stride[a];
    }
    return ZOID_OK;
}

static enum zoid_status read_options(struct zoid_simple *r, int argc, char **argv)
{
    struct zoid_command_rows rows = {.n = 0};
    const struct zoid_command command = {.name = r->app.name,
                                         .summary = r->app.summary,
                                         .rows = &rows,
                                         .taken = zoid_restart_note,
                                         .user = &r->session.restart.said};
    bool shown = false;
    enum zoid_status status;

    r->session = (struct zoid_session){.app = &r->app, .begun = zoid_machine_clock()};
    zoid_app_rows(&r->app, &r->settings, NULL, &rows);
    status = zoid_program_defaults(&rows, &r->settings);
    if (!status)
        status = zoid_restart_read(&r->session.restart, &command, argc, argv, &r->settings, &shown);
    if (!status && shown)
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{help} and {version} are for programs; drop them");
    zoid_command_free(&rows);
    r->options = zoid_options_of(&r->settings, NULL);
    r->options.given.arrays = &r->arrays;
    r->options.again = r->again;
    r->options.quiet = true;
    r->session.options = &r->options;
    return status;
}

/* Returns the approximate number of points that all blocks compute per step, redundant ones
 * included. */
static double points_a_step(const struct zoid_plan *plan)
{
    const long steps = plan->problem.steps;

    return steps > 0 ? zoid_estimate_points(plan) / (double)steps : 0;
}

static enum zoid_status open_run(struct zoid_simple *r, int argc, char **argv)
{
    struct zoid_session *s = &r->session;
    enum zoid_status status = zoid_ranks_start();

    if (!status)
        status = read_options(r, argc, argv);
    if (!status)
        status = zoid_session_prepare(s);
    s->march.stop = &r->stop;
    r->end = s->march.total;
    if (!status)
        status = zoid_session_open(s, r->options.trace);
    if (!status)
        status = zoid_results_open(s);
    if (!status)
        status = zoid_session_fill(s);
    r->rate = status ? 0 : points_a_step(&s->plan);
    return status;
}

static enum zoid_status close_session(struct zoid_simple *r, enum zoid_status before)
{
    if (current != r)
        return before;
    current = NULL;
    return zoid_session_close(&r->session, before);
}

/* StarPU installs a handler for SIGINT; restore the caller's. */
int zoid_simple_open(struct zoid_simple *r, int argc, char **argv, bool again)
{
    struct sigaction before;
    enum zoid_status status;

    if (current)
        return zoid_fail(ZOID_RESOURCE, "another run is open; close it first");
    current = r;
    r->again = again;
    sigaction(SIGINT, NULL, &before);
    status = open_run(r, argc, argv);
    if (status)
        status = close_session(r, status);
    sigaction(SIGINT, &before, NULL);
    return status;
}

/* ---- the run ----------------------------------------------------------------------------- */

static void keep_report(struct zoid_simple *r, struct zoid_report *leg, long from)
{
    struct zoid_report *all = &r->session.report;

    if (r->legs++ > 0) {
        zoid_report_add(leg, all);
        return;
    }
    *all = *leg;
    all->start = from;
    all->steps += from;
}

static enum zoid_status run_leg(struct zoid_simple *r, long steps)
{
    struct zoid_session *s = &r->session;
    const long from = zoid_job_steps(s->job);
    struct zoid_report leg = s->report;
    enum zoid_status status;

    s->march.total = from + steps;
    status = zoid_march_wanted(&r->options.keep) ? zoid_march_run(&s->march, s->job, &leg)
                                                 : zoid_job_run_steps(s->job, steps, false, &leg);
    if (!status || status == ZOID_STOPPED)
        keep_report(r, &leg, from);
    return status;
}

int zoid_simple_advance(struct zoid_simple *r, long steps)
{
    const long from = zoid_simple_steps(r), to = from + steps;
    enum zoid_status status = ZOID_OK;

    if (steps < 0 || to > r->end)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%ld steps from step %ld are not what is left of a run of {steps=%ld}; "
                         "open it with more",
                         steps, from, r->end);
    r->before = zoid_clock_points(&r->session.job->work.clock);
    r->goal = r->rate * (double)steps;
    if (!r->stop)
        status = run_leg(r, steps);
    r->stop = false;
    if (!status && zoid_simple_steps(r) < to)
        status =
            zoid_fail(ZOID_STOPPED, "stopped after %ld of %ld steps", zoid_simple_steps(r), to);
    return status;
}

double zoid_simple_done(const struct zoid_simple *r)
{
    const double done = zoid_clock_points(&r->session.job->work.clock) - r->before;

    return r->goal > 0 ? fmin(done / r->goal, 1) : 0;
}

void zoid_simple_stop(struct zoid_simple *r)
{
    r->stop = true;
    zoid_job_stop(r->session.job);
}

int zoid_simple_finish(struct zoid_simple *r)
{
    struct zoid_session *s = &r->session;
    struct zoid_failure checked = {.status = ZOID_OK};
    enum zoid_status status = zoid_session_check(s);

    if (status && status != ZOID_CHECK_FAILED)
        return status;
    zoid_failure_keep(&checked, status);
    /* Refine rates only by a run that was executed as planned. */
    if (!status && r->legs == 1 && zoid_simple_steps(r) == r->end)
        zoid_session_refine(s);
    return zoid_results_leave(s, &checked);
}

int zoid_simple_close(struct zoid_simple **run)
{
    struct zoid_simple *r = *run;
    enum zoid_status status;

    if (!r)
        return ZOID_OK;
    status = close_session(r, ZOID_OK);
    zoid_settings_close(&r->settings);
    free(r->arrays.array);
    free(r->text);
    free(r);
    *run = NULL;
    return status;
}

/* ---- description and state --------------------------------------------------------------- */

static const char *keep_text(struct zoid_simple *r, char *text)
{
    free(r->text);
    return r->text = text;
}

const char *zoid_simple_about(struct zoid_simple *r)
{
    return keep_text(r, zoid_about_problem(&r->session.problem, r->end));
}

static const char *keep_printed(struct zoid_simple *r,
                                void (*print)(struct zoid_simple *r, FILE *out))
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (out) {
        print(r, out);
        fclose(out);
    }
    return keep_text(r, text);
}

static void print_plan(struct zoid_simple *r, FILE *out)
{
    zoid_plan_print(&r->session.plan, out);
}

const char *zoid_simple_plan(struct zoid_simple *r)
{
    return keep_printed(r, print_plan);
}

static void print_report(struct zoid_simple *r, FILE *out)
{
    zoid_report_json(zoid_session_report(&r->session), out);
}

const char *zoid_simple_report(struct zoid_simple *r)
{
    return keep_printed(r, print_report);
}

long zoid_simple_steps(const struct zoid_simple *r)
{
    return zoid_job_steps(r->session.job);
}

int zoid_simple_read(const struct zoid_simple *r, int field, void *to)
{
    const struct zoid_problem *p = &r->session.problem;
    const struct zoid_box all = zoid_problem_planes(p, 0, p->n[p->op->dims - 1]);
    const struct zoid_values values = zoid_values_packed(&all, to);

    return zoid_job_read(r->session.job, field, &all, &values);
}

long zoid_simple_recorded(const struct zoid_simple *r)
{
    return r->session.record.first;
}

int zoid_simple_record(const struct zoid_simple *r, double *to)
{
    double *seen = NULL;
    long numbers = 0;
    enum zoid_status status = zoid_record_rows(&r->session.record, &numbers, &seen);

    if (!status && numbers)
        memcpy(to, seen, (size_t)numbers * sizeof *to);
    free(seen);
    return status;
}
