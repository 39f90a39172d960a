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
#include "apps/driver/march.h"
#include "apps/driver/points.h"
#include "apps/driver/problem.h"
#include "apps/driver/restart.h"
#include "apps/driver/summary.h"
#include "apps/files/dump.h"
#include "apps/files/output.h"
#include "apps/trace/draw.h"
#include "runtime/context.h"
#include "runtime/machine/rates.h"
#include "runtime/ranks/launcher.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/due.h"

/* Everything that a run holds; released in one place. */
struct session {
    const struct zoid_app *app;
    struct zoid_options *options;
    struct zoid_problem problem;
    struct zoid_plan plan;
    struct zoid_context *context;
    struct zoid_job *job;
    struct zoid_output *graph, *report_file, *record_file;
    struct zoid_dump *dump;
    struct zoid_initial initial;
    struct zoid_given *given;       /* fields; NULL: none */
    double stability;               /* NaN: the operator has no such number */
    struct zoid_point_list *points; /* sources and receivers; NULL: none */
    struct zoid_record record;
    struct zoid_restart restart;
    struct zoid_march march;
    double begun; /* on CLOCK_MONOTONIC */
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
    zoid_output_discard(&s->record_file);
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
    zoid_point_list_close(&s->points);
    zoid_given_close(&s->given);
    hear(&failure, zoid_context_close(&s->context));
    if (s->ran && s->options->trace)
        hear(&failure, draw(s->options->trace));
    discard_outputs(s);
    zoid_snapshots_close(&s->march.snapshots);
    zoid_restart_end(&s->restart);
    return failure.status ? zoid_fail(failure.status, "%s", failure.message) : ZOID_OK;
}

/* What a stop is expected to take, with its checkpoint. */
static double stop_seconds(const struct session *s)
{
    return zoid_plan_stop_seconds(&s->plan) + ZOID_DUE_CARE * s->march.write_seconds;
}

/* Nobody waits longer for a run to stop than this, unless it is on a disk, where shallow passes
 * cost much. */
static const double patience = 60;

/* What a stop may take where nobody has said. A run that is one pass would leave no checkpoint. */
static double usual_limit(const struct session *s)
{
    const struct zoid_keep_options *k = &s->options->keep;
    double most = s->plan.home == ZOID_RAM ? patience : INFINITY;

    if (k->walltime > 0)
        most = fmin(most, k->walltime / 2);
    return k->minutes > 0 ? fmin(most, 60 * k->minutes) : most;
}

static bool too_slow(const struct session *s)
{
    const double within = s->options->keep.within;

    return within > 0 ? stop_seconds(s) > within
                      : zoid_plan_stop_seconds(&s->plan) > usual_limit(s);
}

/* A pass that is less deep ends sooner. */
static enum zoid_status plan_within(struct session *s, struct zoid_request *request)
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
                     "--stop-within more than that%s",
                     stop_seconds(s), ZOID_DUE_CARE * s->march.write_seconds,
                     o->depth > 1 ? ", or a smaller --depth" : "");
}

/* Of the last one, which has what receivers saw of every step. */
static double checkpoint_bytes(const struct session *s)
{
    const struct zoid_points *points = s->problem.points;
    const double seen = points ? (double)points->receivers * sizeof(double) : 0;

    return zoid_checkpoint_bytes(&s->problem, s->options->keep.coefficients) +
           seen * (double)(s->march.total + 1);
}

static enum zoid_status make_plan(struct session *s)
{
    const struct zoid_options *o = s->options;
    struct zoid_request request = zoid_options_request(o);
    const char *note = zoid_context_note(s->context);
    enum zoid_status status;

    if (o->keep.checkpoint)
        s->march.write_seconds = checkpoint_bytes(s) * s->context->rates.disk_write;
    status = plan_within(s, &request);
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
    if (s->options->plan && !s->options->quiet && s->app->show)
        s->app->show(s->context, &s->plan, stdout);
    if (s->options->graph && zoid_ranks_here()->rank == 0)
        status = write_graph(s);
    return zoid_ranks_agree(status);
}

/* What a dump is of. */
static const struct zoid_problem *shown(const struct session *s)
{
    return s->app->shown ? s->app->shown : s->initial.problem;
}

static enum zoid_status open_snapshots(struct session *s)
{
    const struct zoid_keep_options *k = &s->options->keep;
    const struct zoid_snapshot_wish wish = {.folder = k->out,
                                            .fields = k->fields,
                                            .stride = k->stride ? k->stride : 1,
                                            .axis = k->axis,
                                            .slice = k->slice,
                                            .start = s->problem.start};

    return zoid_snapshots_open(&wish, &s->problem, &s->march.snapshots);
}

/* Of several ranks the first writes. */
static enum zoid_status open_outputs(struct session *s)
{
    const struct zoid_options *o = s->options;
    const bool writes = zoid_ranks_here()->rank == 0;
    enum zoid_status status = ZOID_OK;

