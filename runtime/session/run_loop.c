/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/run_loop.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "graphs/zoid.h"
#include "runtime/job.h"
#include "runtime/machine/clock.h"
#include "runtime/ranks/ranks.h"
#include "runtime/report/add.h"
#include "runtime/submit/due.h"

/* Actions due at an output step; the same on all ranks. */
struct output_step {
    bool stop, checkpoint, snapshot;
};

bool zoid_run_loop_wanted(const struct zoid_settings *s)
{
    return s->checkpoint || s->snapshot_every;
}

bool zoid_run_loop_repeats(const struct zoid_settings *s)
{
    return s->checkpoint_every || s->checkpoint_minutes > 0;
}

/* Returns the first multiple of `every` after `step`; LONG_MAX if `every` is 0. */
static long next_of(long every, long step)
{
    const long left = every ? every - step % every : LONG_MAX;

    return left > LONG_MAX - step ? LONG_MAX : step + left;
}

static long next_end(const struct zoid_run_loop *loop, long step)
{
    const long next =
        zoid_min(next_of(loop->every, step), next_of(loop->settings->snapshot_every, step));

    return zoid_min(loop->total, next);
}

long zoid_run_loop_longest(const struct zoid_run_loop *loop)
{
    const long snapshot = loop->settings->snapshot_every;
    long most = loop->total - loop->start;

    if (loop->every)
        most = zoid_min(most, loop->every);
    return snapshot ? zoid_min(most, snapshot) : most;
}

/* ---- legs ---------------------------------------------------------------------------------- */

/* Returns the latest time at which `checkpoints` of them fit before the deadline; infinite without
 * one. */
static double before_end(const struct zoid_run_loop *loop, int checkpoints)
{
    return loop->until > 0 ? loop->until - checkpoints * (ZOID_DUE_CARE * loop->write_seconds)
                           : INFINITY;
}

/* Returns the deadline of the next leg; 0: unlimited. No checkpoint is begun just before the run's
 * deadline, since the final one would have to wait for it. */
static double leg_by(const struct zoid_run_loop *loop)
{
    if (loop->minutes_by > 0 && loop->minutes_by < before_end(loop, 2))
        return loop->minutes_by;
    return loop->until > 0 ? before_end(loop, 1) : 0;
}

/* Returns whether another pass would exceed the deadline, by this rank's clock. */
static bool out_of_time(const struct zoid_run_loop *loop, const struct zoid_report *leg)
{
    const double step = leg->steps > 0 ? leg->seconds / (double)leg->steps : 0;
    const double pass = ZOID_DUE_CARE * (step * zoid_due_open_steps(&loop->plan->graph));

    return zoid_machine_clock() + pass >= before_end(loop, 1);
}

/* Returns the actions due now. Clocks of ranks differ, so rank 0's is used; any rank may have
 * received a signal. */
static struct output_step output_step_of(const struct zoid_run_loop *loop,
                                         const struct zoid_report *leg, long end)
{
    const struct zoid_settings *k = loop->settings;
    const long at = zoid_job_steps(loop->job);
    const bool early = at < end;
    const long snapshot = k->snapshot_every;
    struct output_step s = {.snapshot = snapshot && (at % snapshot == 0 || at == loop->total)};
    double requested = *loop->stop;

    s.stop = out_of_time(loop, leg);
    s.checkpoint = loop->every && at % loop->every == 0;
    s.checkpoint |= loop->minutes_by > 0 && (early || zoid_machine_clock() >= loop->minutes_by);
    s.checkpoint = s.checkpoint && zoid_machine_clock() < before_end(loop, 2);
    zoid_ranks_broadcast(&s, sizeof s);
    zoid_ranks_add(&requested, 1);
    s.stop = (s.stop || requested > 0) && at < loop->total;
    s.checkpoint = k->checkpoint && (s.checkpoint || s.stop) && at > loop->last;
    return s;
}

/* ---- output steps ------------------------------------------------------------------------------
 */

