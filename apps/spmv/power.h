/* SPDX-License-Identifier: BSD-3-Clause */
/* Power iteration: a matrix times a vector until the eigenvalue that it points at stands still. */
#ifndef ZOID_APPS_SPMV_POWER_H
#define ZOID_APPS_SPMV_POWER_H

#include "apps/driver/march.h"
#include "apps/spmv/vectors.h"

struct zoid_power {
    const struct zoid_vectors *vectors; /* one, with the field before it */
    struct zoid_band *band;
    double tolerance;
    struct zoid_march *march; /* to the most steps there are */
};

struct zoid_powered {
    double eigenvalue;
    long steps;
};

/* Steps from one look to the next. */
enum { ZOID_POWER_LEG = 16 };

/* Runs a job that was filled, by its march, which it begins and ends: after every leg the vector is
 * scaled by a power of two, and where the eigenvalue has moved by no more than tolerance times
 * itself since the leg before, that is all. A run that goes on from a checkpoint comes to the same
 * end. ZOID_CHECK_FAILED where it never stands still, or where values are not finite. ZOID_STOPPED:
 * as zoid_march_run. */
enum zoid_status zoid_power_run(const struct zoid_power *power, struct zoid_job *job,
                                struct zoid_report *report, struct zoid_powered *powered);

#endif
