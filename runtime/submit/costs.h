/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of blocks by crew [workers of a kind], for a scheduler: predicted ones, times
 * a factor for each crew that the run's own blocks teach. Thread-safe; no StarPU, and no clock:
 * callers pass the time, in seconds. */
#ifndef ZOID_RUNTIME_SUBMIT_COSTS_H
#define ZOID_RUNTIME_SUBMIT_COSTS_H

#include <pthread.h>

#include "runtime/plan/learned.h"
#include "runtime/zoid_advanced.h"

struct zoid_costs {
    pthread_mutex_t mutex;
    int crews;
    struct {
        double pace;                /* predicted seconds for a point */
        struct zoid_learned factor; /* of seconds measured, over that */
        double last;                /* time at which it ended a block */
    } crew[ZOID_PARTS_MOST];
};

void zoid_costs_init(struct zoid_costs *costs, const struct zoid_place *place);
/* Return the microseconds of a block with that number of points: a positive, finite number. A crew
 * that has had no block for much longer than it would take comes to cost as little as others: it
 * learns nothing without blocks, and may have been slow once. */
double zoid_costs_of(struct zoid_costs *costs, int crew, double points, double now);
/* Learn from a block that took a worker some seconds, and ends now. Ignores blocks without
 * points, or whose time is not known. */
void zoid_costs_teach(struct zoid_costs *costs, int crew, double points, double seconds,
                      double now);

#endif
