/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/cli.h"
#include "apps/cli/draw.h"
#include "apps/cli/stop.h"
#include "apps/cli/summary.h"
#include "runtime/ranks/launcher.h"

static const char notes[] =
    "BYTES take the suffixes K, M, G and T, powers of 1024. Of an option given twice the last one "
    "counts. --plan and --graph run nothing, so they write no dump, no report and no "
    "trace.\n\n"
    "Exit status:\n"
    "  0  done\n"
    "  1  the check failed, or an iteration; dump and report are still written\n"
    "  2  a bad argument\n"
    "  3  it does not fit; the message names the smallest budget that would do\n"
    "  4  something failed or is missing: a file, a device, memory, a second rank\n"
    "  5  stopped before its end, and can be restarted from its last checkpoint";

/* A session, and the program around it. */
struct program {
    const char *name;
    struct zoid_session *session;
    struct zoid_cli cli;
    bool started; /* the session has */
};

static bool has(const struct program *p, const char *key)
{
    return zoid_session_is_set(p->session, key);
}

/* Prints a line on the standard error of rank 0. */
static void say(const struct program *p, const char *line)
{
    if (zoid_rank(NULL) == 0)
        fprintf(stderr, "%s: %s\n", p->name, line);
}

/* ---- --plan and --graph -------------------------------------------------------------------- */

static enum zoid_status show(struct program *p)
{
    const char *text = p->cli.plan && !p->cli.quiet ? zoid_session_plan_text(p->session) : "";
    enum zoid_status status = zoid_ranks_agree(text ? ZOID_OK : zoid_command_no_memory());

    if (status)
        return status;
    fputs(text, stdout);
    return p->cli.graph ? zoid_session_write_graph(p->session, p->cli.graph) : ZOID_OK;
}

/* ---- a run --------------------------------------------------------------------------------- */

/* Returns whether a person reads stdout. Launchers may allocate a pseudo-terminal for their
 * processes. */
static bool for_people(const struct zoid_cli *cli)
{
    return !cli->quiet && !cli->porcelain && isatty(STDOUT_FILENO) && !zoid_launcher_here();
}

/* The reference of --check starts from the checkpoint. */
static void say_checked(const struct program *p)
{
    char line[80];

    snprintf(line, sizeof line, "the check begins with the checkpoint, at step %ld",
             zoid_session_problem_of(p->session)->start);
    if (has(p, "restart") && has(p, "check"))
        say(p, line);
}

static void say_moved(const struct program *p, enum zoid_status ended)
{
    char line[ZOID_MOVED_LINE];

    if ((!ended || ended == ZOID_STOPPED) && !p->cli.quiet &&
        zoid_moved_more(zoid_session_plan_of(p->session), zoid_session_report_of(p->session), line))
        say(p, line);
}

static enum zoid_status print_report(struct program *p)
{
    const struct zoid_report *report = zoid_session_report_of(p->session);
    enum zoid_status status = ZOID_OK;

    if (for_people(&p->cli))
        zoid_summary_print(zoid_session_plan_of(p->session), report, stdout);
    else if (!p->cli.quiet)
        status = zoid_report_print(report, stdout);
    return status ? status : zoid_session_write_report(p->session);
}

/* Reports a run that ended early with `failed`; there are no other results. */
static enum zoid_status leave_early(struct program *p, enum zoid_status failed)
{
    struct zoid_failure failure = {.status = ZOID_OK};
    enum zoid_status status;

    zoid_failure_keep(&failure, failed);
    status = zoid_ranks_agree(print_report(p));
    return status ? status : zoid_ranks_agree(zoid_failure_raise(&failure));
}

/* Signals stop a run that can be restarted. */
static enum zoid_status compute(const struct program *p)
{
    enum zoid_status status;

    if (has(p, "checkpoint"))
        zoid_stop_listen(p->session);
    status = zoid_session_complete(p->session);
    zoid_stop_ignore();
    return status;
}

/* Refines the rates for later runs. */
static void refine(const struct program *p)
{
    char why[ZOID_COMMAND_MESSAGE];

    if (!zoid_session_refine(p->session))
        return;
    zoid_command_message(why);
    fprintf(stderr, "%s: what the run has taught is lost; --rates keep learns nothing: %s\n",
            p->name, why);
}

static enum zoid_status run(struct program *p)
{
    struct zoid_session *s = p->session;
    struct zoid_failure found = {.status = ZOID_OK};
    enum zoid_status status = zoid_session_start(s);

    p->started = !status;
    if (status)
        return status;
    status = compute(p);
    say_moved(p, status);
    if (status == ZOID_STOPPED || zoid_session_lost(s, status))
        return leave_early(p, status);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    zoid_failure_keep(&found, status);
    if (!status)
        refine(p);
    say_checked(p);
    status = zoid_session_check(s);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    zoid_failure_keep(&found, status);
    status = zoid_session_write_results(s, &found);
    if (!status)
        status = print_report(p);
    return found.status ? zoid_ranks_agree(zoid_failure_raise(&found)) : status;
}

static void print_stop(const struct program *p)
{
    const struct zoid_stop_forecast stop = zoid_session_stop_forecast(p->session);
    const double mib = (double)stop.staging / (1 << 20);

    printf(for_people(&p->cli) ? "a stop may take %.3g s, %.3g s of them for its checkpoint\n"
                               : "stop.seconds %.3g\nstop.checkpoint_seconds %.3g\n",
           stop.seconds, stop.checkpoint_seconds);
    if (!stop.repeats)
        return;
    if (!for_people(&p->cli))
        printf("checkpoints.staging_mib %.0f\n", mib);
    else if (mib > 0)
        printf("checkpoints take %.0f MiB more, and are written while the run goes on\n", mib);
    else
        printf("the run waits for each checkpoint: --ram has no room for one beside the plan\n");
}

