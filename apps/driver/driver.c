/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/driver.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/calibrate/learn.h"
#include "apps/calibrate/refine.h"
#include "apps/driver/family.h"
#include "apps/driver/given.h"
#include "apps/driver/problem.h"
#include "apps/driver/summary.h"
#include "apps/files/dump.h"
#include "apps/files/output.h"
#include "apps/trace/draw.h"
#include "runtime/context.h"
#include "runtime/machine/rates.h"
#include "runtime/ranks/launcher.h"
#include "runtime/ranks/ranks.h"

/* Everything that a run holds; released in one place. */
struct session {
    const struct zoid_app *app;
    struct zoid_options *options;
    struct zoid_problem problem;
    struct zoid_plan plan;
    struct zoid_context *context;
    struct zoid_job *job;
    struct zoid_output *graph, *report_file;
    struct zoid_dump *dump;
    struct zoid_initial initial;
    struct zoid_given *given; /* fields; NULL: none */
    double stability;         /* NaN: the operator has no such number */
    struct zoid_report report;
    bool learns; /* from what is run */
    bool ran;
};

/* What failed first is what the user must hear of, whatever fails after it. */
struct failure {
    enum zoid_status status;
    char message[512];
};

static void hear(struct failure *failure, enum zoid_status status)
{
    if (failure->status || !status)
        return;
    failure->status = status;
    snprintf(failure->message, sizeof failure->message, "%s", zoid_error());
}

static void discard_outputs(struct session *s)
{
    zoid_output_discard(&s->graph);
    zoid_dump_discard(&s->dump);
    zoid_output_discard(&s->report_file);
}

/* The first rank's. */
static enum zoid_status draw(const char *folder)
{
    return zoid_ranks_agree(zoid_ranks_here()->rank == 0 ? zoid_trace_draw(folder) : ZOID_OK);
}

/* The other ranks may wait for this one for ever where it alone has failed. */
static enum zoid_status session_close(struct session *s, enum zoid_status before)
{
    struct failure failure = {.status = ZOID_OK};

    if (!zoid_ranks_know(before)) {
        discard_outputs(s);
        zoid_command_abort(s->app->name, before);
    }
    hear(&failure, before);
    zoid_job_destroy(&s->job);
    zoid_given_close(&s->given);
    hear(&failure, zoid_context_close(&s->context));
    if (s->ran && s->options->trace)
        hear(&failure, draw(s->options->trace));
    discard_outputs(s);
    return failure.status ? zoid_fail(failure.status, "%s", failure.message) : ZOID_OK;
}

static enum zoid_status make_plan(struct session *s)
{
    const struct zoid_options *o = s->options;
    const struct zoid_request request = zoid_options_request(o);
    const char *note = zoid_context_note(s->context);
    enum zoid_status status = zoid_plan_make(s->context, &s->problem, &request, &s->plan);

    if (!status && note && zoid_ranks_here()->rank == 0)
        fprintf(stderr, "%s: %s\n", s->app->name, note);
    if (!status && o->check)
        status = zoid_check_fits(s->context, &s->plan);
    return status;
}

static enum zoid_status write_graph(struct session *s)
{
    const char *path = s->options->graph;
    enum zoid_status status = zoid_output_open(path, &s->graph);

    if (status)
        return status;
    /* Of all ranks. */
    s->plan.graph.rank = ZOID_EVERY_RANK;
    errno = 0;
    if (zoid_dot_graph(&s->plan.graph, zoid_output_stream(s->graph)))
        return zoid_fail(ZOID_RESOURCE, "cannot write the graph %s: %s; name another file", path,
                         strerror(errno ? errno : ENOMEM));
    return zoid_output_commit(&s->graph);
}

/* --plan and --graph: what would be run. */
static enum zoid_status show(struct session *s)
{
    enum zoid_status status = ZOID_OK;

    if (s->options->plan && !s->options->quiet)
        zoid_plan_print(&s->plan, stdout);
    if (s->options->graph && zoid_ranks_here()->rank == 0)
        status = write_graph(s);
    return zoid_ranks_agree(status);
}

