/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of one job after another, with one report. */
#ifndef ZOID_APPS_SOLVE_SERIES_H
#define ZOID_APPS_SOLVE_SERIES_H

#include "runtime/zoid.h"

struct zoid_series {
    struct zoid_job *job;
    bool progress;
    bool first; /* no leg has run before */
};

/* Runs so many steps and adds to the report what they have done; the first leg makes it. */
enum zoid_status zoid_series_run(const struct zoid_series *series, long steps,
                                 struct zoid_report *report);

#endif
