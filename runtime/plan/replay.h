/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted seconds of a rank's blocks and messages, one by one. */
#ifndef ZOID_RUNTIME_PLAN_REPLAY_H
#define ZOID_RUNTIME_PLAN_REPLAY_H

#include "runtime/plan/plan.h"

struct zoid_model; /* runtime/plan/estimate.h */

/* Replace the seconds of a plan's cost by those of a replay (graphs/sinks/schedule.c), where ranks
 * exchange halos, and those of links by its transfers; some epochs stand for all. Returns false,
 * and leaves the cost, if there is no such exchange, it has too many blocks, or the rank receives
 * messages unlike all that it sends. */
bool zoid_replay(const struct zoid_model *model, struct zoid_plan *plan);

#endif
