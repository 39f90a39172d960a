/* SPDX-License-Identifier: BSD-3-Clause */
/* When to fetch for tasks: when others end.
 *
 * A task names data of tasks that come after it, which should be on their way while it runs. When
 * it starts is too late to ask for them: a core moves data between tasks only, and a GPU, which
 * starts a task when its own data are there, would leave the link idle until then. Before that,
 * while StarPU hands the task over, is no time to ask: where asking makes another task ready,
 * StarPU aborts. So whoever has ended a task asks for what the tasks name that are about to
 * start, in the order in which they were submitted. */
#ifndef ZOID_RUNTIME_SUBMIT_AHEAD_H
#define ZOID_RUNTIME_SUBMIT_AHEAD_H

#include <pthread.h>

struct zoid_task;

struct zoid_ahead {
    pthread_mutex_t mutex;
    long ended, running;
    struct zoid_task *first, *last; /* that nobody has asked for yet */
};

/* `running` tasks run at the same time. */
void zoid_ahead_init(struct zoid_ahead *ahead, long running);
/* A task that is about to be submitted; its number is how many were before. */
void zoid_ahead_add(struct zoid_ahead *ahead, struct zoid_task *task);
/* The task starts. Asks for its data if nobody has, because tasks overtake each other. */
void zoid_ahead_starts(struct zoid_ahead *ahead, struct zoid_task *task);
void zoid_ahead_ended(struct zoid_ahead *ahead);

#endif
