/* SPDX-License-Identifier: BSD-3-Clause */
/* What travels with a StarPU task: one block, copied out of the builder's stream. */
#ifndef ZOID_RUNTIME_SUBMIT_TASK_H
#define ZOID_RUNTIME_SUBMIT_TASK_H

#include "codelets/cuda/timer.h"
#include "codelets/device.h"
#include "graphs/graph.h"
#include "runtime/submit/memories.h"
#include "runtime/submit/waits.h"
#include "runtime/submit/work.h"

struct zoid_task_part {
    enum zoid_kind kind;
    enum zoid_mode mode;
    unsigned buffer; /* of the task; parts of one datum share it */
    bool released;   /* may be dropped when the task has ended */
    struct zoid_view in, out;
    long capacity;
    size_t halo; /* elements of a plane of a halo or a message; 0: it has whole planes */
    struct zoid_patch patch; /* that it is of, then */
};

/* A datum and the memory node it should go to; no handle: nothing. */
struct zoid_move {
    starpu_data_handle_t handle;
    unsigned node;
};

struct zoid_task {
    struct zoid_work *work;
    struct starpu_task *task;
    struct zoid_memories *memories; /* where its data stay; NULL: StarPU sees to that */
    struct zoid_stay *stay;
    struct zoid_ahead *ahead;          /* what decides when to fetch; NULL: the task when it runs */
    struct zoid_transit *writing_back; /* and when data go to the disk; NULL: when it has ended */
    struct zoid_flight *flight;        /* who counts blocks; NULL: StarPU does */
    struct zoid_watch *watch;          /* who counts what workers wait for; NULL: nobody */
    struct zoid_turn turn;             /* for that */
    struct zoid_cuda_timer timer;      /* of its block on a GPU */
    long number;                       /* in the order of submission; */
    bool waits;                        /* in the list of tasks whose data nobody has asked for: */
    struct zoid_task *before, *after;
    size_t nfetch;
    struct zoid_move *fetch; /* when the task starts; behind the parts */
    size_t nhand_on;
    struct zoid_move *hand_on; /* when it has ended; behind those */
    struct zoid zoid, region;
    struct zoid_layout layout; /* of its cell */
    long points;
    unsigned nbuffers; /* without the scratch of a GPU, which is the next one */
    size_t nparts;
    struct zoid_task_part part[];
};

/* Asks StarPU to move the data that the task names in its fetch list. */
void zoid_task_fetch(const struct zoid_task *task);

/* What a task does when it runs, on a GPU as soon as its block is queued: it asks for what it
 * names, if nobody has. */
void zoid_task_starts(struct zoid_task *task);

/* The functions of every task: run the block on the core that calls, or queue it on the worker's
 * stream. The second exists in builds with CUDA only. */
void zoid_task_cpu(void *buffers[], void *arg);
__attribute__((weak)) void zoid_task_cuda(void *buffers[], void *arg);
/* After a task on a GPU has ended: how long its block took, for the work's clock. */
__attribute__((weak)) void zoid_task_cuda_ended(struct zoid_task *task, int worker);
/* That of a task for a join, by whoever has its data in main memory. */
void zoid_task_join(void *buffers[], void *arg);

__attribute__((weak)) const char *zoid_task_cuda_error(int error);

/* Fills the parts, as many as the task has, from its buffers, and the run from the task and the
 * scratch of who runs it. */
void zoid_task_run(const struct zoid_task *task, void *buffers[], void *scratch,
                   struct zoid_part *part, struct zoid_run *run);

#endif