static void count_minutes(struct zoid_run_loop *loop)
{
    if (loop->settings->checkpoint_minutes > 0)
        loop->minutes_by = zoid_machine_clock() + 60 * loop->settings->checkpoint_minutes;
}

/* Sets the numbers of a checkpoint: the receiver rows, copied to *seen, which the caller frees, or
 * the engine's. */
static enum zoid_status take_numbers(const struct zoid_run_loop *loop, double **seen)
{
    struct zoid_checkpoint *about = loop->about;
    enum zoid_status status = zoid_record_rows(loop->record, &about->numbers, seen);

    about->number = *seen;
    if (loop->engine_state.n) {
        about->numbers = loop->engine_state.n;
        about->number = loop->engine_state.value;
    }
    return status;
}

/* Writes a checkpoint. Snapshots up to this step are completed first, since a restart does not
 * write them again. With a deadline the run waits for its first checkpoint, to measure the time
 * that one takes. */
static enum zoid_status leave_checkpoint(struct zoid_run_loop *loop)
{
    struct zoid_background *snapshots =
        loop->snapshots ? zoid_snapshots_background(loop->snapshots) : NULL;
    const bool waits = loop->until > 0 && loop->checkpointed.written == 0;
    const struct zoid_checkpoint_state state = {
        .job = loop->job, .initial = loop->initial, .reader = loop->reader};
    const double begun = zoid_machine_clock();
    double *seen = NULL;
    enum zoid_status status = take_numbers(loop, &seen);

    loop->about->step = loop->last = zoid_job_steps(loop->job);
    if (!status)
        status = zoid_checkpoints_write(loop->checkpoints, &state, loop->about, snapshots);
    if (!status && waits)
        status = zoid_checkpoints_finish(loop->checkpoints);
    free(seen);
    loop->about->number = NULL;
    if (zoid_checkpoints_seconds(loop->checkpoints) > 0)
        loop->write_seconds = zoid_checkpoints_seconds(loop->checkpoints);
    loop->checkpointed.written++;
    loop->checkpointed.seconds += zoid_machine_clock() - begun;
    loop->checkpointed.bytes +=
        zoid_checkpoint_bytes(loop->initial->problem, loop->about->coefficients);
    count_minutes(loop);
    return status;
}

static enum zoid_status finish_checkpoint(struct zoid_run_loop *loop)
{
    const double begun = zoid_machine_clock();
    enum zoid_status status =
        loop->checkpoints ? zoid_checkpoints_finish(loop->checkpoints) : ZOID_OK;

    loop->checkpointed.seconds += zoid_machine_clock() - begun;
    return status;
}

static enum zoid_status finish_snapshot(struct zoid_run_loop *loop)
{
    const double begun = zoid_machine_clock();
    enum zoid_status status = loop->snapshots ? zoid_snapshots_finish(loop->snapshots) : ZOID_OK;

    loop->snapshots_written.seconds += zoid_machine_clock() - begun;
    return status;
}

static enum zoid_status finish_all(struct zoid_run_loop *loop)
{
    enum zoid_status status = finish_snapshot(loop);

    return status ? status : finish_checkpoint(loop);
}

static enum zoid_status leave_snapshot(struct zoid_run_loop *loop)
{
    const double begun = zoid_machine_clock();
    double bytes = 0;
    enum zoid_status status = zoid_snapshots_write(loop->snapshots, loop->job, &bytes);

    loop->snapshots_written.written++;
    loop->snapshots_written.seconds += zoid_machine_clock() - begun;
    loop->snapshots_written.bytes += bytes;
    return status;
}

static enum zoid_status halt(struct zoid_run_loop *loop, const struct output_step *s)
{
    enum zoid_status status = ZOID_OK;

    if (s->snapshot)
        status = leave_snapshot(loop);
    if (!status && s->checkpoint)
        status = leave_checkpoint(loop);
    if (!status && s->stop)
        status = finish_all(loop);
    return status;
}

