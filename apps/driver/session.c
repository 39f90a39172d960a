/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/family.h"
#include "apps/driver/problem.h"
#include "apps/driver/results.h"
#include "apps/trace/draw.h"
#include "runtime/calibrate/learn.h"
#include "runtime/calibrate/refine.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/machine/rates.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/due.h"

/* ---- the problem --------------------------------------------------------------------------- */

static enum zoid_status make_problem(struct zoid_session *s)
{
    struct zoid_options *o = s->options;
    enum zoid_status status = zoid_options_check_keep(o);

    if (!status)
        status = zoid_given_step(o);
    if (!status)
        status = s->app->make
                     ? s->app->make(o, &s->problem)
                     : zoid_problem_make(zoid_problem_family(o, s->app->families), o, &s->problem);
    s->initial = (struct zoid_initial){.problem = &s->problem, .kind = o->init, .seed = o->seed};
    s->record = (struct zoid_record){.problem = &s->problem};
    if (!status && s->app->start)
        s->app->start(&s->initial);
    return status;
}

/* Opens the field sources, and checks values and stability. */
static enum zoid_status take_given(struct zoid_session *s)
{
    enum zoid_status status = zoid_given_open(s->options, s->initial.problem, &s->given);

    if (!status && s->given)
        zoid_given_start(s->given, &s->initial);
    return status ? status : zoid_given_check(s->options, s->given, &s->initial, &s->stability);
}

/* Sets up the run loop. The plan is made for the longest leg. */
static void prepare_march(struct zoid_session *s)
{
    const struct zoid_app *app = s->app;
    struct zoid_options *o = s->options;
    struct zoid_problem *p = &s->problem;

    s->march = (struct zoid_march){.name = s->app->name,
                                   .keep = &o->keep,
                                   .plan = &s->plan,
                                   .initial = &s->initial,
                                   .each = app->shown ? NULL : app->each,
                                   .about = &s->restart.about,
                                   .record = &s->record,
                                   .start = p->start,
                                   .total = p->start + p->steps,
                                   .until = o->keep.walltime > 0 ? s->begun + o->keep.walltime : 0,
                                   .progress = o->progress};
    if (s->restart.from) {
        const struct zoid_checkpoint *then = zoid_checkpoint_about(s->restart.from);

        s->march.before = (struct zoid_march_numbers){then->numbers, then->number};
    }
    o->again = o->again || zoid_march_wanted(&o->keep);
    p->steps = zoid_march_longest(&o->keep, p->start, s->march.total);
    if (app->leg && *app->leg)
        p->steps = zoid_min(p->steps, *app->leg);
}

enum zoid_status zoid_session_prepare(struct zoid_session *s)
{
    enum zoid_status status = zoid_ranks_agree(make_problem(s));

    if (!status)
        status = take_given(s);
    if (!status)
        status = zoid_point_list_open(s->options, &s->problem, &s->points);
    s->restart.say = s->app->say;
    if (!status)
        status =
            zoid_restart_problem(&s->restart, s->options, &s->problem, &s->initial, &s->record);
    if (!status)
        prepare_march(s);
    return status;
}

/* ---- the plan ------------------------------------------------------------------------------ */

/* Opens a context, with rates as requested, measured first if they are missing. */
static enum zoid_status open_context(struct zoid_session *s,
                                     const struct zoid_context_options *wanted)
{
    const struct zoid_lesson lesson = {.program = s->app->name,
                                       .op = s->problem.op,
                                       .state = (double)zoid_problem_bytes(&s->problem),
                                       .ram = s->options->budget[ZOID_RAM],
                                       .wanted = wanted};
    enum zoid_rates_use use;
    enum zoid_status status = zoid_rates_use(s->options->rates, ZOID_RATES_LEARN, &use);

    if (status)
        return status;
    /* Concurrent measurements of several ranks would disturb each other. */
    s->learns = use == ZOID_RATES_LEARN && zoid_ranks_here()->size == 1;
    return s->learns ? zoid_learn(&lesson, &s->context) : zoid_context_open(wanted, &s->context);
}

/* Default limit of a stop in seconds, except for runs on a disk, where shallow passes are
 * expensive. */
static const double patience = 60;

