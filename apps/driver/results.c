/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/results.h"

#include <math.h>
#include <unistd.h>

#include "apps/driver/summary.h"
#include "runtime/ranks/launcher.h"
#include "runtime/ranks/ranks.h"

void zoid_results_discard(struct zoid_session *s)
{
    zoid_output_discard(&s->graph);
    zoid_dump_discard(&s->dump);
    zoid_output_discard(&s->report_file);
    zoid_output_discard(&s->record_file);
}

/* Returns the problem that describes the dump. */
static const struct zoid_problem *shown(const struct zoid_session *s)
{
    return s->app->shown ? s->app->shown : s->initial.problem;
}

/* Units default to points and steps. */
static struct zoid_dump_units units_of(const struct zoid_session *s)
{
    const struct zoid_given_options *g = &s->options->given;
    const int dt = zoid_op_param(s->problem.op, "dt");

    if (g->velocity)
        return (struct zoid_dump_units){.dx = g->dx, .dt = g->dt};
    return (struct zoid_dump_units){.dx = 1, .dt = dt < 0 ? 1 : s->problem.params.value[dt]};
}

static struct zoid_snapshot_wish snapshots_of(const struct zoid_session *s)
{
    const struct zoid_keep_options *k = &s->options->keep;
    const struct zoid_tier *ram = &s->plan.tier[ZOID_RAM];

    return (struct zoid_snapshot_wish){.folder = k->out,
                                       .fields = k->fields,
                                       .stride = k->stride ? k->stride : 1,
                                       .axis = k->axis,
                                       .slice = k->slice,
                                       .units = units_of(s),
                                       .start = s->problem.start,
                                       .room = ram->capacity - ram->bytes};
}

static enum zoid_status open_snapshots(struct zoid_session *s)
{
    const struct zoid_snapshot_wish wish = snapshots_of(s);

    return zoid_snapshots_open(&wish, &s->problem, &s->march.snapshots);
}

uint64_t zoid_results_staging(const struct zoid_session *s)
{
    const struct zoid_keep_options *k = &s->options->keep;
    const struct zoid_snapshot_wish wish = snapshots_of(s);
    const uint64_t own = zoid_checkpoints_staging(s->initial.problem, k->coefficients);
    const uint64_t others = k->snapshot ? zoid_snapshots_staging(&wish, &s->problem) : 0;

    return zoid_march_repeats(k) && own + others <= wish.room ? own : 0;
}

static enum zoid_status open_checkpoints(struct zoid_session *s)
{
    const struct zoid_keep_options *k = &s->options->keep;

    return zoid_checkpoints_open(s->initial.problem, k->coefficients, k->checkpoint,
                                 zoid_results_staging(s) == 0, &s->march.checkpoints);
}

static enum zoid_status check_names(const struct zoid_options *o)
{
    static const char *const option[] = {"dump", "report", "record"};
    const char *const path[] = {o->dump, o->report, o->record};

    for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 3; b++)
            if (path[a] && path[b] && zoid_output_same(path[a], path[b]))
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "{%s} and {%s} both name %s; give one of them another name",
                                 option[a], option[b], path[b]);
    return ZOID_OK;
}

enum zoid_status zoid_results_open(struct zoid_session *s)
{
    const struct zoid_options *o = s->options;
    const bool writes = zoid_ranks_here()->rank == 0;
    enum zoid_status status = writes ? check_names(o) : ZOID_OK;

    if (!status && writes && o->dump)
        status = zoid_dump_open(o->dump, shown(s), &s->dump);
    if (!status && writes && o->report)
        status = zoid_output_open(o->report, &s->report_file);
    if (!status && writes && o->record)
        status = zoid_record_open(o->record, &s->problem, &s->record_file);
    if (!status && writes && o->keep.checkpoint)
        status = zoid_checkpoint_prepare(
            o->keep.checkpoint, s->restart.from ? zoid_checkpoint_name(s->restart.from) : NULL,
            zoid_session_checkpoint_bytes(s));
    if (!status && o->keep.checkpoint)
        status = open_checkpoints(s);
    if (!status && o->keep.snapshot)
        status = open_snapshots(s);
    return zoid_ranks_agree(status);
}

static enum zoid_status dump(struct zoid_session *s)
{
    const struct zoid_dump_state state = {
        .job = s->job, .problem = shown(s), .step = s->report.steps, .each = s->app->each};
    const struct zoid_dump_units units = units_of(s);

    return zoid_dump_write(&state, &units, &s->dump);
}

/* Reports the stability number if fields have sources. */
static void derive_stability(struct zoid_session *s)
{
    struct zoid_derived *d = s->report.derived;
    int i = 0;

    while (i < ZOID_MAX_DERIVED && d[i].name)
        i++;
    if (i < ZOID_MAX_DERIVED && s->given && !isnan(s->stability))
        d[i] = (struct zoid_derived){.name = "stability", .value = s->stability};
}

static enum zoid_status record(struct zoid_session *s)
{
    const struct zoid_dump_units units = units_of(s);

    return zoid_record_write(&s->record, s->options->record, &units, &s->record_file);
}

static enum zoid_status derive(struct zoid_session *s)
{
    enum zoid_status status =
        s->app->derive ? s->app->derive(s->job, &s->problem, s->report.derived) : ZOID_OK;

    if (!status)
        derive_stability(s);
    return status;
}

/* Launchers may allocate a pseudo-terminal for their processes. */
bool zoid_results_for_people(const struct zoid_options *o)
{
    return !o->quiet && !o->porcelain && isatty(STDOUT_FILENO) && !zoid_launcher_here();
}

static enum zoid_status write_report(struct zoid_session *s)
{
    enum zoid_status status = ZOID_OK;

    if (zoid_results_for_people(s->options))
        zoid_summary_print(&s->plan, &s->report, stdout);
    else if (!s->options->quiet)
        status = zoid_report_print(zoid_session_report(s), stdout);
    if (!status && s->report_file)
        status = zoid_report_json(zoid_session_report(s), zoid_output_stream(s->report_file));
    if (!status && s->report_file)
        status = zoid_output_commit(&s->report_file);
    return status;
}

/* Records ZOID_CHECK_FAILED and continues: a file with non-finite values is complete. */
static enum zoid_status left(enum zoid_status status, struct zoid_failure *found)
{
    status = zoid_ranks_agree(status);
    if (status != ZOID_CHECK_FAILED)
        return status;
    zoid_failure_keep(found, status);
    return ZOID_OK;
}

enum zoid_status zoid_results_leave(struct zoid_session *s, const struct zoid_failure *checked)
{
    struct zoid_failure found = *checked;
    enum zoid_status status = ZOID_OK;

    if (s->options->dump)
        status = left(dump(s), &found);
    if (!status && s->options->record)
        status = left(record(s), &found);
    if (!status)
        status = derive(s);
    if (!status)
        status = write_report(s);
    return found.status ? zoid_ranks_agree(zoid_failure_raise(&found)) : status;
}

enum zoid_status zoid_results_leave_early(struct zoid_session *s, enum zoid_status failed)
{
    struct zoid_failure failure = {.status = ZOID_OK};
    enum zoid_status status;

    zoid_failure_keep(&failure, failed);
    status = zoid_ranks_agree(write_report(s));
    return status ? status : zoid_ranks_agree(zoid_failure_raise(&failure));
}
