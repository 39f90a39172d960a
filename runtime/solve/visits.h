/* SPDX-License-Identifier: BSD-3-Clause */
/* Translation between a Poisson problem and the mlsor operator that solves it. */
#ifndef ZOID_RUNTIME_SOLVE_VISITS_H
#define ZOID_RUNTIME_SOLVE_VISITS_H

#include "runtime/solve/domain.h"

struct zoid_visits {
    long subdomain, layers; /* see codelets/mlsor/mlsor.h */
    bool forward;
    long sweeps, every; /* of the run, and between residual checks */
};

/* Initialise *mlsor, which must not be moved afterwards, and its problem, whose visits (fused
 * steps) make p->steps sweeps. ZOID_BAD_ARGUMENT: one dimension, more layers than half a subdomain,
 * planes too large to count, residual checks within a visit, or as zoid_problem_check. */
enum zoid_status zoid_visits_make(const struct zoid_visits *visits, const struct zoid_problem *p,
                                  double omega, struct zoid_mlsor *mlsor,
                                  struct zoid_problem *problem);
/* Convert an option per domain axis in place to the axes of the operator, whose second is the
 * domain's slowest. ZOID_BAD_ARGUMENT: it divides the y axis. */
enum zoid_status zoid_visits_fold(const char *option, int dims, long along[ZOID_AXES]);
/* Convert a report of visits to one of sweeps over the domain, `sweeps` of them since time 0. */
void zoid_visits_count(const struct zoid_domain *domain, long sweeps, struct zoid_report *report);

#endif
