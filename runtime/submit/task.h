/* SPDX-License-Identifier: BSD-3-Clause */
/* Argument of a StarPU task: one block, copied out of the builder's stream. */
#ifndef ZOID_RUNTIME_SUBMIT_TASK_H
#define ZOID_RUNTIME_SUBMIT_TASK_H

#include "codelets/block/device.h"
#include "codelets/cuda/timer.h"
#include "graphs/graph.h"
#include "runtime/submit/idle_time.h"
#include "runtime/submit/memories.h"
#include "runtime/submit/work.h"

struct zoid_task_part {
    enum zoid_kind kind;
    enum zoid_mode mode;
    unsigned buffer; /* index in the task; parts of one datum share it */
    bool released;   /* may be evicted when the task has ended */
    struct zoid_view in, out;
    long capacity;
    size_t halo;             /* elements per plane of a halo or a message; 0: whole planes */
    struct zoid_patch patch; /* its patch, then */
    struct zoid_tail tail;   /* and its memory of layers */
};

/* A datum and the memory node that it should move to; handle NULL: no move. */
struct zoid_move {
    starpu_data_handle_t handle;
    unsigned node;
};

struct zoid_task {
    struct zoid_work *work;
    struct starpu_task *task;
    struct zoid_memories *memories; /* manages its data on GPUs; NULL: StarPU does */
    struct zoid_stay *stay;
    struct zoid_ahead *ahead;          /* decides when to prefetch; NULL: the task, when it runs */
    struct zoid_transit *writing_back; /* queue of write-backs to the disk; NULL: at its end */
    struct zoid_flight *flight;        /* counts blocks in flight; NULL: StarPU does */
    struct zoid_watch *watch;          /* counts the waiting for messages; NULL: not counted */
    struct zoid_submission turn;       /* its times, for `watch` */
    struct zoid_cuda_timer timer;      /* of its block on a GPU */
    long number;                       /* in the order of submission */
    long epoch;                        /* of its leg, if there are several parts */
    bool waits;                        /* in the queue of `ahead`, between these: */
    struct zoid_task *before, *after;
    size_t nfetch;
    struct zoid_move *fetch; /* at the task's start; allocated after the parts */
    size_t nhand_on;
    struct zoid_move *hand_on; /* at its end; allocated after those */
    struct zoid zoid, region;
    struct zoid_layout layout; /* of its cell */
    long points;
    unsigned nbuffers; /* without the scratch of a GPU, which is the next one */
    size_t nparts;
    struct zoid_task_part part[];
};

/* Prefetch the data in the task's fetch list. */
void zoid_task_fetch(const struct zoid_task *task);

/* Call when a task runs, on a GPU as soon as its block is queued. Issues its prefetches, unless
 * that was done before. */
void zoid_task_starts(struct zoid_task *task);

/* The functions of every task: run the block on the calling core, or queue it on the worker's
 * stream, asynchronously. The second is weak: NULL in builds without CUDA. */
void zoid_task_cpu(void *buffers[], void *arg);
__attribute__((weak)) void zoid_task_cuda(void *buffers[], void *arg);
/* Call when a task on a GPU has ended: adds the time of its block to the work's clock. */
__attribute__((weak)) void zoid_task_cuda_ended(struct zoid_task *task, int worker);
/* The function of a task of a join, on any worker; its data are in main memory. */
void zoid_task_join(void *buffers[], void *arg);

__attribute__((weak)) const char *zoid_task_cuda_error(int error);

/* Simulate a plan's run, by that model; NULL but in simulations. */
struct zoid_model;
__attribute__((weak)) void zoid_task_simulate(const struct zoid_work *work,
                                              const struct zoid_model *model);
/* Microseconds of a block on a worker; NULL but in simulations. */
__attribute__((weak)) double zoid_task_cost(struct starpu_task *task, unsigned worker,
                                            unsigned implementation);

/* Fill the parts, task->nparts of them, from the task's buffers. */
void zoid_task_parts(const struct zoid_task *task, void *buffers[], struct zoid_part *part);
/* Fill them, and the run from the task and its worker, which is of that kind, and its scratch. */
void zoid_task_run(const struct zoid_task *task, enum zoid_place_kind kind, void *buffers[],
                   void *scratch, struct zoid_part *part, struct zoid_block_args *run);

#endif
