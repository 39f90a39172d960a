/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower bounds of a candidate that its graph gives without a census, so that most candidates that
 * are slower than others, or do not fit, need no census. */
#ifndef ZOID_RUNTIME_PLAN_FLOOR_H
#define ZOID_RUNTIME_PLAN_FLOOR_H

#include "runtime/plan/estimate.h"

/* Both take a plan whose problem, graph, layout, place, home and capacities are set. */

/* Return a lower bound of the seconds of zoid_estimate, whatever the census. */
double zoid_floor_seconds(const struct zoid_model *model, const struct zoid_plan *plan);
/* Return a lower bound of the bytes that zoid_budget_count finds in the memory of the place; 0 for
 * main memory. */
uint64_t zoid_floor_bytes(const struct zoid_plan *plan);

#endif
