/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_SUBMIT_SINK_H
#define ZOID_RUNTIME_SUBMIT_SINK_H

#include "runtime/memory/transit.h"
#include "runtime/submit/ahead.h"
#include "runtime/submit/due.h"
#include "runtime/submit/flight.h"
#include "runtime/submit/peers.h"
#include "runtime/submit/placement.h"
#include "runtime/submit/stream.h"
#include "runtime/submit/watch.h"
#include "runtime/submit/work.h"

/* Receives a graph and submits every block as a StarPU task, in the order of the stream; StarPU
 * derives the dependencies from the accesses. Limits the number of tasks in flight. Independent of
 * methods and operators. */
struct zoid_starpu_sink {
    struct zoid_sink sink;
    struct zoid_work *work;
    struct zoid_placement placement;
    long tasks;
    bool met;              /* the ranks have passed the barrier of this leg */
    long in_flight, batch; /* limit of tasks in flight, and number submitted at a time */
    double points;         /* points computed, over all stages */
    double before;         /* points that workers had computed when this began */
    struct zoid_stream stream;
    long sent;           /* messages, */
    double sent_bytes;   /* and their bytes */
    long epochs;         /* that might have been the last, if ranks take turns */
    struct zoid_due due; /* its deadline */
    long end;            /* the last step of the graph, counted from time 0 */
    /* GPU memories that data stream through; NULL: see `ahead`. */
    struct zoid_memories *memories;
    struct zoid_ahead *ahead, between;      /* NULL: tasks prefetch for themselves */
    struct zoid_peers *peers, between_gpus; /* NULL: one GPU, or not all data are kept */
    /* Queue of write-backs; NULL: tasks send data home themselves. */
    struct zoid_transit *writing_back, between_gpus_and_disk;
    struct zoid_flight *flight, blocks; /* NULL: StarPU counts, without messages */
    struct zoid_watch *watch;           /* of the process; NULL: without messages of others */
    enum zoid_status status;
};

/* Prepare a sink for the plan of `work`; the process's watch is NULL if it is the only one.
 * ZOID_RESOURCE: out of memory. Finish it after a failure, too. */
enum zoid_status zoid_starpu_sink_init(struct zoid_starpu_sink *s, struct zoid_work *work,
                                       struct zoid_watch *watch);
/* Call after the emission, whatever it returned: waits until all tasks have ended and no data are
 * in transit to a disk. */
void zoid_starpu_sink_finish(struct zoid_starpu_sink *s);

#endif