static enum zoid_status run_leg(struct zoid_run_loop *loop, long end, struct zoid_report *leg)
{
    const long at = zoid_job_steps(loop->job);

    /* Any rank may end a leg; only rank 0's clock is used. */
    zoid_job_set_deadline(loop->job, zoid_ranks_here()->rank == 0 ? leg_by(loop) : 0);
    /* A run of one leg needs no range: it reports its own progress. */
    if (zoid_run_loop_wanted(loop->settings) || at > loop->start || end < loop->total)
        zoid_job_set_progress_range(loop->job, loop->start, loop->total);
    return zoid_job_run_steps(loop->job, end - at, loop->progress, leg);
}

static enum zoid_status stopped(const struct zoid_run_loop *loop)
{
    const char *folder = loop->settings->checkpoint;

    if (!folder)
        return zoid_fail(ZOID_STOPPED, "stopped after %ld of %ld steps", zoid_job_steps(loop->job),
                         loop->total);
    return zoid_fail(ZOID_STOPPED,
                     "stopped after %ld of %ld steps; {restart=%s} goes on from there",
                     zoid_job_steps(loop->job), loop->total, folder);
}

/* ---- the run ------------------------------------------------------------------------------- */

void zoid_run_loop_open(struct zoid_run_loop *loop, struct zoid_job *job)
{
    loop->job = job;
    loop->legs = 0;
    loop->checkpointed = loop->snapshots_written = (struct zoid_kept_report){.written = 0};
    loop->last = zoid_job_steps(job);
    zoid_job_note_checkpoint(job, loop->start);
    count_minutes(loop);
}

enum zoid_status zoid_run_loop_first(struct zoid_run_loop *loop)
{
    const struct output_step s = {.snapshot = loop->settings->snapshot_first &&
                                              zoid_job_steps(loop->job) == 0};

    return halt(loop, &s);
}

/* Adds a leg to the report, which counts steps from time 0. */
static void add_leg(struct zoid_run_loop *loop, const struct zoid_report *leg,
                    struct zoid_report *report)
{
    if (loop->legs++ > 0) {
        zoid_report_add(leg, report);
        return;
    }
    *report = *leg;
    report->start = loop->start;
    report->steps += loop->start;
}

/* Returns whether a leg up to step `end` ended before it, to leave a place. */
static bool leaves(const struct zoid_run_loop *loop, long end)
{
    return loop->leave && zoid_job_steps(loop->job) < end && zoid_job_leaves(loop->job) >= 0;
}

enum zoid_status zoid_run_loop_until(struct zoid_run_loop *loop, long step,
                                     struct zoid_report *report)
{
    struct output_step s;
    enum zoid_status status;

    do {
        const long end = zoid_min(step, next_end(loop, zoid_job_steps(loop->job)));
        struct zoid_report leg = *report;

        status = run_leg(loop, end, &leg);
        if (status)
            return status;
        add_leg(loop, &leg, report);
        /* A leg that ended early to leave a place is none of those that outputs follow. */
        s = output_step_of(loop, &leg, leaves(loop, end) ? zoid_job_steps(loop->job) : end);
        if (leaves(loop, end) && !s.stop)
            status = loop->leave(loop->leaver, zoid_job_leaves(loop->job));
        if (status)
            return status;
        status = halt(loop, &s);
    } while (!status && !s.stop && zoid_job_steps(loop->job) < step);
    return status || !s.stop ? status : stopped(loop);
}

enum zoid_status zoid_run_loop_checkpoint(struct zoid_run_loop *loop)
{
    enum zoid_status status = leave_checkpoint(loop);

    return status ? status : finish_checkpoint(loop);
}

enum zoid_status zoid_run_loop_finish(struct zoid_run_loop *loop, enum zoid_status before,
                                      struct zoid_report *report)
{
    /* Other ranks may not know of a failure, so files are left alone after one. */
    enum zoid_status status = before ? before : finish_all(loop);

    report->checkpoints = loop->checkpointed;
    report->snapshots = loop->snapshots_written;
    return status;
}
