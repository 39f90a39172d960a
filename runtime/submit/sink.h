/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_SUBMIT_SINK_H
#define ZOID_RUNTIME_SUBMIT_SINK_H

#include "runtime/job.h"
#include "runtime/memory/transit.h"
#include "runtime/submit/ahead.h"
#include "runtime/submit/serial.h"

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
    struct zoid_ahead *ahead, between;                    /* NULL: tasks fetch for themselves */
    struct zoid_transit *homeward, between_gpus_and_disk; /* NULL: tasks send home themselves */
    struct zoid_serial serial; /* without a room for blocks: data move while blocks run */
    enum zoid_status status;
};

enum zoid_status zoid_starpu_sink_init(struct zoid_starpu_sink *s, struct zoid_job *job);
/* After the emission, whatever it returned: waits until all tasks have ended and nothing is on its way
 * to a disk. */
void zoid_starpu_sink_finish(struct zoid_starpu_sink *s);

/* For serial.c. The memory in which blocks of a lane run; whether their slabs can stay on the GPUs (after
 * the last time everything goes home); a task for a block. */
unsigned zoid_sink_node(const struct zoid_starpu_sink *s, int lane);
bool zoid_sink_stays(const struct zoid_starpu_sink *s, const struct zoid_block *b);
enum zoid_status zoid_sink_submit(struct zoid_starpu_sink *s, const struct zoid_block *b);

#endif
