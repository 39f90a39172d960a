/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of legs: a run that may continue is planned once, and each of its legs keeps the slabs,
 * cells, coefficients and places of that plan. */
#ifndef ZOID_RUNTIME_PLAN_LEG_H
#define ZOID_RUNTIME_PLAN_LEG_H

#include "runtime/zoid_advanced.h"

/* The next leg: `steps` steps from `start` on, with the depth and lanes of the plan of the run.
 * `first`: it begins from a loaded state; otherwise from the state that the leg before left. */
struct zoid_next_leg {
    const struct zoid_plan *run;
    bool first;
    long start, steps;
};

/* Replace the plan of a leg by that of the next one. If the next leg needs more memory than the
 * budgets have, it gets fewer lanes, then less depth. ZOID_DOES_NOT_FIT: it does not fit with one
 * lane and depth 1. ZOID_BAD_ARGUMENT: steps that cannot be counted, or that cannot follow. After a
 * failure the plan is unchanged. */
enum zoid_status zoid_plan_next(struct zoid_plan *plan, const struct zoid_next_leg *next);

#endif
