/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/results.h"

#include <math.h>

#include "runtime/config.h"
#include "runtime/ranks/ranks.h"

void zoid_results_discard(struct zoid_session *s)
{
    zoid_dump_discard(&s->dump);
    zoid_output_discard(&s->report_file);
    zoid_output_discard(&s->record_file);
}

/* Returns the problem that describes the dump. */
static const struct zoid_problem *shown(const struct zoid_session *s)
{
    return s->shown ? s->shown : s->initial.problem;
}

/* Units default to points and steps. */
static struct zoid_dump_units units_of(const struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    const int dt = zoid_op_param(s->problem.op, "dt");

    struct zoid_dump_units units = {.dt = k->has_dt ? k->dt.value
                                          : dt < 0  ? 1
                                                    : s->problem.params.value[dt]};

    zoid_settings_spacing(k, units.h);
    return units;
}

/* Returns the index of the plane, after check_slice; -1: none. */
static long slice_of(const struct zoid_settings *k)
{
    const double h = zoid_settings_units(k).h[k->slice.axis];

    if (!k->has_slice)
        return -1;
    if (k->slice.at < 0)
        return lround(k->slice.metres / h);
    return k->units ? lround((double)k->slice.at / h) : k->slice.at;
}

static enum zoid_status check_slice(const struct zoid_settings *k)
{
    double at = k->slice.at < 0 ? k->slice.metres : (double)k->slice.at;
    const struct zoid_units units = zoid_settings_units(k);
    enum zoid_status status;

    if (!k->has_slice || (k->slice.at >= 0 && !k->units))
        return ZOID_OK;
    status = zoid_number_convert("slice", (enum zoid_dimension)(ZOID_LENGTH + k->slice.axis),
                                 &units, &at);
    if (!status && fabs(at - round(at)) > 1e-9 * fabs(at))
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "{slice} lies %.17g points from the first plane, between two; give one "
                           "of them",
                           at);
    return status;
}

static struct zoid_snapshot_wish snapshots_of(const struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    const struct zoid_tier *ram = &s->plan->tier[ZOID_RAM];

    return (struct zoid_snapshot_wish){.folder = k->out,
                                       .fields = k->snapshot_fields,
                                       .stride = k->stride ? k->stride : 1,
                                       .axis = k->slice.axis,
                                       .slice = slice_of(k),
                                       .units = units_of(s),
                                       .start = s->problem.start,
                                       .room = ram->capacity - ram->bytes};
}

static enum zoid_status open_snapshots(struct zoid_session *s)
{
    const struct zoid_snapshot_wish wish = snapshots_of(s);

    return zoid_snapshots_open(&wish, &s->problem, &s->loop.snapshots);
}

uint64_t zoid_results_staging(const struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    const struct zoid_snapshot_wish wish = snapshots_of(s);
    const uint64_t own = zoid_checkpoints_staging(s->initial.problem, k->checkpoint_coefficients);
    const uint64_t others = k->snapshot_every ? zoid_snapshots_staging(&wish, &s->problem) : 0;

    return zoid_run_loop_repeats(k) && own + others <= wish.room ? own : 0;
}

static enum zoid_status open_checkpoints(struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;

    return zoid_checkpoints_open(s->initial.problem, k->checkpoint_coefficients, k->checkpoint,
                                 zoid_results_staging(s) == 0, &s->loop.checkpoints);
}

static enum zoid_status check_names(const struct zoid_settings *o)
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
    const struct zoid_settings *o = &s->settings;
    const bool writes = zoid_ranks_here()->rank == 0;
    enum zoid_status status = check_slice(o);

    if (!status && writes)
        status = check_names(o);

    if (!status && writes && o->dump)
        status = zoid_dump_open(o->dump, shown(s), &s->dump);
    if (!status && writes && o->report)
        status = zoid_output_open(o->report, &s->report_file);
    if (!status && writes && o->record)
        status = zoid_record_open(o->record, &s->problem, &s->record_file);
    if (!status && writes && o->checkpoint)
        status = zoid_checkpoint_prepare(
            o->checkpoint, s->restart.from ? zoid_checkpoint_name(s->restart.from) : NULL,
            zoid_session_checkpoint_bytes(s));
    if (!status && o->checkpoint)
        status = open_checkpoints(s);
    if (!status && o->snapshot_every)
        status = open_snapshots(s);
    return zoid_ranks_agree(status);
}

static enum zoid_status dump(struct zoid_session *s, struct zoid_dump **dump)
{
    const struct zoid_dump_state state = {
        .job = s->job, .problem = shown(s), .step = zoid_job_steps(s->job), .reader = s->reader};
    const struct zoid_dump_units units = units_of(s);

    return zoid_dump_write(&state, &units, dump);
}

enum zoid_status zoid_results_dump(struct zoid_session *s, const char *path)
{
    struct zoid_dump *file = NULL;
    enum zoid_status status = ZOID_OK;

    if (zoid_ranks_here()->rank == 0)
        status = zoid_dump_open(path, shown(s), &file);
    status = zoid_ranks_agree(status);
    return status ? status : zoid_ranks_agree(dump(s, &file));
}

enum zoid_status zoid_results_checkpoint(struct zoid_session *s, const char *folder)
{
    struct zoid_checkpoints *others = s->loop.checkpoints, *own = NULL;
    const bool coefficients = s->settings.checkpoint_coefficients;
    enum zoid_status status = zoid_ranks_agree(zoid_restart_describe(s));

    if (!status && zoid_ranks_here()->rank == 0)
        status = zoid_checkpoint_prepare(
            folder, s->restart.from ? zoid_checkpoint_name(s->restart.from) : NULL,
            zoid_session_checkpoint_bytes(s));
    if (!status)
        status = zoid_checkpoints_open(s->initial.problem, coefficients, folder, true, &own);
    status = zoid_ranks_agree(status);
    s->loop.checkpoints = own;
    s->loop.job = s->job;
    if (!status)
        status = zoid_run_loop_checkpoint(&s->loop);
    s->loop.checkpoints = others;
    zoid_checkpoints_close(&own);
    return status;
}

static enum zoid_status record(struct zoid_session *s)
{
    const struct zoid_dump_units units = units_of(s);

    return zoid_record_write(&s->record, s->settings.record, &units, &s->record_file);
}

/* Adds the derived values of engine and program, and the stability number if fields have
 * sources. */
static enum zoid_status derive(struct zoid_session *s)
{
    const struct zoid_derived stability = {.name = "stability", .value = s->stability};
    enum zoid_status status = s->derive && !ZOID_SIMULATED ? s->derive(s) : ZOID_OK;

    if (!status && s->fields && !isnan(s->stability))
        zoid_session_derive(s, &stability);
    return status;
}

enum zoid_status zoid_results_report(struct zoid_session *s)
{
    enum zoid_status status = ZOID_OK;

    if (s->report_file)
        status = zoid_report_json(zoid_session_report_of(s), zoid_output_stream(s->report_file));
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

enum zoid_status zoid_results_write(struct zoid_session *s, struct zoid_failure *found)
{
    enum zoid_status status = ZOID_OK;

    if (s->settings.dump)
        status = left(dump(s, &s->dump), found);
    if (!status && s->settings.record)
        status = left(record(s), found);
    return status ? status : derive(s);
}
