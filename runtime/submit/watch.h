/* SPDX-License-Identifier: BSD-3-Clause */
/* What zoid_waits hears of tasks and messages, where there are several ranks. */
#ifndef ZOID_RUNTIME_SUBMIT_WATCH_H
#define ZOID_RUNTIME_SUBMIT_WATCH_H

#include "runtime/ranks/parcels.h"
#include "runtime/submit/task.h"
#include "runtime/submit/waits.h"

struct zoid_watched;

struct zoid_watch {
    struct zoid_waits waits;
    struct zoid_watched *last; /* of the data that blocks and messages have named */
};

/* From now on, for so many workers. */
void zoid_watch_begins(struct zoid_watch *watch, int workers);
/* A task that is about to be submitted, with all its data. */
enum zoid_status zoid_watch_task(struct zoid_watch *watch, struct zoid_task *task);
/* Its worker begins it; nothing where nobody watches. */
void zoid_watch_task_begins(struct zoid_task *task);
/* It has ended, and StarPU has not told those that wait for it; the same. */
void zoid_watch_task_ends(struct zoid_task *task);
/* A parcel that is about to be received; its `done` is taken. */
enum zoid_status zoid_watch_parcel(struct zoid_watch *watch, struct zoid_parcel *parcel);
/* After all tasks and messages have ended: forgets them. Worker-seconds that were waited. */
double zoid_watch_ends(struct zoid_watch *watch);

#endif
