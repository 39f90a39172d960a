/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_SUBMIT_SINK_H
#define ZOID_RUNTIME_SUBMIT_SINK_H

#include "runtime/memory/transit.h"
#include "runtime/submit/ahead.h"
#include "runtime/submit/due.h"
#include "runtime/submit/flight.h"
#include "runtime/submit/peers.h"
#include "runtime/submit/placement.h"
#include "runtime/submit/watch.h"
#include "runtime/submit/work.h"

/* Receives a graph and submits every block as a StarPU task, in the order of the stream; StarPU
 * finds the dependencies from the accesses. The number of tasks in flight is limited. Knows no
 * method and no operator. */
struct zoid_starpu_sink {
    struct zoid_sink sink;
    struct zoid_work *work;
    struct zoid_placement placement;
    long tasks;
    long in_flight, batch; /* tasks in flight at most, and how many are submitted at a time */
    double points;         /* computed, over all stages */
    double before;         /* points that workers had computed when it began */
    long sent;             /* messages, */
    double sent_bytes;     /* and their bytes */
    long epochs;           /* after which the graph might have ended, where ranks take turns */
    double waiting;        /* worker-seconds, for messages; when all is done */
    struct zoid_due due;   /* when it is to be over */
    long end;              /* the step, counted from time 0, that the graph ends with */
    struct zoid_memories *memories; /* of GPUs that data come and go through; NULL: see `ahead` */
    struct zoid_ahead *ahead, between;      /* NULL: tasks fetch for themselves */
    struct zoid_peers *peers, between_gpus; /* NULL: there is one GPU, or they do not keep all */
    struct zoid_transit *writing_back, between_gpus_and_disk; /* NULL: tasks send home themselves */
    struct zoid_flight *flight, blocks; /* NULL: StarPU counts, for there are no messages, */
    struct zoid_watch *watch, waits;    /* and nobody waits for them */
    enum zoid_status status;
};

/* Finish it after a failure as well. */
enum zoid_status zoid_starpu_sink_init(struct zoid_starpu_sink *s, struct zoid_work *work);
/* After the emission, whatever it returned: waits until all tasks have ended and nothing is on its
 * way to a disk. */
void zoid_starpu_sink_finish(struct zoid_starpu_sink *s);

#endif
