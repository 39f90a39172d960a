/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/march.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "apps/driver/stop.h"
#include "graphs/zoid.h"
#include "runtime/machine/clock.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/due.h"

/* Actions due at a station; the same on all ranks. */
struct station {
    bool stop, checkpoint, snapshot;
};

bool zoid_march_wanted(const struct zoid_keep_options *k)
{
    return k->checkpoint || k->snapshot;
}

bool zoid_march_repeats(const struct zoid_keep_options *k)
{
    return k->every || k->minutes > 0;
}

/* Returns the first multiple of `every` after `step`; LONG_MAX if `every` is 0. */
static long next_of(long every, long step)
{
    const long left = every ? every - step % every : LONG_MAX;

    return left > LONG_MAX - step ? LONG_MAX : step + left;
}

static long next_end(const struct zoid_keep_options *k, long step, long total)
{
    return zoid_min(total, zoid_min(next_of(k->every, step), next_of(k->snapshot, step)));
}

long zoid_march_longest(const struct zoid_keep_options *k, long start, long total)
{
    long most = total - start;

    if (k->every)
        most = zoid_min(most, k->every);
    return k->snapshot ? zoid_min(most, k->snapshot) : most;
}

/* ---- legs ---------------------------------------------------------------------------------- */

/* Returns the latest time at which `checkpoints` of them fit before the deadline; infinite without
 * one. */
static double before_end(const struct zoid_march *m, int checkpoints)
{
    return m->until > 0 ? m->until - checkpoints * (ZOID_DUE_CARE * m->write_seconds) : INFINITY;
}

/* Returns the deadline of the next leg; 0: unlimited. No checkpoint is begun just before the run's
 * deadline, since the final one would have to wait for it. */
static double leg_by(const struct zoid_march *m)
{
    if (m->minutes_by > 0 && m->minutes_by < before_end(m, 2))
        return m->minutes_by;
    return m->until > 0 ? before_end(m, 1) : 0;
}

/* Returns whether another pass would exceed the deadline, by this rank's clock. */
static bool out_of_time(const struct zoid_march *m, const struct zoid_report *leg)
{
    const double step = leg->steps > 0 ? leg->seconds / (double)leg->steps : 0;
    const double pass = ZOID_DUE_CARE * (step * zoid_due_open_steps(&m->plan->graph));

    return zoid_machine_clock() + pass >= before_end(m, 1);
}

/* Returns the actions due now. Clocks of ranks differ, so rank 0's is used; any rank may have
 * received a signal. */
static struct station station_of(const struct zoid_march *m, const struct zoid_report *leg,
                                 long end)
{
    const struct zoid_keep_options *k = m->keep;
    const long at = zoid_job_steps(m->job);
    const bool early = at < end;
    struct station s = {.snapshot = k->snapshot && (at % k->snapshot == 0 || at == m->total)};
    double heard = m->stop ? *m->stop : zoid_stop_heard();

    s.stop = out_of_time(m, leg);
    s.checkpoint = k->every && at % k->every == 0;
    s.checkpoint |= m->minutes_by > 0 && (early || zoid_machine_clock() >= m->minutes_by);
    s.checkpoint = s.checkpoint && zoid_machine_clock() < before_end(m, 2);
    zoid_ranks_broadcast(&s, sizeof s);
    zoid_ranks_add(&heard, 1);
    s.stop = (k->checkpoint || m->stop) && (s.stop || heard > 0) && at < m->total;
    s.checkpoint = k->checkpoint && (s.checkpoint || s.stop) && at > m->last;
    return s;
}

/* ---- stations ------------------------------------------------------------------------------ */

static void count_minutes(struct zoid_march *m)
{
    if (m->keep->minutes > 0)
        m->minutes_by = zoid_machine_clock() + 60 * m->keep->minutes;
}

/* Sets the numbers of a checkpoint: the receiver rows, copied to *seen, which the caller frees, or
 * the program's own. */
static enum zoid_status take_numbers(const struct zoid_march *m, double **seen)
{
    struct zoid_checkpoint *about = m->about;
    enum zoid_status status = zoid_record_rows(m->record, &about->numbers, seen);

    about->number = *seen;
    if (m->own.n) {
        about->numbers = m->own.n;
        about->number = m->own.value;
    }
    return status;
}

/* Writes a checkpoint. Snapshots up to this step are completed first, since a restart does not
 * write them again. With a deadline the run waits for its first checkpoint, to measure the time
 * that one takes. */
static enum zoid_status leave_checkpoint(struct zoid_march *m)
{
    struct zoid_background *snapshots =
        m->snapshots ? zoid_snapshots_background(m->snapshots) : NULL;
    const bool waits = m->until > 0 && m->checkpoints_kept.written == 0;
    const struct zoid_checkpoint_state state = {
        .job = m->job, .initial = m->initial, .each = m->each};
    const double begun = zoid_machine_clock();
    double *seen = NULL;
    enum zoid_status status = take_numbers(m, &seen);

    m->about->step = m->last = zoid_job_steps(m->job);
    if (!status)
        status = zoid_checkpoints_write(m->checkpoints, &state, m->about, snapshots);
    if (!status && waits)
        status = zoid_checkpoints_finish(m->checkpoints);
    free(seen);
    m->about->number = NULL;
    if (zoid_checkpoints_seconds(m->checkpoints) > 0)
        m->write_seconds = zoid_checkpoints_seconds(m->checkpoints);
    m->checkpoints_kept.written++;
    m->checkpoints_kept.seconds += zoid_machine_clock() - begun;
    m->checkpoints_kept.bytes += zoid_checkpoint_bytes(m->initial->problem, m->about->coefficients);
    count_minutes(m);
    return status;
}

