/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/draw.h"
#include "apps/cli/stop.h"
#include "apps/cli/summary.h"
#include "graphs/cell.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/ranks/launcher.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/moved.h"
#include "runtime/session/results.h"
#include "runtime/submit/due.h"

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
    const struct zoid_app *app;
    struct zoid_session session;
    struct zoid_cli cli;
};

/* ---- --plan, --plans and --graph ----------------------------------------------------------- */

/* Prints one line per plan. */
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

static enum zoid_status write_graph(struct zoid_plan *plan, const char *path)
{
    struct zoid_output *graph = NULL;
    enum zoid_status status = zoid_output_open(path, &graph);

    if (status)
        return status;
    /* Blocks of all ranks. */
    plan->graph.rank = ZOID_EVERY_RANK;
    errno = 0;
    if (zoid_dot_graph(&plan->graph, zoid_output_stream(graph)))
        status = zoid_fail(ZOID_RESOURCE, "cannot write the graph %s: %s; name another file", path,
                           strerror(errno ? errno : ENOMEM));
    else
        status = zoid_output_commit(&graph);
    zoid_output_discard(&graph);
    return status;
}

static enum zoid_status show(struct program *p)
{
    struct zoid_session *s = &p->session;
    enum zoid_status status = ZOID_OK;

    if (p->cli.plan && !p->cli.quiet)
        zoid_plan_print(&s->plan, stdout);
    if (p->cli.plan && !p->cli.quiet && s->engine->show)
        s->engine->show(s, stdout);
    if (p->cli.graph && zoid_ranks_here()->rank == 0)
        status = write_graph(&s->plan, p->cli.graph);
    return zoid_ranks_agree(status);
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
    const struct zoid_session *s = &p->session;

    if (s->restart.from && s->settings.check && zoid_ranks_here()->rank == 0)
        fprintf(stderr, "%s: the check begins with the checkpoint, at step %ld\n", s->name,
                s->problem.start);
}

static void say_moved(const struct program *p, enum zoid_status ended)
{
    const struct zoid_session *s = &p->session;
    char line[ZOID_MOVED_LINE];

    if ((!ended || ended == ZOID_STOPPED) && !p->cli.quiet && zoid_ranks_here()->rank == 0 &&
        zoid_moved_more(&s->plan, &s->report, line))
        fprintf(stderr, "%s: %s\n", s->name, line);
}

static enum zoid_status print_report(struct program *p)
{
    struct zoid_session *s = &p->session;
    enum zoid_status status = ZOID_OK;

    if (for_people(&p->cli))
        zoid_summary_print(&s->plan, &s->report, stdout);
    else if (!p->cli.quiet)
        status = zoid_report_print(zoid_session_report(s), stdout);
    return status ? status : zoid_results_report(s);
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
static enum zoid_status compute(struct zoid_session *s)
{
    enum zoid_status status;

    if (s->settings.checkpoint)
        zoid_stop_listen(s);
    status = zoid_session_compute(s);
    zoid_stop_ignore();
    return status;
}

/* Refines the rates for later runs. */
static void refine(const struct zoid_session *s)
{
    if (zoid_session_refine(s))
        fprintf(stderr, "%s: what the run has taught is lost; --rates keep learns nothing: %s\n",
                s->name, zoid_error_as(ZOID_NAMES_OPTIONS));
}

static enum zoid_status run(struct program *p)
{
    struct zoid_session *s = &p->session;
    struct zoid_failure found = {.status = ZOID_OK};
    enum zoid_status status = zoid_results_open(s);