/* The final checkpoint may have to wait for the previous one. */
double zoid_session_stop_seconds(const struct zoid_session *s)
{
    const double passes = zoid_plan_stop_seconds(&s->plan);
    const double writes = ZOID_DUE_CARE * s->march.write_seconds;

    if (!zoid_march_repeats(&s->options->keep))
        return passes + writes;
    return (zoid_results_staging(s) ? fmax(passes, writes) : passes + writes) + writes;
}

/* Returns the default limit of a stop. A run of a single pass would write no checkpoint. */
static double usual_limit(const struct zoid_session *s)
{
    const struct zoid_keep_options *k = &s->options->keep;
    double most = s->plan.home == ZOID_RAM ? patience : INFINITY;

    if (k->walltime > 0)
        most = fmin(most, k->walltime / 2);
    return k->minutes > 0 ? fmin(most, 60 * k->minutes) : most;
}

static bool too_slow(const struct zoid_session *s)
{
    const double within = s->options->keep.within;

    return within > 0 ? zoid_session_stop_seconds(s) > within
                      : zoid_plan_stop_seconds(&s->plan) > usual_limit(s);
}

/* Plans, and halves the depth until a stop is within the limit: shallower passes end sooner. */
static enum zoid_status plan_within(struct zoid_session *s, struct zoid_request *request)
{
    const struct zoid_options *o = s->options;
    enum zoid_status status = zoid_plan_make(s->context, &s->problem, request, &s->plan);

    while (!status && o->keep.checkpoint && too_slow(s) && !o->depth && s->plan.graph.depth > 1) {
        request->depth = s->plan.graph.depth / 2;
        status = zoid_plan_make(s->context, &s->problem, request, &s->plan);
    }
    if (status || o->keep.within <= 0 || !too_slow(s))
        return status;
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "a stop may take %.1f s here, %.1f s of them for the checkpoint; give "
                     "{stop_within} more than that%s",
                     zoid_session_stop_seconds(s), ZOID_DUE_CARE * s->march.write_seconds,
                     o->depth > 1 ? ", or a smaller " ZOID_KEY("depth") : "");
}

double zoid_session_checkpoint_bytes(const struct zoid_session *s)
{
    const struct zoid_points *points = s->problem.points;
    const double seen = points ? (double)points->receivers * sizeof(double) : 0;

    return zoid_checkpoint_bytes(s->initial.problem, s->options->keep.coefficients) +
           seen * (double)(s->march.total + 1);
}

/* --plans: prints one line per plan. */
static void print_one(void *self, const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    FILE *out = self;

    fprintf(out, "fits %s block %ld depth %ld lanes %d", g->method->name, g->block, g->depth,
            g->lanes);
    if (zoid_cells(g) > 1)
        fprintf(out, " cells %ldx%ldx%ld epoch %ld", zoid_rank_cells_along(g, 0),
                zoid_rank_cells_along(g, 1), zoid_rank_cells_along(g, 2), g->epoch);
    fprintf(out, " on %s home %s predicted_seconds %.6g\n",
            p->place[0].kind == ZOID_GPUS ? "gpus" : "cores", p->tier[p->home].name,
            p->cost.seconds);
}

static enum zoid_status make_plan(struct zoid_session *s)
{
    const struct zoid_options *o = s->options;
    struct zoid_request request = zoid_options_request(o);
    const char *note = zoid_context_note(s->context);
    enum zoid_status status;

    if (o->plans && zoid_ranks_here()->rank == 0) {
        request.each = print_one;
        request.self = stdout;
    }
    if (o->keep.checkpoint)
        s->march.write_seconds = zoid_session_checkpoint_bytes(s) * s->context->rates.disk_write;
    status = plan_within(s, &request);
    if (!status && note && zoid_ranks_here()->rank == 0)
        fprintf(stderr, "%s: %s\n", s->app->name, note);
    if (!status && o->check)
        status = zoid_check_fits(s->context, &s->plan);
    return status;
}

enum zoid_status zoid_session_open(struct zoid_session *s, const char *trace)
{
    struct zoid_context_options wanted = zoid_options_context(s->options);
    enum zoid_status status;

