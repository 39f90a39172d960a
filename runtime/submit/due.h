/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pass has to be the last where a run is to be over by some time.
 *
 * A run ends only where a pass opens, and computes what has been submitted by then, and what is
 * open. How long that takes follows from its own pace, and from what the plan expects until there
 * is one. */
#ifndef ZOID_RUNTIME_SUBMIT_DUE_H
#define ZOID_RUNTIME_SUBMIT_DUE_H

#include "runtime/zoid.h"

/* What a time is multiplied with that has to do, as long as others take as long as they did. */
#define ZOID_DUE_CARE 1.2

struct zoid_due {
    double by;    /* seconds of CLOCK_MONOTONIC; 0: nothing is due */
    double begun; /* when the run did */
    double open;  /* points that are computed after a pass that opens, beside those submitted */
    double pace;  /* points a second, as the plan expects it */
};

/* Steps that a run may still go on for when its last pass opens. */
double zoid_due_open_steps(const struct zoid_graph *graph);
/* The run of a plan begins. */
struct zoid_due zoid_due_begin(const struct zoid_plan *plan, double by);
/* Whether the pass that opens has to be the last: of points, so many are submitted, and done. */
bool zoid_due_now(const struct zoid_due *due, double submitted, double done);

#endif
