/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a run of several workers is, in parts of what its blocks take one after the other: with
 * all of W workers busy all the time it is 1 / W. */
#ifndef ZOID_RUNTIME_PLAN_SCHEDULE_H
#define ZOID_RUNTIME_PLAN_SCHEDULE_H

#include "runtime/plan/plan.h"

/* Blocks in flight for each worker. Fewer than 4 starve the hand-on between lanes; many more let
 * passes start that should wait, whose data then push each other out of the caches. */
enum { ZOID_IN_FLIGHT = 16 };

/* About, by the census: quickly. */
double zoid_turns_about(const struct zoid_plan *plan);
/* By a list schedule of the plan's graph (graphs/sinks/schedule.c), whose blocks take as long as
 * they have points, and each as long as `task` points more. Of a long run two short ones are
 * scheduled, which tell how it goes on; where these have too many blocks as well, about. */
double zoid_turns(const struct zoid_plan *plan, double task);

#endif
