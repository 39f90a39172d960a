/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/ahead.h"

#include "runtime/submit/task.h"

void zoid_ahead_init(struct zoid_ahead *ahead, long running)
{
    *ahead = (struct zoid_ahead){.mutex = PTHREAD_MUTEX_INITIALIZER, .running = running};
}

static void ask(struct zoid_ahead *ahead, struct zoid_task *t)
{
    *(t->before ? &t->before->after : &ahead->first) = t->after;
    *(t->after ? &t->after->before : &ahead->last) = t->before;
    t->waits = false;
    zoid_task_fetch(t);
}

static void ask_for_next(struct zoid_ahead *ahead)
{
    while (ahead->first && ahead->first->number < ahead->ended + ahead->running)
        ask(ahead, ahead->first);
}

void zoid_ahead_add(struct zoid_ahead *ahead, struct zoid_task *task)
{
    pthread_mutex_lock(&ahead->mutex);
    task->waits = true;
    task->before = ahead->last;
    task->after = NULL;
    *(ahead->last ? &ahead->last->after : &ahead->first) = task;
    ahead->last = task;
    ask_for_next(ahead);
    pthread_mutex_unlock(&ahead->mutex);
}

void zoid_ahead_starts(struct zoid_ahead *ahead, struct zoid_task *task)
{
    pthread_mutex_lock(&ahead->mutex);
    if (task->waits)
        ask(ahead, task);
    pthread_mutex_unlock(&ahead->mutex);
}

void zoid_ahead_ended(struct zoid_ahead *ahead)
{
    pthread_mutex_lock(&ahead->mutex);
    ahead->ended++;
    ask_for_next(ahead);
    pthread_mutex_unlock(&ahead->mutex);
}