/* Of several ranks the first writes. */
static enum zoid_status open_outputs(struct session *s)
{
    const struct zoid_options *o = s->options;
    const bool writes = zoid_ranks_here()->rank == 0;
    enum zoid_status status = ZOID_OK;

    if (writes && o->dump)
        status = zoid_dump_open(o->dump, &s->problem, &s->dump);
    if (!status && writes && o->report)
        status = zoid_output_open(o->report, &s->report_file);
    return zoid_ranks_agree(status);
}

static enum zoid_status fill(struct session *s)
{
    enum zoid_status status = zoid_job_fill(s->job, zoid_initial_box, &s->initial);

    if (!status && s->given)
        status = zoid_given_status(s->given);
    return status;
}

static enum zoid_status compute(struct session *s)
{
    const struct zoid_options *o = s->options;
    enum zoid_status status = zoid_job_create(s->context, &s->plan, &s->job);

    if (!status)
        status = fill(s);
    s->report = (struct zoid_report){.seed = o->seed, .check = "off"};
    snprintf(s->report.app, sizeof s->report.app, "%s", s->app->name);
    s->ran = !status;
    if (status)
        return status;
    return s->app->run ? s->app->run(s->job, &s->initial, o->progress, &s->report)
                       : zoid_job_run(s->job, o->progress, &s->report);
}

static enum zoid_status check(struct session *s)
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

/* Points and steps are the units where the options name no others. */
static enum zoid_status dump(struct session *s)
{
    const struct zoid_given_options *g = &s->options->given;
    const int dt = zoid_op_param(s->problem.op, "dt");
    struct zoid_dump_units units = {.dx = 1, .dt = dt < 0 ? 1 : s->problem.params.value[dt]};

    if (g->velocity)
        units = (struct zoid_dump_units){.dx = g->dx, .dt = g->dt};
    return zoid_dump_write(s->job, &s->problem, &units, &s->dump);
}

/* Whoever gives fields wants to know how stable they are. */
static void derive_stability(struct session *s)
{
    struct zoid_derived *d = s->report.derived;
    int i = 0;

    while (i < ZOID_MAX_DERIVED && d[i].name)
        i++;
    if (i < ZOID_MAX_DERIVED && s->given && !isnan(s->stability))
        d[i] = (struct zoid_derived){.name = "stability", .value = s->stability};
}

static enum zoid_status derive(struct session *s)
{
    enum zoid_status status =
        s->app->derive ? s->app->derive(s->job, &s->problem, s->report.derived) : ZOID_OK;

    if (!status)
        derive_stability(s);
    return status;
}

/* Launchers give what they start a terminal of their own, whatever theirs is. */
static bool for_people(const struct zoid_options *o)
{
    return !o->quiet && !o->porcelain && isatty(STDOUT_FILENO) && !zoid_launcher_here();
}

static enum zoid_status write_report(struct session *s)
{
    enum zoid_status status = ZOID_OK;

    if (for_people(s->options))
        zoid_summary_print(&s->plan, &s->report, stdout);
    else if (!s->options->quiet)
        status = zoid_report_print(&s->report, stdout);
    if (!status && s->report_file)
        status = zoid_report_write(&s->report, zoid_output_file(s->report_file));
    if (!status && s->report_file)
        status = zoid_output_commit(&s->report_file);
    return status;
}

/* A failed check is what the user must hear of, even if an output fails after it. */
static enum zoid_status leave_results(struct session *s, const struct failure *checked)
{
    enum zoid_status status = ZOID_OK;

    if (s->options->dump)
        status = zoid_ranks_agree(dump(s));
    if (!status)
        status = derive(s);
    if (!status)
        status = write_report(s);
    return checked->status ? zoid_fail(checked->status, "%s", checked->message) : status;
}

/* What the run has taught is for the next one. That it cannot be kept is no failure. */
static void refine(const struct session *s)
{
    if (s->learns && zoid_refine(s->context, &s->plan, &s->report))
        fprintf(stderr, "%s: what the run has taught is lost; --rates keep learns nothing: %s\n",
                s->app->name, zoid_error());
}

static enum zoid_status run(struct session *s)
{
    struct failure checked = {.status = ZOID_OK};
    enum zoid_status status = open_outputs(s);