static enum zoid_status check_outputs(const struct program *p, bool runs)
{
    const struct zoid_points *points = zoid_session_problem_of(p->session)->points;

    if (runs && points && points->receivers && !has(p, "record"))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "what receivers see would be lost; name a file for it with {record}");
    return p->cli.quiet ? ZOID_OK : zoid_command_try_stdout();
}

static enum zoid_status serve(struct program *p)
{
    struct zoid_session *s = p->session;
    const struct zoid_cli *cli = &p->cli;
    const bool runs = !cli->plan && !cli->plans && !cli->graph;
    enum zoid_status status = runs ? ZOID_OK : zoid_session_unset(s, "trace");

    if (!status)
        status = zoid_session_examine(s);
    if (!status)
        status = zoid_ranks_agree(check_outputs(p, runs));
    if (status)
        return status;
    if (cli->plans)
        zoid_session_list_plans(s, stdout);
    status = zoid_session_plan(s);
    if (status)
        return status;
    if (zoid_context_note(zoid_session_context_of(s)))
        say(p, zoid_context_note(zoid_session_context_of(s)));
    if (!cli->quiet) {
        zoid_context_print_ranks(zoid_session_context_of(s), stdout);
        if (has(p, "checkpoint"))
            print_stop(p);
    }
    fflush(stdout);
    if (cli->progress)
        zoid_session_print_progress(s);
    return runs ? run(p) : show(p);
}

/* ---- the program --------------------------------------------------------------------------- */

static enum zoid_status set_option(void *session, size_t i, const char *text)
{
    return zoid_session_set_option(session, i, text);
}

/* Lists the options of the session and those of the command line. */
static enum zoid_status list(struct program *p, const struct zoid_program *program,
                             struct zoid_command_rows *rows)
{
    const struct zoid_option *option;
    enum zoid_status status = zoid_session_set_program(p->session, program);
    const size_t n = status ? 0 : zoid_session_options(p->session, &option);

    zoid_command_free(rows);
    for (size_t i = 0; i < n; i++) {
        const struct zoid_command_row row = {
            .option = option[i], .set = set_option, .object = p->session, .index = i};

        zoid_command_add(rows, &row);
    }
    zoid_cli_rows(&p->cli, rows);
    return status;
}

/* Creates the session, whose time begins, and lists its options, those of operators in files among
 * them. Other ranks do not know of a failure. */
static enum zoid_status make(struct program *p, const struct zoid_program *program, int argc,
                             char **argv, struct zoid_command_rows *rows)
{
    bool loaded = false;
    enum zoid_status status = zoid_session_create(&p->session);

    if (!status)
        status = list(p, program, rows);
    if (!status)
        status = zoid_command_load(rows, argc, argv, &loaded);
    return !status && loaded ? list(p, program, rows) : status;
}

/* Reads the checkpoint that --restart names. */
static enum zoid_status restart(struct program *p)
{
    const char *path;
    char *copy;
    enum zoid_status status;

    if (!has(p, "restart"))
        return ZOID_OK;
    path = zoid_session_get(p->session, "restart");
    copy = path ? strdup(path) : NULL;
    status = zoid_ranks_agree(copy ? ZOID_OK : zoid_command_no_memory());
    if (!status)
        status = zoid_session_restart(p->session, copy);
    free(copy);
    return status;
}

/* Draws the trace on rank 0. */
static enum zoid_status draw(const struct program *p)
{
    const char *folder = zoid_session_get(p->session, "trace");
    enum zoid_status status = folder ? ZOID_OK : zoid_command_no_memory();

    if (!status && zoid_rank(NULL) == 0)
        status = zoid_draw_trace(folder);
    return zoid_ranks_agree(status);
}

/* Releases the session. If this rank alone has failed, the others may wait for it forever, so they
 * are aborted. */
static enum zoid_status end(struct program *p, enum zoid_status status)
{
    struct zoid_failure failure = {.status = ZOID_OK};

    if (zoid_failed_alone(status)) {
        zoid_output_remove_unfinished();
        zoid_command_abort(p->name, status);
    }
    if (p->session) {
        zoid_failure_keep(&failure, zoid_session_close(p->session, status));
        if (p->started && has(p, "trace"))
            zoid_failure_keep(&failure, draw(p));
    }
    zoid_failure_keep(&failure, status);
    zoid_session_destroy(&p->session);
    zoid_cli_close(&p->cli);
    return zoid_failure_raise(&failure);
}

int zoid_app_main(const struct zoid_app *app, int argc, char **argv)
{
    struct zoid_command_rows rows = {.n = 0};
    struct program p = {.name = app->program.name};
    const struct zoid_command command = {
        .name = p.name, .summary = app->summary, .notes = notes, .rows = &rows};
    struct zoid_failure made = {.status = ZOID_OK};
    bool shown = false;
    enum zoid_status status;

    zoid_failure_keep(&made, make(&p, &app->program, argc, argv, &rows));
    status = zoid_command_start();
    if (!status)
        status = zoid_ranks_agree(zoid_failure_raise(&made));
    if (!status)
        status = zoid_command_parse(&command, argc, argv, &shown);
    if (!status && !shown)
        status = restart(&p);
    if (!status && !shown)
        status = serve(&p);
    status = end(&p, status);
    zoid_command_free(&rows);
    return zoid_command_finish(&command, status);
}