    s->loop.progress = p->cli.progress;
    if (!status)
        status = zoid_session_fill(s);
    if (!status)
        status = compute(s);
    say_moved(p, status);
    if (status == ZOID_STOPPED || (s->filled && zoid_session_lost(s, status)))
        return leave_early(p, status);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    zoid_failure_keep(&found, status);
    if (!status)
        refine(s);
    say_checked(p);
    status = zoid_session_check(s);
    if (status && status != ZOID_CHECK_FAILED)
        return status;
    zoid_failure_keep(&found, status);
    status = zoid_results_write(s, &found);
    if (!status)
        status = print_report(p);
    return found.status ? zoid_ranks_agree(zoid_failure_raise(&found)) : status;
}

/* Predicted duration of a stop. */
static void print_stop(const struct program *p)
{
    const struct zoid_session *s = &p->session;

    printf(for_people(&p->cli) ? "a stop may take %.3g s, %.3g s of them for its checkpoint\n"
                               : "stop.seconds %.3g\nstop.checkpoint_seconds %.3g\n",
           zoid_session_stop_seconds(s), ZOID_DUE_CARE * s->loop.write_seconds);
}

/* Whether the run waits for its checkpoints. */
static void print_staging(const struct program *p)
{
    const double mib = (double)zoid_results_staging(&p->session) / (1 << 20);

    if (!for_people(&p->cli))
        printf("checkpoints.staging_mib %.0f\n", mib);
    else if (mib > 0)
        printf("checkpoints take %.0f MiB more, and are written while the run goes on\n", mib);
    else
        printf("the run waits for each checkpoint: --ram has no room for one beside the plan\n");
}

/* Where the rates came from, if there is something to say. */
static void say_note(const struct zoid_session *s)
{
    const char *note = zoid_context_note(s->context);

    if (note && zoid_ranks_here()->rank == 0)
        fprintf(stderr, "%s: %s\n", s->name, note);
}

static enum zoid_status serve(struct program *p)
{
    struct zoid_session *s = &p->session;
    const struct zoid_cli *cli = &p->cli;
    const bool runs = !cli->plan && !cli->plans && !cli->graph;
    enum zoid_status status = zoid_session_prepare(s);

    if (!status && runs && s->problem.points && s->problem.points->receivers && !s->settings.record)
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "what receivers see would be lost; name a file for it with {record}");
    if (!status && !cli->quiet)
        status = zoid_command_try_stdout();
    status = zoid_ranks_agree(status);
    if (!status)
        status = zoid_session_make_plan(s, runs ? s->settings.trace : NULL,
                                        cli->plans ? print_one : NULL, stdout);
    if (status)
        return status;
    say_note(s);
    if (!cli->quiet) {
        zoid_context_print_ranks(s->context, stdout);
        if (s->settings.checkpoint)
            print_stop(p);
        if (s->settings.checkpoint && zoid_run_loop_repeats(&s->settings))
            print_staging(p);
    }
    fflush(stdout);
    return runs ? run(p) : show(p);
}

/* ---- the program --------------------------------------------------------------------------- */

/* Draws the trace on rank 0. */
static enum zoid_status draw(const char *folder)
{
    return zoid_ranks_agree(zoid_ranks_here()->rank == 0 ? zoid_draw_trace(folder) : ZOID_OK);
}

/* Releases the session. If this rank alone has failed, the others may wait for it forever, so they
 * are aborted. */
static enum zoid_status end(struct program *p, enum zoid_status status)
{
    struct zoid_session *s = &p->session;
    struct zoid_failure failure = {.status = ZOID_OK};

    if (!zoid_ranks_know(status)) {
        zoid_results_discard(s);
        zoid_command_abort(s->name, status);
    }
    zoid_failure_keep(&failure, zoid_session_close(s, status));
    if (s->filled && s->settings.trace)
        zoid_failure_keep(&failure, draw(s->settings.trace));
    zoid_settings_close(&s->settings);
    zoid_cli_close(&p->cli);
    return zoid_failure_raise(&failure);
}

int zoid_app_main(const struct zoid_app *app, int argc, char **argv)
{
    struct zoid_command_rows rows = {.n = 0};
    struct zoid_program_rows options = app->options;
    struct program p = {
        .app = app,
        .session = {.name = app->name, .families = app->options.families, .derive = app->derive}};
    struct zoid_session *s = &p.session;
    const struct zoid_command command = {
        .name = app->name, .summary = app->summary, .notes = notes, .rows = &rows};
    bool shown = false;
    enum zoid_status status = zoid_session_open(s);

    options.groups = options.groups ? options.groups : ZOID_GROUPS_STENCIL;
    s->groups = options.groups;
    zoid_program_rows(&options, &s->settings, &p.cli, &rows);
    if (!status)
        status = zoid_program_defaults(&rows, &s->settings);
    if (!status)
        status = zoid_command_start();
    if (!status)
        status = zoid_command_parse(&command, argc, argv, &shown);
    if (!status && !shown)
        status = zoid_restart_open(s);
    if (!status && !shown)
        status = serve(&p);
    status = end(&p, status);
    zoid_command_free(&rows);
    return zoid_command_finish(&command, status);
}
