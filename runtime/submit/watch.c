/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/watch.h"

#include <stdlib.h>

struct zoid_watched {
    struct zoid_watch *watch;
    starpu_data_handle_t handle; /* its user data is this */
    struct zoid_marks marks;
    struct zoid_watched *before;
};

static double now(void)
{
    return starpu_timing_now() * 1e-6;
}

void zoid_watch_begins(struct zoid_watch *watch, int workers)
{
    watch->last = NULL;
    pthread_mutex_init(&watch->mutex, NULL);
    zoid_idle_time_init(&watch->waits, workers, now());
}

/* The marks of a datum, allocated at its first use; NULL: out of memory. */
static struct zoid_watched *watched(struct zoid_watch *watch, starpu_data_handle_t handle)
{
    struct zoid_watched *w;

    pthread_mutex_lock(&watch->mutex);
    w = starpu_data_get_user_data(handle);
    if (!w && (w = malloc(sizeof *w))) {
        *w = (struct zoid_watched){.watch = watch, .handle = handle, .before = watch->last};
        starpu_data_set_user_data(handle, w);
        watch->last = w;
    }
    pthread_mutex_unlock(&watch->mutex);
    return w;
}

static enum zoid_status no_memory(void)
{
    return zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
}

void zoid_watch_task_ends(struct zoid_task *t)
{
    struct zoid_use use[t->nbuffers + 1];
    struct zoid_wait held;
    double end;

    if (!t->watch)
        return;
    for (unsigned i = 0; i < t->nbuffers; i++) {
        struct zoid_watched *w = starpu_data_get_user_data(STARPU_TASK_GET_HANDLE(t->task, i));

        use[i] = (struct zoid_use){.marks = &w->marks,
                                   .writes = STARPU_TASK_GET_MODE(t->task, i) & STARPU_W};
    }
    end = now();
    held = zoid_idle_time_ends(&t->watch->waits, end, &t->turn, use, t->nbuffers);
    if (held.to > held.from)
        zoid_trace_held(t->work->trace, end - held.from, end - held.to);
}

enum zoid_status zoid_watch_task(struct zoid_watch *watch, struct zoid_task *t)
{
    for (unsigned i = 0; i < t->nbuffers; i++)
        if (!watched(watch, STARPU_TASK_GET_HANDLE(t->task, i)))
            return no_memory();
    t->watch = watch;
    zoid_idle_time_submitted(&watch->waits, now(), &t->turn);
    return ZOID_OK;
}

void zoid_watch_task_begins(struct zoid_task *t)
{
    if (!t->watch)
        return;
    t->turn.worker = starpu_worker_get_id();
    zoid_idle_time_begins(&t->watch->waits, now(), &t->turn);
}

static void has_come(void *arg)
{
    struct zoid_watched *w = arg;

    zoid_idle_time_came(&w->watch->waits, now(), &w->marks);
}

enum zoid_status zoid_watch_message(struct zoid_watch *watch, struct zoid_message_request *request)
{
    request->done = has_come;
    request->arg = watched(watch, request->handle);
    return request->arg ? ZOID_OK : no_memory();
}

double zoid_watch_ends(struct zoid_watch *watch)
{
    for (struct zoid_watched *w = watch->last, *before; w; w = before) {
        before = w->before;
        starpu_data_set_user_data(w->handle, NULL);
        free(w);
    }
    watch->last = NULL;
    pthread_mutex_destroy(&watch->mutex);
    return zoid_idle_time_sum(&watch->waits);
}