    wanted.trace = trace;
    status = open_context(s, &wanted);
    return status ? status : zoid_ranks_agree(make_plan(s));
}

/* ---- the run ------------------------------------------------------------------------------- */

static enum zoid_status fill(struct zoid_session *s)
{
    enum zoid_status status =
        zoid_job_fill(s->job, s->app->fill ? s->app->fill : zoid_initial_box, &s->initial);

    if (!status && s->given)
        status = zoid_given_status(s->given);
    if (!status && s->restart.from)
        status = zoid_checkpoint_status(s->restart.from);
    return zoid_ranks_agree(status);
}

enum zoid_status zoid_session_fill(struct zoid_session *s)
{
    enum zoid_status status = zoid_job_create(s->context, &s->plan, &s->job);

    s->record.job = s->job;
    if (!status)
        status = fill(s);
    if (!status && s->app->pieces)
        status = zoid_ranks_agree(s->app->pieces(s->job));
    s->report = (struct zoid_report){.seed = s->options->seed, .check = "off"};
    snprintf(s->report.app, sizeof s->report.app, "%s", s->app->name);
    s->ran = !status;
    return status;
}

static enum zoid_status advance(struct zoid_session *s)
{
    const struct zoid_options *o = s->options;

    if (zoid_march_wanted(&o->keep))
        return zoid_march_run(&s->march, s->job, &s->report);
    return zoid_job_run(s->job, o->progress, &s->report);
}

enum zoid_status zoid_session_run(struct zoid_session *s)
{
    enum zoid_status status;

    if (s->app->run)
        return s->app->run(&s->march, s->job, &s->report);
    status = advance(s);
    /* Count from step 0. */
    s->report.start = s->problem.start;
    s->report.steps += s->problem.start;
    return status;
}

const struct zoid_report *zoid_session_report(struct zoid_session *s)
{
    if (!s->settings)
        s->settings = zoid_settings_given(s->options->settings);
    s->report.settings = s->settings;
    return &s->report;
}

bool zoid_session_lost(const struct zoid_session *s, enum zoid_status ended)
{
    return ended == ZOID_CHECK_FAILED && !s->app->run && zoid_job_steps(s->job) < s->march.total;
}

enum zoid_status zoid_session_check(struct zoid_session *s)
{
    enum zoid_status status;

    if (!s->options->check)
        return ZOID_OK;
    status = zoid_check(s->job, &s->initial);
    if (!status)
        s->report.check = "passed";
    else if (status == ZOID_CHECK_FAILED)
        s->report.check = "failed";
    return status;
}

/* Refines the rates for later runs; a failure to store them is not an error. */
void zoid_session_refine(const struct zoid_session *s)
{
    if (s->learns && zoid_op_plain(s->problem.op) && zoid_refine(s->context, &s->plan, &s->report))
        fprintf(stderr, "%s: what the run has taught is lost; --rates keep learns nothing: %s\n",
                s->app->name, zoid_error_as(ZOID_NAMES_OPTIONS));
}

/* Draws the trace on rank 0. */
static enum zoid_status draw(const char *folder)
{
    return zoid_ranks_agree(zoid_ranks_here()->rank == 0 ? zoid_trace_draw(folder) : ZOID_OK);
}

/* If this rank alone has failed, the others may wait for it forever, so they are aborted. */
enum zoid_status zoid_session_close(struct zoid_session *s, enum zoid_status before)
{
    struct zoid_failure failure = {.status = ZOID_OK};

    if (!zoid_ranks_know(before)) {
        zoid_results_discard(s);
        zoid_command_abort(s->app->name, before);
    }
    zoid_failure_keep(&failure, before);
    zoid_checkpoints_close(&s->march.checkpoints);
    zoid_job_destroy(&s->job);
    zoid_point_list_close(&s->points);
    zoid_given_close(&s->given);
    zoid_failure_keep(&failure, zoid_context_close(&s->context));
    if (s->ran && s->options->trace)
        zoid_failure_keep(&failure, draw(s->options->trace));
    zoid_results_discard(s);
    zoid_snapshots_close(&s->march.snapshots);
    zoid_restart_end(&s->restart);
    free(s->settings);
    s->settings = NULL;
    return zoid_failure_raise(&failure);
}
