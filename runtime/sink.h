/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_SINK_H
#define ZOID_RUNTIME_SINK_H

#include "runtime/ahead.h"
#include "runtime/homeward.h"
#include "runtime/job.h"

/* Receives a graph and submits every block as a StarPU task, in the order of the stream; StarPU
 * finds the dependencies from the accesses. At most a window of tasks is in flight. Knows no
 * method and no operator. */
struct zoid_starpu_sink {
    struct zoid_sink sink;
    struct zoid_job *job;
    int gpu[STARPU_MAXCUDADEVS], gpus; /* the workers that lanes run on, where the plan says so */
    long tasks;
    long window, batch; /* tasks in flight at most, and how many are submitted at a time */
    double points;      /* computed, over all stages */
    struct zoid_ahead *ahead, between;                     /* NULL: tasks fetch for themselves */
    struct zoid_homeward *homeward, between_gpus_and_disk; /* NULL: tasks send home themselves */
    enum zoid_status status;
};

void zoid_starpu_sink_init(struct zoid_starpu_sink *s, struct zoid_job *job);
/* Waits until all tasks have ended and nothing is on its way any more. */
void zoid_starpu_sink_end(struct zoid_starpu_sink *s);

#endif
