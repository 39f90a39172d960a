/* SPDX-License-Identifier: BSD-3-Clause */
/* What all tasks of a job share. */
#ifndef ZOID_RUNTIME_SUBMIT_WORK_H
#define ZOID_RUNTIME_SUBMIT_WORK_H

#include <starpu.h>
#include <stdatomic.h>

#include "codelets/device.h"
#include "codelets/taps.h"
#include "runtime/memory/scratch.h"
#include "runtime/memory/store.h"
#include "runtime/submit/clock.h"
#include "runtime/trace/trace.h"

struct zoid_work {
    const struct zoid_plan *plan;
    struct zoid_store *store;
    const struct zoid_disk *disk;          /* NULL: nothing is at home there */
    const struct zoid_trace *trace;        /* NULL: none */
    struct zoid_taps *taps;                /* the job's; NULL: none */
    struct zoid_cpu core;                  /* as blocks run on it */
    struct starpu_codelet codelet, join;   /* of blocks, and of joins */
    size_t halo, end;                      /* elements of a plane of a halo, and of an end */
    struct zoid_core_scratch core_scratch; /* where blocks run on cores, */
    starpu_data_handle_t scratch;          /* and on GPUs; NULL: blocks need none */
    long scratch_planes;                   /* that it has room for */
    struct zoid_clock clock;
    _Atomic int cuda_error; /* the first; 0: none */
    _Atomic bool stop;      /* the graph is to end as soon as it can, */
    double end_by;          /* or so early that it is over by then: see zoid_job_end_by */
};

/* Completes one whose first five members are there, and makes the workers ready. Free it after a
 * failure as well. */
enum zoid_status zoid_work_init(struct zoid_work *work);
/* The plan has become that of another leg: makes what that needs. Clocks go on. */
enum zoid_status zoid_work_fit(struct zoid_work *work);
void zoid_work_free(struct zoid_work *work);
/* ZOID_RESOURCE once a kernel or a transfer to a disk has failed. */
enum zoid_status zoid_work_status(const struct zoid_work *work);

/* What a graph came to. */
struct zoid_worked {
    long tasks;
    double points;  /* computed, over all stages */
    long messages;  /* sent to other ranks, */
    double bytes;   /* and their bytes */
    double waiting; /* worker-seconds in which workers waited for theirs: see waits.h */
    long end;       /* the step, counted from time 0, that the state is of */
};

/* Runs the plan's graph, and notes in the store where it leaves the state. Waits until all tasks
 * have ended and nothing is on its way to a disk. */
enum zoid_status zoid_work_run(struct zoid_work *work, struct zoid_worked *worked);

#endif
