/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted length of a run on several workers, as a fraction of the time of its blocks in
 * sequence: 1 / W if all of W workers are busy all the time. */
#ifndef ZOID_RUNTIME_PLAN_SCHEDULE_H
#define ZOID_RUNTIME_PLAN_SCHEDULE_H

#include "runtime/plan/plan.h"

/* Blocks in flight per worker. Fewer than 4 starve the hand-over between lanes; many more let
 * passes start too early, whose data then evict each other from the caches. */
enum { ZOID_IN_FLIGHT = 16 };

/* Return an approximation from the census: fast. */
double zoid_turns_about(const struct zoid_plan *plan);
/* Return the length of a list schedule of the plan's graph (graphs/sinks/schedule.c), in which a
 * block takes as long as its points and `task` more. A long run is extrapolated from two short
 * ones; if even these have too many blocks, from the census. */
double zoid_turns(const struct zoid_plan *plan, double task);

#endif
