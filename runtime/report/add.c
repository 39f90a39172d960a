/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "runtime/report/add.h"
#include "runtime/zoid_advanced.h"

void zoid_report_add(const struct zoid_report *leg, struct zoid_report *all)
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
    all->epochs += before.epochs;
    all->h2d += before.h2d;
    all->d2h += before.d2h;
    all->p2p += before.p2p;
    all->disk_read += before.disk_read;
    all->disk_write += before.disk_write;
    all->planned.h2d += before.planned.h2d;
    all->planned.d2h += before.planned.d2h;
    all->planned.p2p += before.planned.p2p;
    all->planned.disk_read += before.planned.disk_read;
    all->planned.disk_write += before.planned.disk_write;
    all->mpi += before.mpi;
    all->messages += before.messages;
    all->waiting += before.waiting;
    all->predicted_seconds += before.predicted_seconds;
    all->core_seconds += before.core_seconds;
    all->predicted_core_seconds += before.predicted_core_seconds;
    all->gups = seconds > 0 ? all->useful / seconds * 1e-9 : NAN;
    all->busy_workers =
        seconds > 0
            ? (before.busy_workers * before.seconds + leg->busy_workers * leg->seconds) / seconds
            : NAN;
}
