/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/solve/series.h"

#include <math.h>
#include <string.h>

/* Adds up what legs have done; the rest is that of the last one. */
static void add_report(const struct zoid_report *leg, struct zoid_report *all)
{
    const struct zoid_report before = *all;
    const double seconds = before.seconds + leg->seconds;

    *all = *leg;
    memcpy(all->app, before.app, sizeof all->app);
    all->seed = before.seed;
    all->check = before.check;
    all->each = NULL;
    all->steps += before.steps;
    all->seconds = seconds;
    all->useful += before.useful;
    all->redundant += before.redundant;
    all->tasks += before.tasks;
    all->h2d += before.h2d;
    all->d2h += before.d2h;
    all->p2p += before.p2p;
    all->disk_read += before.disk_read;
    all->disk_write += before.disk_write;
    all->mpi += before.mpi;
    all->messages += before.messages;
    all->waiting += before.waiting;
    all->predicted_seconds += before.predicted_seconds;
    all->gups = seconds > 0 ? all->useful / seconds * 1e-9 : NAN;
    all->busy_workers =
        seconds > 0
            ? (before.busy_workers * before.seconds + leg->busy_workers * leg->seconds) / seconds
            : NAN;
}

enum zoid_status zoid_series_run(const struct zoid_series *series, long steps,
                                 struct zoid_report *report)
{
    struct zoid_report leg = *report;
    enum zoid_status status =
        zoid_job_run_steps(series->job, steps, series->progress, series->first ? report : &leg);

    if (!status && !series->first)
        add_report(&leg, report);
    return status;
}
