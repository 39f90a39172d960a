/* SPDX-License-Identifier: BSD-3-Clause */
/* Power iteration: multiply a vector by the matrix until the dominant eigenvalue converges. */
#ifndef ZOID_RUNTIME_MATRICES_POWER_H
#define ZOID_RUNTIME_MATRICES_POWER_H

#include "runtime/matrices/vectors.h"
#include "runtime/session/run_loop.h"

struct zoid_power {
    const struct zoid_vectors *vectors; /* one vector, with a field for the previous step */
    struct zoid_band *band;
    double tolerance;
    struct zoid_run_loop *loop; /* its total is the maximum number of steps */
};

struct zoid_powered {
    double eigenvalue;
    long steps;
};

/* Steps between estimates of the eigenvalue. */
enum { ZOID_POWER_LEG = 16 };

/* Run a filled job by its zoid_run_loop, which it begins and ends. Every ZOID_POWER_LEG steps the
 * vector is scaled by a power of two and the eigenvalue is estimated; the iteration stops if it
 * changed by no more than `tolerance` times itself. A restart takes the same number of steps.
 * Collective. ZOID_CHECK_FAILED: no convergence, or non-finite values. ZOID_STOPPED: as
 * zoid_run_loop_until. */
enum zoid_status zoid_power_run(const struct zoid_power *power, struct zoid_job *job,
                                struct zoid_report *report, struct zoid_powered *powered);

#endif
