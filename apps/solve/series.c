/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/solve/series.h"

enum zoid_status zoid_series_run(const struct zoid_series *series, long steps,
                                 struct zoid_report *report)
{
    struct zoid_report leg = *report;
    enum zoid_status status =
        zoid_job_run_steps(series->job, steps, series->progress, series->first ? report : &leg);

    if (!status && !series->first)
        zoid_report_add(&leg, report);
    return status;
}
