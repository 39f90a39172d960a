/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a state is from a solution of Poisson's equation. */
#ifndef ZOID_APPS_SOLVE_RESIDUAL_H
#define ZOID_APPS_SOLVE_RESIDUAL_H

#include "apps/solve/domain.h"
#include "runtime/zoid.h"

/* The root of the sum of r^2 over all points of the domain that are computed, in double, where r =
 * b + the neighbours of field 0 - 2 dims times the point itself; b is what `initial`, of the
 * domain's problem, makes of field 1, where the operator has one. Added in an order of the domain
 * alone: the same for every plan. Of several ranks all call it, and all get it. */
enum zoid_status zoid_residual(const struct zoid_domain *domain, const struct zoid_job *job,
                               const struct zoid_initial *initial, double *norm);

#endif
