/* SPDX-License-Identifier: BSD-3-Clause */
/* State that all tasks of a part share. */
#ifndef ZOID_RUNTIME_SUBMIT_WORK_H
#define ZOID_RUNTIME_SUBMIT_WORK_H

#include <starpu.h>
#include <stdatomic.h>

#include "codelets/block/device.h"
#include "codelets/block/sample_points.h"
#include "runtime/memory/gpu_scratch.h"
#include "runtime/memory/scratch.h"
#include "runtime/memory/store.h"
#include "runtime/submit/channels.h"
#include "runtime/submit/clock.h"
#include "runtime/submit/dealer.h"
#include "runtime/submit/epoch_clock.h"
#include "runtime/submit/teams.h"
#include "runtime/trace/trace.h"

struct zoid_serial;
struct zoid_starpu_sink;
struct zoid_watch;

struct zoid_work {
    const struct zoid_plan *plan;
    struct zoid_store *store;
    const struct zoid_disk_range *disk;       /* NULL: no data are at home on a disk */
    const struct zoid_trace *trace;           /* NULL: there is no trace */
    struct zoid_sample_points *sample_points; /* the part's; NULL: no sources or receivers */
    struct zoid_channels *channels;           /* to the other parts of the job; NULL: it is alone */
    int part;                                 /* its number among these */
    struct zoid_epoch_clock epochs;           /* of its epochs, beside other parts */
    double slow;                              /* for tests: factor of its blocks' seconds, */
    double slow_point;                        /* seconds of a point; 0: its own, */
    long slow_from;                           /* from this step on, */
    int slow_crew;                            /* of that crew, if there are several */
    struct zoid_dealer dealer;                /* of blocks that any worker takes */
    struct zoid_cpu core;                     /* as blocks run on it */
    struct zoid_teams teams;                  /* of the cores that run blocks together */
    struct starpu_codelet codelet, join;      /* of blocks, and of joins */
    size_t halo, end;                         /* elements per plane of a halo, and of an end */
    struct zoid_tail tail[ZOID_KINDS];        /* of a halo, and of an end */
    struct zoid_core_scratch core_scratch;    /* of blocks on cores, */
    struct zoid_gpu_scratch gpu_scratch;      /* on GPUs, if cores take them too, */
    starpu_data_handle_t scratch;             /* and on GPUs alone; NULL: they need no scratch */
    long scratch_planes;                      /* that it has room for */
    struct zoid_clock clock;
    struct zoid_starpu_sink *sink; /* of a run; NULL between runs, */
    struct zoid_serial *serial;    /* and what goes between it and the graph, or NULL */
    _Atomic int cuda_error;        /* the first error; 0: no failure */
    _Atomic bool stop;             /* end the graph as soon as possible */
    double end_by;                 /* deadline of its runs: see zoid_job_set_deadline */
};

/* Initialise a work whose plan, store, disk, trace and core are set, and prepare the workers.
 * ZOID_RESOURCE: out of memory. Free it after a failure, too. */
enum zoid_status zoid_work_init(struct zoid_work *work);
/* Adapt it to the plan, which has become that of another leg. Clocks go on. */
enum zoid_status zoid_work_fit(struct zoid_work *work);
/* Free the scratch of GPUs, whose memory another job is about to use; take it again, and prepare
 * the workers as zoid_work_init does. */
void zoid_work_rest(struct zoid_work *work);
void zoid_work_wake(struct zoid_work *work);
void zoid_work_free(struct zoid_work *work);
/* Return ZOID_RESOURCE, with a message, if a kernel or a transfer to a disk has failed. */
enum zoid_status zoid_work_status(const struct zoid_work *work);

/* Totals of the run of a graph. */
struct zoid_worked {
    long tasks;
    double points;  /* points computed, over all stages */
    double stream;  /* digest of what was submitted: see stream.h */
    long messages;  /* sent to other ranks, */
    double bytes;   /* and their bytes */
    double waiting; /* worker-seconds idle for lack of these: see idle_time.h */
    long end;       /* the step of the state, counted from time 0 */
};

/* Run the plan's graph in three steps. First, prepare a sink; `watch` is that of the process, NULL
 * if it is the only one. After a failure the work has to be ended, too. */
enum zoid_status zoid_work_begin(struct zoid_work *work, struct zoid_watch *watch);
/* Submit all blocks, by any thread, and note in the store where they leave the state. */
enum zoid_status zoid_work_emit(struct zoid_work *work);
/* Wait until all tasks of the process have ended and no data are in transit to a disk, and free the
 * sink; after a failure with several processes, return at once: blocks that wait for other ranks
 * remain, with the sink. Returns the first failure. Without a sink, nothing is done. */
enum zoid_status zoid_work_end(struct zoid_work *work, struct zoid_worked *worked);

#endif
