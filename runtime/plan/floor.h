/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower bounds of a candidate that its graph gives without a census, so that most candidates that
 * are slower than others, or do not fit, need no census. */
#ifndef ZOID_RUNTIME_PLAN_FLOOR_H
#define ZOID_RUNTIME_PLAN_FLOOR_H

#include "runtime/plan/estimate.h"

/* Return a lower bound of the seconds that a worker of a kind spends on a point of a step: the best
 * rate of the operator, in kernels that fuse steps if `fuses`. */
double zoid_floor_point(const struct zoid_model *model, const struct zoid_op *op,
                        enum zoid_place_kind kind, bool fuses);

/* These take a plan whose problem, graph, layout, place, home and capacities are set. */

/* Return a lower bound of the seconds of zoid_estimate, whatever the census. */
double zoid_floor_seconds(const struct zoid_model *model, const struct zoid_plan *plan);
/* Return a lower bound of the bytes that zoid_budget_count finds in the memory of the place; 0 for
 * main memory. */
uint64_t zoid_floor_bytes(const struct zoid_plan *plan);

#endif
