/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports tasks and messages to zoid_idle_time, if there are several ranks. */
#ifndef ZOID_RUNTIME_SUBMIT_WATCH_H
#define ZOID_RUNTIME_SUBMIT_WATCH_H

#include <pthread.h>

#include "runtime/ranks/message_requests.h"
#include "runtime/submit/idle_time.h"
#include "runtime/submit/task.h"

struct zoid_watched;

/* All parts of a process have one. */
struct zoid_watch {
    struct zoid_idle_time waits;
    pthread_mutex_t mutex;     /* of the list */
    struct zoid_watched *last; /* list of the data that blocks and messages have named */
};

/* Start now, with `workers` workers. The calls for tasks and messages are thread-safe. */
void zoid_watch_begins(struct zoid_watch *watch, int workers);
/* Call for a task that is about to be submitted, with all its data set. ZOID_RESOURCE: out of
 * memory. */
enum zoid_status zoid_watch_task(struct zoid_watch *watch, struct zoid_task *task);
/* Call when its worker begins the task. No-op if the task is not watched. */
void zoid_watch_task_begins(struct zoid_task *task);
/* Call when it has ended, before StarPU releases the tasks that depend on it. No-op if not
 * watched. */
void zoid_watch_task_ends(struct zoid_task *task);
/* Call for a request that is about to be received; sets its `done` callback. ZOID_RESOURCE: out of
 * memory. */
enum zoid_status zoid_watch_message(struct zoid_watch *watch, struct zoid_message_request *request);
/* Call after all tasks and messages have ended: frees all marks, and returns the worker-seconds
 * waited. */
double zoid_watch_ends(struct zoid_watch *watch);

#endif
