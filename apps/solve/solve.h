/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an iteration until it is near enough to the solution of Poisson's equation, or has done all
 * its sweeps. */
#ifndef ZOID_APPS_SOLVE_SOLVE_H
#define ZOID_APPS_SOLVE_SOLVE_H

#include "apps/driver/march.h"
#include "apps/solve/domain.h"

struct zoid_solve {
    struct zoid_domain *domain;
    long turns; /* sweeps from one turn to the next: up, then down, and so on; 0: all go up */
    struct zoid_march *march; /* of the domain's state */
    long sweeps;              /* the most there are */
    double tolerance;         /* of the residual over the initial one; 0: no end by it */
    long every;               /* sweeps from one look at the residual to the next */
    const char *history;      /* a file for what was seen; NULL: none */
};

/* What has become of it; residuals are those of residual.h. */
struct zoid_solved {
    double initial, residual; /* of the first state and of the last */
    long sweeps, below;       /* done; and at the first look that was below the tolerance, or -1 */
    double turning;           /* seconds, which the report's have in them */
};

/* Whether the residual is looked at on the way, so that the job runs in legs of `every` sweeps. */
bool zoid_solve_looks(const struct zoid_solve *solve);
/* Runs a job that was filled, by its march, which it begins and ends. The residual is looked at
 * after every `every` sweeps: when it is below the tolerance for the first time, or has not fallen
 * for STAGNANT looks, `every` sweeps follow, as far as there are, and no more. So the number of
 * sweeps follows from the problem alone, and what has been seen is in checkpoints: a run that goes
 * on from one comes to the same end. ZOID_CHECK_FAILED, with all filled in: it was not below.
 * ZOID_STOPPED: as zoid_march_run. ZOID_BAD_ARGUMENT: the march goes on from a state that no such
 * run comes to.
 */
enum zoid_status zoid_solve_run(const struct zoid_solve *solve, struct zoid_job *job,
                                struct zoid_report *report, struct zoid_solved *solved);

#endif
