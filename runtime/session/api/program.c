/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions of programs with a command line: zoid_program.h. */
#include <errno.h>
#include <string.h>

#include "graphs/cell.h"
#include "runtime/error.h"
#include "runtime/plan/place.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/api/api.h"
#include "runtime/session/results.h"
#include "runtime/submit/due.h"

/* ---- options ------------------------------------------------------------------------------- */

enum zoid_status zoid_session_set_program(struct zoid_session *s,
                                          const struct zoid_program *program)
{
    enum zoid_status status = zoid_api_check(s, ZOID_SESSION_NEW, ZOID_SESSION_NEW);

    if (status)
        return status;
    s->name = program->name;
    s->families = program->families;
    s->groups = program->groups ? program->groups : ZOID_GROUPS_STENCIL;
    s->derive = program->derive;
    s->rates = ZOID_RATES_UNSAID;
    s->shares = false;
    s->alone = true;
    zoid_options_free(&s->options);
    status = zoid_options_make(program, zoid_session_families(s), &s->options);
    return status ? status : zoid_options_defaults(&s->options, &s->settings);
}

size_t zoid_session_options(const struct zoid_session *s, const struct zoid_option **options)
{
    *options = s->options.option;
    return s->options.n;
}

enum zoid_status zoid_session_set_option(struct zoid_session *s, size_t i, const char *text)
{
    enum zoid_status status = zoid_api_check(s, ZOID_SESSION_NEW, ZOID_SESSION_NEW);

    return status ? status : zoid_setting_set(&s->options.row[i], text, &s->settings);
}

bool zoid_session_is_set(const struct zoid_session *s, const char *key)
{
    const struct zoid_setting *row = zoid_settings_find(key);

    return row && zoid_setting_has(row, &s->settings);
}

/* ---- the plan ------------------------------------------------------------------------------ */

void zoid_session_list_plans(struct zoid_session *s, FILE *out)
{
    s->list = out;
}

void zoid_api_print_plan(void *self, const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    FILE *out = self;

    fprintf(out, "fits %s block %ld depth %ld lanes %d", g->method->name, g->block, g->depth,
            g->lanes);
    if (zoid_cells(g) > 1)
        fprintf(out, " cells %ldx%ldx%ld epoch %ld", zoid_rank_cells_along(g, 0),
                zoid_rank_cells_along(g, 1), zoid_rank_cells_along(g, 2), g->epoch);
    if (p->place.team > 1)
        fprintf(out, " team %d", p->place.team);
    fprintf(out, " on %s home %s predicted_seconds %.6g\n", zoid_place_of(p)->name,
            p->tier[p->home].name, p->cost.seconds);
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

enum zoid_status zoid_session_write_graph(struct zoid_session *s, const char *path)
{
    enum zoid_status status = zoid_api_check(s, ZOID_SESSION_PLANNED, ZOID_SESSION_PLANNED);

    if (status)
        return status;
    s->state = ZOID_SESSION_BROKEN;
    if (zoid_ranks_here()->rank == 0)
        status = write_graph(s->plan, path);
    return zoid_ranks_agree(status);
}

const struct zoid_problem *zoid_session_problem_of(const struct zoid_session *s)
{
    return &s->problem;
}

const struct zoid_plan *zoid_session_plan_of(const struct zoid_session *s)
{
    return s->plan;
}

const struct zoid_context *zoid_session_context_of(const struct zoid_session *s)
{
    return s->context;
}

struct zoid_job *zoid_session_job_of(const struct zoid_session *s)
{
    return s->job;
}

struct zoid_stop_forecast zoid_session_stop_forecast(const struct zoid_session *s)
{
    return (struct zoid_stop_forecast){.seconds = zoid_session_stop_seconds(s),
                                       .checkpoint_seconds = ZOID_DUE_CARE * s->loop.write_seconds,
                                       .repeats = zoid_run_loop_repeats(&s->settings),
                                       .staging = zoid_results_staging(s)};
}

/* ---- the run ------------------------------------------------------------------------------- */

void zoid_session_print_progress(struct zoid_session *s)
{
    s->loop.progress = true;
}

enum zoid_status zoid_session_write_results(struct zoid_session *s, struct zoid_failure *found)
{
    return zoid_results_write(s, found);
}

enum zoid_status zoid_session_write_report(struct zoid_session *s)
{
    return zoid_results_report(s);
}
