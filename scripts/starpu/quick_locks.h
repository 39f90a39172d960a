/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks for StarPU in simulations, which scripts/starpu/build puts into its src/common/thread.c in
 * place of SimGrid's. Actors give way in calls of SimGrid alone, so a mutex that is free and a
 * condition that nobody waits for need no such call. An actor that has to wait has a semaphore of
 * its own, and is woken in its turn. */
#include <simgrid/semaphore.h>
#include <stdlib.h>

struct quick_waiter {
    sg_sem_t wakes;
    int queued;
    struct quick_waiter *next;
};

struct quick_queue {
    struct quick_waiter *first, *last;
};

struct quick_mutex {
    int taken;
    struct quick_queue queue;
};

static struct quick_waiter *quick_idle;

static struct quick_waiter *quick_enter(struct quick_queue *q)
{
    struct quick_waiter *w = quick_idle;

    if (w) {
        quick_idle = w->next;
    } else {
        _STARPU_MALLOC(w, sizeof *w);
        w->wakes = sg_sem_init(0);
    }
    w->queued = 1;
    w->next = NULL;
    *(q->first ? &q->last->next : &q->first) = w;
    q->last = w;
    return w;
}

static void quick_leave(struct quick_waiter *w)
{
    w->next = quick_idle;
    quick_idle = w;
}

static void quick_wake(struct quick_queue *q)
{
    struct quick_waiter *w = q->first;

    q->first = w->next;
    w->queued = 0;
    sg_sem_release(w->wakes);
}

/* One that waits no longer. */
static void quick_remove(struct quick_queue *q, struct quick_waiter *w)
{
    struct quick_waiter *before = NULL, *at = q->first;

    for (; at != w; at = at->next)
        before = at;
    *(before ? &before->next : &q->first) = w->next;
    if (q->last == w)
        q->last = before;
}

static sg_mutex_t quick_mutex_init(void)
{
    struct quick_mutex *m;

    _STARPU_CALLOC(m, 1, sizeof *m);
    return (sg_mutex_t)m;
}

static int quick_mutex_try_lock(sg_mutex_t mutex)
{
    struct quick_mutex *m = (struct quick_mutex *)mutex;
    const int was_free = !m->taken;

    m->taken = 1;
    return was_free;
}

/* The actor that is woken has the mutex. */
static void quick_mutex_lock(sg_mutex_t mutex)
{
    struct quick_waiter *w;

    if (quick_mutex_try_lock(mutex))
        return;
    w = quick_enter(&((struct quick_mutex *)mutex)->queue);
    sg_sem_acquire(w->wakes);
    quick_leave(w);
}

static void quick_mutex_unlock(sg_mutex_t mutex)
{
    struct quick_mutex *m = (struct quick_mutex *)mutex;

    if (m->queue.first)
        quick_wake(&m->queue);
    else
        m->taken = 0;
}

static sg_cond_t quick_cond_init(void)
{
    struct quick_queue *q;

    _STARPU_CALLOC(q, 1, sizeof *q);
    return (sg_cond_t)q;
}

static void quick_cond_notify_one(sg_cond_t cond)
{
    struct quick_queue *q = (struct quick_queue *)cond;

    if (q->first)
        quick_wake(q);
}

static void quick_cond_notify_all(sg_cond_t cond)
{
    struct quick_queue *q = (struct quick_queue *)cond;
    int n = 0;

    for (struct quick_waiter *w = q->first; w; w = w->next)
        n++;
    while (n-- && q->first)
        quick_wake(q);
}

/* Returns whether the time ran out; below 0 it does not. */
static int quick_cond_wait_for(sg_cond_t cond, sg_mutex_t mutex, double seconds)
{
    struct quick_queue *q = (struct quick_queue *)cond;
    struct quick_waiter *w = quick_enter(q);
    int late;

    quick_mutex_unlock(mutex);
    late = sg_sem_acquire_timeout(w->wakes, seconds);
    if (late && w->queued) {
        quick_remove(q, w);
    } else if (late) {
        sg_sem_acquire(w->wakes);
        late = 0;
    }
    quick_leave(w);
    quick_mutex_lock(mutex);
    return late;
}

static void quick_cond_wait(sg_cond_t cond, sg_mutex_t mutex)
{
    quick_cond_wait_for(cond, mutex, -1);
}

#define sg_mutex_init quick_mutex_init
#define sg_mutex_try_lock quick_mutex_try_lock
#define sg_mutex_lock quick_mutex_lock
#define sg_mutex_unlock quick_mutex_unlock
#define sg_mutex_destroy(mutex) free((void *)(mutex))
#define sg_cond_init quick_cond_init
#define sg_cond_notify_one quick_cond_notify_one
#define sg_cond_notify_all quick_cond_notify_all
#define sg_cond_wait quick_cond_wait
#define sg_cond_wait_for(cond, mutex, delay) \
    quick_cond_wait_for(cond, mutex, (delay) > 0 ? (delay) : 0)
#define sg_cond_destroy(cond) free((void *)(cond))