static enum zoid_status finish_checkpoint(struct zoid_march *m)
{
    const double begun = zoid_machine_clock();
    enum zoid_status status = m->checkpoints ? zoid_checkpoints_finish(m->checkpoints) : ZOID_OK;

    m->checkpoints_kept.seconds += zoid_machine_clock() - begun;
    return status;
}

static enum zoid_status finish_snapshot(struct zoid_march *m)
{
    const double begun = zoid_machine_clock();
    enum zoid_status status = m->snapshots ? zoid_snapshots_finish(m->snapshots) : ZOID_OK;

    m->snapshots_kept.seconds += zoid_machine_clock() - begun;
    return status;
}

static enum zoid_status finish_all(struct zoid_march *m)
{
    enum zoid_status status = finish_snapshot(m);

    return status ? status : finish_checkpoint(m);
}

static enum zoid_status leave_snapshot(struct zoid_march *m)
{
    const double begun = zoid_machine_clock();
    double bytes = 0;
    enum zoid_status status = zoid_snapshots_write(m->snapshots, m->job, &bytes);

    m->snapshots_kept.written++;
    m->snapshots_kept.seconds += zoid_machine_clock() - begun;
    m->snapshots_kept.bytes += bytes;
    return status;
}

static enum zoid_status halt(struct zoid_march *m, const struct station *s)
{
    enum zoid_status status = ZOID_OK;

    if (s->snapshot)
        status = leave_snapshot(m);
    if (!status && s->checkpoint)
        status = leave_checkpoint(m);
    if (!status && s->stop)
        status = finish_all(m);
    return status;
}

static enum zoid_status run_leg(struct zoid_march *m, long end, struct zoid_report *leg)
{
    const long at = zoid_job_steps(m->job);

    /* Any rank may end a leg; only rank 0's clock is used. */
    zoid_job_end_by(m->job, zoid_ranks_here()->rank == 0 ? leg_by(m) : 0);
    /* A run of one leg needs no range: it reports its own progress. */
    if (zoid_march_wanted(m->keep) || at > m->start || end < m->total)
        zoid_job_way(m->job, m->start, m->total);
    return zoid_job_run_steps(m->job, end - at, m->progress, leg);
}

static enum zoid_status stopped(const struct zoid_march *m)
{
    const char *folder = m->keep->checkpoint;

    if (!folder)
        return zoid_fail(ZOID_STOPPED, "stopped after %ld of %ld steps", zoid_job_steps(m->job),
                         m->total);
    return zoid_fail(ZOID_STOPPED,
                     "stopped after %ld of %ld steps; {restart=%s} goes on from there",
                     zoid_job_steps(m->job), m->total, folder);
}

/* ---- the run ------------------------------------------------------------------------------- */

void zoid_march_begin(struct zoid_march *m, struct zoid_job *job)
{
    m->job = job;
    m->legs = 0;
    m->checkpoints_kept = m->snapshots_kept = (struct zoid_kept_report){.written = 0};
    m->last = zoid_job_steps(job);
    zoid_job_kept(job, m->start);
    if (m->keep->checkpoint && !m->stop)
        zoid_stop_listen(job);
    count_minutes(m);
}

enum zoid_status zoid_march_to(struct zoid_march *m, long step, struct zoid_report *report)
{
    struct station s;
    enum zoid_status status;

    do {
        const long end = zoid_min(step, next_end(m->keep, zoid_job_steps(m->job), m->total));
        struct zoid_report leg = *report;

        status = run_leg(m, end, &leg);
        if (status)
            return status;
        if (m->legs++ == 0)
            *report = leg;
        else
            zoid_report_add(&leg, report);
        s = station_of(m, &leg, end);
        status = halt(m, &s);
    } while (!status && !s.stop && zoid_job_steps(m->job) < step);
    return status || !s.stop ? status : stopped(m);
}

/* Adds checkpoints and snapshots to the report, since they belong to no leg. Pending files are
 * completed, except after a failure, which other ranks may not know. */
static enum zoid_status close_march(struct zoid_march *m, enum zoid_status before,
                                    struct zoid_report *report)
{
    enum zoid_status status = before ? before : finish_all(m);

    zoid_stop_ignore();
    report->checkpoints = m->checkpoints_kept;
    report->snapshots = m->snapshots_kept;
    return status;
}

enum zoid_status zoid_march_end(struct zoid_march *m, enum zoid_status before,
                                struct zoid_report *report)
{
    enum zoid_status status = close_march(m, before, report);

    report->start = m->start;
    report->steps += m->start;
    return status;
}

enum zoid_status zoid_march_run(struct zoid_march *m, struct zoid_job *job,
                                struct zoid_report *report)
{
    const struct station s = {.snapshot = m->keep->first && zoid_job_steps(job) == 0};
    enum zoid_status status;

    zoid_march_begin(m, job);
    status = halt(m, &s);
    if (!status)
        status = zoid_march_to(m, m->total, report);
    return close_march(m, status, report);
}
