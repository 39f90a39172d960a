/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans of legs: a run that may go on is planned once, and each leg of it keeps the slabs,
 * cells, coefficients and places of that plan. */
#ifndef ZOID_RUNTIME_PLAN_LEG_H
#define ZOID_RUNTIME_PLAN_LEG_H

#include "runtime/zoid.h"

/* What the next leg is to be: of so many steps, from `start` on, with the depth and lanes of the
 * plan of the run. The first one begins from a state that was loaded, any other from what the leg
 * before left. */
struct zoid_next_leg {
    const struct zoid_plan *run;
    bool first;
    long start, steps;
};

/* Makes the plan of the leg before that of the next one. Where the budgets have no room for what
 * this takes more of than the run was planned with, it has fewer lanes, then less depth.
 * ZOID_DOES_NOT_FIT: not even then; ZOID_BAD_ARGUMENT: steps that cannot be counted. After a
 * failure the plan is as it was. */
enum zoid_status zoid_plan_next(struct zoid_plan *plan, const struct zoid_next_leg *next);

#endif
