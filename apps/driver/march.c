/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/march.h"

#include <limits.h>
#include <stdlib.h>

#include "apps/driver/stop.h"
#include "graphs/zoid.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/due.h"

/* Why a run is at a station; of several ranks all know the same. */
struct station {
    bool stop, checkpoint, snapshot;
};

bool zoid_march_wanted(const struct zoid_keep_options *k)
{
    return k->checkpoint || k->snapshot;
}

/* The first multiple of `every` after a step, if there are any. */
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

/* When the next leg has to be over; 0: it goes on to its end. */
static double leg_by(const struct zoid_march *m)
{
    const double stop = m->until > 0 ? m->until - ZOID_DUE_CARE * m->write_seconds : 0;

    if (m->minutes_by > 0 && (stop == 0 || m->minutes_by < stop))
        return m->minutes_by;
    return stop;
}

/* Whether the time is up, or would be in the middle of another pass; of one rank. */
static bool out_of_time(const struct zoid_march *m, const struct zoid_report *leg)
{
    const double step = leg->steps > 0 ? leg->seconds / (double)leg->steps : 0;
    const double pass = ZOID_DUE_CARE * (step * zoid_due_open_steps(&m->plan->graph));

    return m->until > 0 && zoid_due_clock() + pass + ZOID_DUE_CARE * m->write_seconds >= m->until;
}

/* Where the job is now. The clocks of ranks differ, so the first one's counts; a signal may have
 * come to any of them. */
static struct station station_of(const struct zoid_march *m, const struct zoid_job *job,
                                 const struct zoid_report *leg, long end)
{
    const struct zoid_keep_options *k = m->keep;
    const long at = zoid_job_steps(job);
    const bool early = at < end;
    struct station s = {.snapshot = k->snapshot && (at % k->snapshot == 0 || at == m->total)};
    double heard = m->stop ? *m->stop : zoid_stop_heard();

    s.stop = out_of_time(m, leg);
    s.checkpoint = k->every && at % k->every == 0;
    s.checkpoint |= m->minutes_by > 0 && (early || zoid_due_clock() >= m->minutes_by);
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
        m->minutes_by = zoid_due_clock() + 60 * m->keep->minutes;
}

static enum zoid_status leave_checkpoint(struct zoid_march *m, const struct zoid_job *job,
                                         struct zoid_kept_report *kept)
{
    const double begun = zoid_due_clock();
    double bytes = 0;
    enum zoid_status status = zoid_record_rows(m->record, &m->about->numbers, &m->about->number);

    m->about->step = m->last = zoid_job_steps(job);
    if (!status)
        status = zoid_checkpoint_write(job, m->initial, m->about, m->keep->checkpoint, &bytes);
    free(m->about->number);
    m->about->number = NULL;
    m->write_seconds = zoid_due_clock() - begun;
    kept->written++;
    kept->seconds += m->write_seconds;
    kept->bytes += bytes;
    count_minutes(m);
    return status;
}

/* A run that goes on from a checkpoint leaves no snapshot of where it begins: that one has to be
 * whole before. */
static enum zoid_status finish_snapshot(struct zoid_march *m, struct zoid_kept_report *kept)
{
    const double begun = zoid_due_clock();
    enum zoid_status status = m->snapshots ? zoid_snapshots_finish(m->snapshots) : ZOID_OK;

    kept->seconds += zoid_due_clock() - begun;
    return status;
}

static enum zoid_status leave_snapshot(struct zoid_march *m, const struct zoid_job *job,
                                       struct zoid_kept_report *kept)
{
    const double begun = zoid_due_clock();
    double bytes = 0;
    enum zoid_status status = zoid_snapshots_write(m->snapshots, job, &bytes);

    kept->written++;
    kept->seconds += zoid_due_clock() - begun;
    kept->bytes += bytes;
    return status;
}

/* What has been kept is no leg's, so it is counted beside the report of the legs. */
struct kept {
    struct zoid_kept_report checkpoints, snapshots;
};

static enum zoid_status halt(struct zoid_march *m, const struct zoid_job *job,
                             const struct station *s, struct kept *kept)
{
    enum zoid_status status = ZOID_OK;

    if (s->snapshot)
        status = leave_snapshot(m, job, &kept->snapshots);
    if (!status && s->checkpoint)
        status = finish_snapshot(m, &kept->snapshots);
    if (!status && s->checkpoint)
        status = leave_checkpoint(m, job, &kept->checkpoints);
    return status;
}

static enum zoid_status run_leg(struct zoid_march *m, struct zoid_job *job, long end,
                                struct zoid_report *leg)
{
    /* Of several ranks any may end a leg; the first one's clock is the one that counts. */
    zoid_job_end_by(job, zoid_ranks_here()->rank == 0 ? leg_by(m) : 0);
    zoid_job_way(job, m->initial->problem->start, m->total, m->last > 0 ? m->last : -1);
    return zoid_job_run_steps(job, end - zoid_job_steps(job), m->progress, leg);
}

static enum zoid_status stopped(const struct zoid_march *m, const struct zoid_job *job)
{
    const char *folder = m->keep->checkpoint;

    return zoid_fail(ZOID_STOPPED, "stopped after %ld of %ld steps%s%s%s", zoid_job_steps(job),
                     m->total, folder ? "; --restart " : "", folder ? folder : "",
                     folder ? " goes on from there" : "");
}

static enum zoid_status run_legs(struct zoid_march *m, struct zoid_job *job,
                                 struct zoid_report *report, struct kept *kept)
{
    const long start = zoid_job_steps(job);
    struct station s = {.snapshot = m->keep->first && start == 0};
    enum zoid_status status = halt(m, job, &s, kept);

    count_minutes(m);
    do {
        const long end = next_end(m->keep, zoid_job_steps(job), m->total);
        const bool first = zoid_job_steps(job) == start;
        struct zoid_report leg = *report;

        if (!status)
            status = run_leg(m, job, end, &leg);
        if (status)
            return status;
        if (first)
            *report = leg;
        else
            zoid_report_add(&leg, report);
        s = station_of(m, job, &leg, end);
        status = halt(m, job, &s, kept);
    } while (!status && !s.stop && zoid_job_steps(job) < m->total);
    if (!status)
        status = finish_snapshot(m, &kept->snapshots);
    return status || !s.stop ? status : stopped(m, job);
}

enum zoid_status zoid_march_run(struct zoid_march *m, struct zoid_job *job,
                                struct zoid_report *report)
{
    struct kept kept = {.checkpoints.written = 0};
    enum zoid_status status;

    m->last = zoid_job_steps(job);
    if (m->keep->checkpoint && !m->stop)
        zoid_stop_listen(job);
    status = run_legs(m, job, report, &kept);
    zoid_stop_ignore();
    report->checkpoints = kept.checkpoints;
    report->snapshots = kept.snapshots;
    return status;
}
