/* SPDX-License-Identifier: BSD-3-Clause */
/* When to fetch from a disk for tasks on cores.
 *
 * What a task wants fetched (data of tasks that come after it) should be on its way while it runs.
 * But a core moves data between tasks only: what a task asks for when it starts is looked at when
 * it has ended. So others ask for it: a worker that has ended a task asks for the data of those
 * that are about to start, in the order in which they were submitted. */
#ifndef ZOID_RUNTIME_SUBMIT_AHEAD_H
#define ZOID_RUNTIME_SUBMIT_AHEAD_H

#include <pthread.h>

struct zoid_task;

struct zoid_ahead {
    pthread_mutex_t mutex;
    long ended, running;
    struct zoid_task *first, *last; /* that nobody has asked for yet */
};

/* Of tasks, so many run at the same time. */
void zoid_ahead_init(struct zoid_ahead *ahead, long running);
/* A task that is about to be submitted; its number is how many were before. */
void zoid_ahead_add(struct zoid_ahead *ahead, struct zoid_task *task);
/* It starts: what nobody has asked for, because tasks overtake each other, is asked for now. */
void zoid_ahead_starts(struct zoid_ahead *ahead, struct zoid_task *task);
void zoid_ahead_ended(struct zoid_ahead *ahead);

#endif
