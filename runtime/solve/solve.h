/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterative solution of Poisson's equation, until convergence or a maximum number of sweeps. */
#ifndef ZOID_RUNTIME_SOLVE_SOLVE_H
#define ZOID_RUNTIME_SOLVE_SOLVE_H

#include "runtime/session/run_loop.h"
#include "runtime/solve/domain.h"

struct zoid_solve {
    struct zoid_domain *domain;
    long turns;                 /* sweeps per direction: up, then down, and so on; 0: all go up */
    struct zoid_run_loop *loop; /* run loop, of the domain's state */
    long sweeps;                /* maximum number */
    double tolerance;           /* relative to the initial residual; 0: run all sweeps */
    long every;                 /* sweeps between residual checks */
    const char *history;        /* file for all residuals, or NULL */
};

/* Result; residuals are those of residual.h. */
struct zoid_solved {
    double initial, residual; /* of the initial and the final state */
    long sweeps, below;       /* done, and done at the first check below the tolerance, or -1 */
    double mirroring;         /* seconds of mirroring, included in the report's */
};

/* Return whether the residual is checked during the run, so that the job runs in legs of `every`
 * sweeps. */
bool zoid_solve_looks(const struct zoid_solve *solve);
/* Run a filled job by its zoid_run_loop, which it begins and ends. The residual is checked every
 * `every` sweeps. Once it is below the tolerance, or has not decreased for STAGNANT checks, at most
 * `every` more sweeps follow. The number of sweeps thus depends on the problem only, and since
 * checkpoints store the residuals, a restart ends after the same number. Collective.
 * ZOID_CHECK_FAILED, with *report and *solved complete: not below the tolerance. ZOID_STOPPED: as
 * zoid_run_loop_until. ZOID_BAD_ARGUMENT: no such run reaches the state of the checkpoint. */
enum zoid_status zoid_solve_run(const struct zoid_solve *solve, struct zoid_job *job,
                                struct zoid_report *report, struct zoid_solved *solved);

#endif