    if (writes && o->dump)
        status = zoid_dump_open(o->dump, shown(s), &s->dump);
    if (!status && writes && o->report)
        status = zoid_output_open(o->report, &s->report_file);
    if (!status && writes && o->record)
        status = zoid_output_open(o->record, &s->record_file);
    if (!status && writes && o->keep.checkpoint)
        status = zoid_checkpoint_prepare(
            o->keep.checkpoint, s->restart.from ? zoid_checkpoint_name(s->restart.from) : NULL,
            checkpoint_bytes(s));
    if (!status && o->keep.snapshot)
        status = open_snapshots(s);
    return zoid_ranks_agree(status);
}

static enum zoid_status fill(struct session *s)
{
    enum zoid_status status =
        zoid_job_fill(s->job, s->app->fill ? s->app->fill : zoid_initial_box, &s->initial);

    if (!status && s->given)
        status = zoid_given_status(s->given);
    if (!status && s->restart.from)
        status = zoid_checkpoint_status(s->restart.from);
    return zoid_ranks_agree(status);
}

static enum zoid_status advance(struct session *s)
{
    const struct zoid_options *o = s->options;

    if (s->app->run)
        return s->app->run(s->job, &s->initial, o->progress, &s->report);
    if (zoid_march_wanted(&o->keep))
        return zoid_march_run(&s->march, s->job, &s->report);
    return zoid_job_run(s->job, o->progress, &s->report);
}

static enum zoid_status compute(struct session *s)
{
    const struct zoid_options *o = s->options;
    enum zoid_status status = zoid_job_create(s->context, &s->plan, &s->job);

    s->record.job = s->job;
    if (!status)
        status = fill(s);
    if (!status && s->app->pieces)
        status = s->app->pieces(s->job);
    s->report = (struct zoid_report){.seed = o->seed, .check = "off"};
    snprintf(s->report.app, sizeof s->report.app, "%s", s->app->name);
    s->ran = !status;
    if (!status)
        status = advance(s);
    /* All that the state has been through. */
    s->report.start = s->problem.start;
    s->report.steps += s->problem.start;
    return status;
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
    const struct zoid_dump_state state = {
        .job = s->job, .problem = shown(s), .step = s->report.steps, .each = s->app->each};
    struct zoid_dump_units units = {.dx = 1, .dt = dt < 0 ? 1 : s->problem.params.value[dt]};

    if (g->velocity)
        units = (struct zoid_dump_units){.dx = g->dx, .dt = g->dt};
    return zoid_dump_write(&state, &units, &s->dump);
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

static enum zoid_status record(struct session *s)
{
    FILE *out = s->record_file ? zoid_output_stream(s->record_file) : NULL;
    enum zoid_status status = zoid_record_write(&s->record, s->options->record, out);

    return status || !out ? status : zoid_output_commit(&s->record_file);
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
        status = zoid_report_json(&s->report, zoid_output_stream(s->report_file));
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
    if (!status && s->options->record)
        status = zoid_ranks_agree(record(s));
    if (!status)
        status = derive(s);
    if (!status)
        status = write_report(s);
    return checked->status ? zoid_fail(checked->status, "%s", checked->message) : status;
}

/* What the run has taught is for the next one. That it cannot be kept is no failure. */
static void refine(const struct session *s)
{
    if (s->learns && zoid_op_plain(s->problem.op) && zoid_refine(s->context, &s->plan, &s->report))
        fprintf(stderr, "%s: what the run has taught is lost; --rates keep learns nothing: %s\n",
                s->app->name, zoid_error());
}

/* Of a run that goes on later there is no result yet. */
static enum zoid_status leave_stopped(struct session *s)
{
    struct failure stopped = {.status = ZOID_OK};
    enum zoid_status status;

    hear(&stopped, ZOID_STOPPED);
    status = zoid_ranks_agree(write_report(s));
    return status ? status : zoid_ranks_agree(zoid_fail(stopped.status, "%s", stopped.message));
}

/* --check compares with the plain loop nest from where the run began. */
static void say_checked(const struct session *s)
{
    if (s->restart.from && s->options->check && zoid_ranks_here()->rank == 0)
        fprintf(stderr, "%s: the check begins with the checkpoint, at step %ld\n", s->app->name,
                s->problem.start);
}

static enum zoid_status run(struct session *s)
{
    struct failure checked = {.status = ZOID_OK};
    enum zoid_status status = open_outputs(s);

