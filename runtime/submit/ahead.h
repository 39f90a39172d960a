/* SPDX-License-Identifier: BSD-3-Clause */
/* When to prefetch data for tasks: when others end.
 *
 * A task names data of later tasks, which should be in transit while it runs. Its start is too late
 * to request them: a core moves data between tasks only, and a GPU, which starts a task when its
 * own data are there, would leave the link idle until then. Before that, while StarPU hands the
 * task over, no request is possible: StarPU aborts if it makes another task ready. So the thread
 * that has ended a task issues the prefetches that the tasks about to start name, in the order of
 * their submission. */
#ifndef ZOID_RUNTIME_SUBMIT_AHEAD_H
#define ZOID_RUNTIME_SUBMIT_AHEAD_H

#include <pthread.h>

struct zoid_task;

struct zoid_ahead {
    pthread_mutex_t mutex;
    long ended, running;
    struct zoid_task *first, *last; /* queue of tasks whose prefetches are not issued yet */
};

/* `running` is the number of tasks that run at the same time. */
void zoid_ahead_init(struct zoid_ahead *ahead, long running);
/* Add a task that is about to be submitted; its `number` is the number of tasks before it. */
void zoid_ahead_add(struct zoid_ahead *ahead, struct zoid_task *task);
/* Call when the task starts. Issues its prefetches if it is still queued, since tasks overtake each
 * other. */
void zoid_ahead_starts(struct zoid_ahead *ahead, struct zoid_task *task);
void zoid_ahead_ended(struct zoid_ahead *ahead);

#endif
