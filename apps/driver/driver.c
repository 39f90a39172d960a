/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/driver.h"

#include <errno.h>
#include <string.h>

#include "apps/driver/moved.h"
#include "apps/driver/results.h"
#include "apps/driver/session.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/machine/clock.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/due.h"

static enum zoid_status write_graph(struct zoid_session *s)
{
    const char *path = s->options->graph;
    enum zoid_status status = zoid_output_open(path, &s->graph);

    if (status)
        return status;
    /* Blocks of all ranks. */
    s->plan.graph.rank = ZOID_EVERY_RANK;
    errno = 0;
    if (zoid_dot_graph(&s->plan.graph, zoid_output_stream(s->graph)))
        return zoid_fail(ZOID_RESOURCE, "cannot write the graph %s: %s; name another file", path,
                         strerror(errno ? errno : ENOMEM));
    return zoid_output_commit(&s->graph);
}

/* --plan and --graph: describe the run. */
static enum zoid_status show(struct zoid_session *s)
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

/* The reference of --check starts from the checkpoint. */
static void say_checked(const struct zoid_session *s)
{
    if (s->restart.from && s->options->check && zoid_ranks_here()->rank == 0)
        fprintf(stderr, "%s: the check begins with the checkpoint, at step %ld\n", s->app->name,
                s->problem.start);
}

static void say_moved(const struct zoid_session *s, enum zoid_status ended)
{
    char line[ZOID_MOVED_LINE];

    if ((!ended || ended == ZOID_STOPPED) && !s->options->quiet && zoid_ranks_here()->rank == 0 &&
        zoid_moved_more(&s->plan, &s->report, line))
        fprintf(stderr, "%s: %s\n", s->app->name, line);
}

static enum zoid_status run(struct zoid_session *s)
{
    struct zoid_failure checked = {.status = ZOID_OK};
    enum zoid_status status = zoid_results_open(s);

    if (!status)
        status = zoid_session_fill(s);
    if (!status)
        status = zoid_session_run(s);
    say_moved(s, status);
    if (status == ZOID_STOPPED || zoid_session_lost(s, status))
        return zoid_results_leave_early(s, status);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    zoid_failure_keep(&checked, status);
    if (!status)
        zoid_session_refine(s);
    say_checked(s);
    status = zoid_session_check(s);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    zoid_failure_keep(&checked, status);
    return zoid_results_leave(s, &checked);
}

/* Predicted duration of a stop. */
static void print_stop(const struct zoid_session *s)
{
    printf(zoid_results_for_people(s->options)
               ? "a stop may take %.3g s, %.3g s of them for its checkpoint\n"
               : "stop.seconds %.3g\nstop.checkpoint_seconds %.3g\n",
           zoid_session_stop_seconds(s), ZOID_DUE_CARE * s->march.write_seconds);
}

/* Whether the run waits for its checkpoints. */
static void print_staging(const struct zoid_session *s)
{
    const double mib = (double)zoid_results_staging(s) / (1 << 20);

    if (!zoid_results_for_people(s->options))
        printf("checkpoints.staging_mib %.0f\n", mib);
    else if (mib > 0)
        printf("checkpoints take %.0f MiB more, and are written while the run goes on\n", mib);
    else
        printf("the run waits for each checkpoint: --ram has no room for one beside the plan\n");
}

static enum zoid_status serve(struct zoid_session *s)
{
    const struct zoid_options *o = s->options;
    bool runs = !o->plan && !o->plans && !o->graph;
    enum zoid_status status = zoid_session_prepare(s);

    if (!status && runs && o->receivers.n && !o->record)
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "what receivers see would be lost; name a file for it with {record}");
    if (!status && !o->quiet)
        status = zoid_command_try_stdout();
    status = zoid_ranks_agree(status);
    if (!status)
        status = zoid_session_open(s, runs ? o->trace : NULL);
    if (status)
        return status;
    if (!o->quiet) {
        zoid_context_print_ranks(s->context, stdout);
        if (o->keep.checkpoint)
            print_stop(s);
        if (o->keep.checkpoint && zoid_march_repeats(&o->keep))
            print_staging(s);
    }
    fflush(stdout);
    return runs ? run(s) : show(s);
}

void zoid_app_rows(const struct zoid_app *app, struct zoid_settings *settings, struct zoid_cli *cli,
                   struct zoid_command_rows *rows)
{
    const struct zoid_program_rows program = {.families = app->families,
                                              .choose = app->choose,
                                              .groups =
                                                  app->groups ? app->groups : ZOID_GROUPS_STENCIL,
                                              .no_params = app->no_params,
                                              .changes = app->changes};

    zoid_program_rows(&program, settings, cli, rows);
}

int zoid_app_main(const struct zoid_app *app, int argc, char **argv)
{
    struct zoid_settings settings;
    struct zoid_cli cli = {.quiet = false};
    struct zoid_command_rows rows = {.n = 0};
    struct zoid_session session = {.app = app, .begun = zoid_machine_clock()};
    const struct zoid_command command = {.name = app->name,
                                         .summary = app->summary,
                                         .notes = zoid_options_notes,
                                         .rows = &rows,
                                         .taken = zoid_restart_note,
                                         .user = &session.restart.said};
    struct zoid_options options;
    bool shown = false;
    enum zoid_status status;

    zoid_app_rows(app, &settings, &cli, &rows);
    status = zoid_program_defaults(&rows, &settings);
    if (!status)
        status = zoid_command_start();
    if (!status)
        status = zoid_restart_read(&session.restart, &command, argc, argv, &settings, &shown);
    options = zoid_options_of(&settings, &cli);
    session.options = &options;
    if (!status && !shown)
        status = serve(&session);
    status = zoid_session_close(&session, status);
    zoid_settings_close(&settings);
    zoid_cli_close(&cli);
    zoid_command_free(&rows);
    return zoid_command_finish(&command, status);
}
