/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/api/watch.h"

#include <errno.h>
#include <math.h>
#include <time.h>

static struct timespec from_now(double seconds)
{
    struct timespec t;
    double whole;
    const double rest = modf(seconds, &whole);

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)whole;
    t.tv_nsec += (long)(rest * 1e9);
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

/* Waits for the time between two calls. Returns false if the advance has ended. */
static bool wait_for_turn(struct zoid_watch *w)
{
    const struct timespec until = from_now(w->session->watch.seconds);
    bool ends;

    pthread_mutex_lock(&w->mutex);
    while (!w->ends && pthread_cond_timedwait(&w->wake, &w->mutex, &until) != ETIMEDOUT)
        ;
    ends = w->ends;
    pthread_mutex_unlock(&w->mutex);
    return !ends;
}

static void *watch(void *arg)
{
    struct zoid_watch *w = arg;
    struct zoid_session *s = w->session;

    while (wait_for_turn(w))
        if (s->watch.call(s->watch.user, s, zoid_session_progress(s)))
            zoid_session_stop(s);
    return NULL;
}

void zoid_watch_begin(struct zoid_watch *w, struct zoid_session *session)
{
    pthread_condattr_t clock;

    *w = (struct zoid_watch){.session = session};
    if (!session->watch.call)
        return;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&w->wake, &clock);
    pthread_condattr_destroy(&clock);
    w->runs = !pthread_create(&w->thread, NULL, watch, w);
}

void zoid_watch_end(struct zoid_watch *w)
{
    if (!w->session->watch.call)
        return;
    if (w->runs) {
        pthread_mutex_lock(&w->mutex);
        w->ends = true;
        pthread_cond_signal(&w->wake);
        pthread_mutex_unlock(&w->mutex);
        pthread_join(w->thread, NULL);
    }
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->mutex);
}
