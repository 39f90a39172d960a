/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which pass (time block) must be the last for a run to end by a deadline.
 *
 * A run ends only where a pass opens, and still computes the blocks that are submitted by then and
 * the passes that are open. The time for these follows from the run's own pace, and from the plan's
 * prediction until there is one. */
#ifndef ZOID_RUNTIME_SUBMIT_DUE_H
#define ZOID_RUNTIME_SUBMIT_DUE_H

#include "runtime/zoid_advanced.h"

/* Safety factor of a predicted time, which assumes that blocks take no longer than earlier ones. */
#define ZOID_DUE_CARE 1.2

struct zoid_due {
    double by;    /* seconds of CLOCK_MONOTONIC; 0: no deadline */
    double begun; /* when the run did, on that clock */
    double open;  /* points computed after a pass that opens, besides those submitted */
    double pace;  /* points per second, predicted by the plan */
};

/* Return the epochs all of whose blocks have been emitted when the last pass of the one that ends
 * with step `steps` opens: several laps are open at a time. */
long zoid_due_whole_epochs(const struct zoid_graph *graph, long steps);
/* Steps that a run may still take after its last pass has opened. */
double zoid_due_open_steps(const struct zoid_graph *graph);
/* The deadline of a run that begins now. */
struct zoid_due zoid_due_begin(const struct zoid_plan *plan, double by);
/* True if the pass that opens must be the last. `submitted` and `done` are numbers of points. */
bool zoid_due_now(const struct zoid_due *due, double submitted, double done);

/* Return the predicted upper bound of the time from zoid_job_stop to the end of the run, in
 * seconds. */
double zoid_plan_stop_seconds(const struct zoid_plan *plan);

#endif
