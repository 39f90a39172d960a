/* SPDX-License-Identifier: BSD-3-Clause */
/* What a candidate takes at least, which its graph says without a census: so that most of those
 * that are worse than others, or do not fit, need none. */
#ifndef ZOID_RUNTIME_PLAN_FLOOR_H
#define ZOID_RUNTIME_PLAN_FLOOR_H

#include "runtime/plan/estimate.h"

/* Both of a plan whose problem, graph, layout, place, home and capacities are there. */

/* No more than the seconds of zoid_estimate, whatever the census. */
double zoid_floor_seconds(const struct zoid_model *model, const struct zoid_plan *plan);
/* No more than zoid_budget_count has in the memory of who computes. */
uint64_t zoid_floor_bytes(const struct zoid_plan *plan);

#endif