    if (!status)
        status = compute(s);
    if (status == ZOID_STOPPED)
        return leave_stopped(s);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    hear(&checked, status);
    if (!status)
        refine(s);
    say_checked(s);
    status = check(s);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    hear(&checked, status);
    return leave_results(s, &checked);
}

/* Bytes of the fields, once. */
static double state_of(const struct zoid_problem *p)
{
    const struct zoid_op *op = p->op;
    const long planes = p->n[op->dims - 1];
    double bytes = (double)zoid_op_point_bytes(op) * op->nstate;

    if (!op->coefficient_bytes)
        bytes += (double)zoid_type_size(op->type) * op->ncoef;
    for (int a = 0; a < op->dims; a++)
        bytes *= (double)p->n[a];
    return bytes + (op->coefficient_bytes ? (double)op->coefficient_bytes(op, 0, planes) : 0);
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

/* The fields that the options give, and whether the problem is stable. */
static enum zoid_status take_given(struct session *s)
{
    enum zoid_status status = zoid_given_open(s->options, s->initial.problem, &s->given);

    if (!status && s->given)
        zoid_given_start(s->given, &s->initial);
    return status ? status : zoid_given_check(s->options, s->given, &s->initial, &s->stability);
}

/* Planned is the longest of its legs. */
static void prepare_march(struct session *s)
{
    struct zoid_options *o = s->options;
    struct zoid_problem *p = &s->problem;

    s->march = (struct zoid_march){.name = s->app->name,
                                   .keep = &o->keep,
                                   .plan = &s->plan,
                                   .initial = &s->initial,
                                   .about = &s->restart.about,
                                   .record = &s->record,
                                   .total = p->start + p->steps,
                                   .until = o->keep.walltime > 0 ? s->begun + o->keep.walltime : 0,
                                   .progress = o->progress};
    if (!zoid_march_wanted(&o->keep))
        return;
    o->again = true;
    p->steps = zoid_march_longest(&o->keep, p->start, s->march.total);
}

static enum zoid_status prepare(struct session *s)
{
    enum zoid_status status = zoid_ranks_agree(make_problem(s));

    if (!status)
        status = take_given(s);
    if (!status)
        status = zoid_point_list_open(s->options, &s->problem, &s->points);
    if (!status)
        status =
            zoid_restart_problem(&s->restart, s->options, &s->problem, &s->initial, &s->record);
    if (!status)
        prepare_march(s);
    return status;
}

/* How long it may take until a run that is to stop has done so. */
static void print_stop(const struct session *s)
{
    const double writes = ZOID_DUE_CARE * s->march.write_seconds;

    if (s->options->keep.checkpoint)
        printf(for_people(s->options)
                   ? "a stop may take %.3g s, %.3g s of them for its checkpoint\n"
                   : "stop.seconds %.3g\nstop.checkpoint_seconds %.3g\n",
               stop_seconds(s), writes);
}

static enum zoid_status serve(struct session *s)
{
    const struct zoid_options *o = s->options;
    bool runs = !o->plan && !o->graph;
    struct zoid_context_options wanted = zoid_options_context(o);
    enum zoid_status status = prepare(s);

    if (!status && runs && o->receivers.n && !o->record)
        status = zoid_fail(ZOID_BAD_ARGUMENT, "what receivers see would be lost; name a file for "
                                              "it with --record");
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
    if (!o->quiet) {
        zoid_context_print_ranks(s->context, stdout);
        print_stop(s);
    }
    fflush(stdout);
    return runs ? run(s) : show(s);
}

int zoid_app_main(const struct zoid_app *app, int argc, char **argv)
{
    static const struct zoid_option none[] = {{.name = NULL}};
    const struct zoid_option *const tables[] = {
        app->problem ? app->problem : zoid_options_problem,
        *app->families ? zoid_options_operator(app->families, app->choose) : none,
        app->own_params ? none : zoid_options_params(app->families),
        *app->families ? zoid_options_given(app->families) : none,
        *app->families ? zoid_options_points(app->families) : none,
        app->options ? app->options : none,
        *app->families ? zoid_options_record(app->families) : none,
        zoid_options_cut(),
        zoid_options_shown,
        zoid_options_memory,
        zoid_options_disk,
        zoid_options_ranks,
        zoid_options_results,
        /* Of an iteration that ends by itself nothing is kept on the way. */
        app->run ? none : zoid_options_keep,
        NULL,
    };
    const struct zoid_option *const problem[] = {tables[0], tables[1], tables[2], tables[3],
                                                 tables[4], tables[5], NULL};
    const struct zoid_command command = {.name = app->name,
                                         .summary = app->summary,
                                         .notes = zoid_options_notes,
                                         .options = tables,
                                         .taken = zoid_restart_note};
    struct zoid_options options = zoid_options_defaults();
    struct session session = {
        .app = app, .options = &options, .restart.said.tables = problem, .begun = zoid_due_clock()};
    bool shown = false;
    enum zoid_status status;

    options.said = &session.restart.said;
    if (app->steps)
        zoid_options_steps(app->steps, app->default_steps, &options);
    status = zoid_command_start();
    if (!status)
        status = zoid_restart_read(&session.restart, &command, argc, argv, &options, &shown);
    if (!status && !shown)
        status = serve(&session);
    status = session_close(&session, status);
    return zoid_command_finish(&command, status);
}
