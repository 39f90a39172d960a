/* SPDX-License-Identifier: BSD-3-Clause */
/* Residual of Poisson's equation. */
#ifndef ZOID_RUNTIME_SOLVE_RESIDUAL_H
#define ZOID_RUNTIME_SOLVE_RESIDUAL_H

#include "runtime/solve/domain.h"
#include "runtime/zoid_advanced.h"

/* Compute the 2-norm in double of r over all updated points of the domain, r = b + the neighbours
 * of field 0 - 2 dims times the point itself; b is field 1 of `initial`, for the domain's problem,
 * if the operator has one. The order of summation depends on the domain only, so all plans give the
 * same value. Collective; every rank gets it. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_residual(const struct zoid_domain *domain, const struct zoid_job *job,
                               const struct zoid_initial *initial, double *norm);

#endif