    if (!status)
        status = compute(s);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    hear(&checked, status);
    if (!status)
        refine(s);
    status = check(s);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    hear(&checked, status);
    return leave_results(s, &checked);
}

/* Bytes of the fields, once. */
static double state_of(const struct zoid_problem *p)
{
    double bytes = (double)zoid_type_size(p->op->type) * (p->op->nstate + p->op->ncoef);

    for (int a = 0; a < p->op->dims; a++)
        bytes *= (double)p->n[a];
    return bytes;
}

/* With rates as the options say, or measured now. */
static enum zoid_status open_context(struct session *s, const struct zoid_context_options *wanted)
{
    const struct zoid_lesson lesson = {.program = s->app->name,
                                       .op = s->problem.op,
                                       .state = state_of(&s->problem),
                                       .ram = s->options->budget[ZOID_RAM],
                                       .wanted = wanted};
    enum zoid_rates_use use;
    enum zoid_status status = zoid_rates_use(s->options->rates, ZOID_RATES_LEARN, &use);

    if (status)
        return status;
    /* Ranks that measure would measure each other. */
    s->learns = use == ZOID_RATES_LEARN && zoid_ranks_here()->size == 1;
    return s->learns ? zoid_learn(&lesson, &s->context) : zoid_context_open(wanted, &s->context);
}

static enum zoid_status make_problem(struct session *s)
{
    struct zoid_options *o = s->options;
    enum zoid_status status = zoid_given_step(o);

    if (!status)
        status = s->app->make
                     ? s->app->make(o, &s->problem)
                     : zoid_problem_make(zoid_problem_family(o, s->app->families), o, &s->problem);
    s->initial = (struct zoid_initial){.problem = &s->problem, .kind = o->init, .seed = o->seed};
    if (!status && s->app->start)
        s->app->start(&s->initial);
    return status;
}

/* The fields that the options give, and whether the problem is stable. */
static enum zoid_status take_given(struct session *s)
{
    enum zoid_status status = zoid_given_open(s->options, &s->problem, &s->given);

    if (!status && s->given)
        zoid_given_start(s->given, &s->initial);
    return status ? status : zoid_given_check(s->options, s->given, &s->initial, &s->stability);
}

static enum zoid_status serve(struct session *s)
{
    const struct zoid_options *o = s->options;
    bool runs = !o->plan && !o->graph;
    struct zoid_context_options wanted = zoid_options_context(o);
    enum zoid_status status = zoid_ranks_agree(make_problem(s));

    if (!status)
        status = take_given(s);
    wanted.trace = runs ? o->trace : NULL;
    if (!status && !o->quiet)
        status = zoid_command_try_stdout();
    status = zoid_ranks_agree(status);
    if (!status)
        status = open_context(s, &wanted);
    if (!status)
        status = zoid_ranks_agree(make_plan(s));
    if (status)
        return status;
    if (!o->quiet)
        zoid_context_print_ranks(s->context, stdout);
    fflush(stdout);
    return runs ? run(s) : show(s);
}

int zoid_app_main(const struct zoid_app *app, int argc, char **argv)
{
    static const struct zoid_option none[] = {{.name = NULL}};
    const struct zoid_option *const tables[] = {
        zoid_options_problem,
        zoid_options_operator(app->families, app->choose),
        app->own_params ? none : zoid_options_params(app->families),
        zoid_options_given(app->families),
        app->options ? app->options : none,
        zoid_options_cut(),
        zoid_options_shown,
        zoid_options_memory,
        zoid_options_disk,
        zoid_options_ranks,
        zoid_options_results,
        NULL};
    const struct zoid_command command = {
        .name = app->name, .summary = app->summary, .notes = zoid_options_notes, .options = tables};
    struct zoid_options options = zoid_options_defaults();
    struct session session = {.app = app, .options = &options};
    bool shown = false;
    enum zoid_status status;

    if (app->steps)
        zoid_options_steps(app->steps, app->default_steps, &options);

    status = zoid_command_start();
    if (!status)
        status = zoid_command_parse(&command, argc, argv, &options, &shown);
    if (!status && !shown)
        status = serve(&session);
    status = session_close(&session, status);
    return zoid_command_finish(&command, status);
}
