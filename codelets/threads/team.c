/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/threads/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Turns of waiting, some 50 ns each, before a thread leaves its core to others. */
enum { PATIENCE = 2000 };
/* Seconds that a member waits for the next call before it sleeps: blocks follow one another. */
static const double AWAKE = 100e-6;

struct member {
    struct zoid_team *team;
    int number;
    pthread_t thread;
    double core; /* seconds of the last call */
};

struct zoid_team {
    int members;
    void (*bind)(void *, int);
    void *bind_arg;
    void (*body)(void *, int);
    void *arg;
    _Atomic unsigned calls; /* so far; the last one ends the threads */
    _Atomic int busy;       /* members that have not returned */
    bool ends;
    double core;            /* of finished calls */
    _Atomic int64_t waited; /* ns */
    pthread_mutex_t mutex;  /* of sleeping members */
    pthread_cond_t called;
    struct member member[];
};

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_core(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

void zoid_team_wait(struct zoid_team_wait *w)
{
    if (w->turns++ == 0)
        w->since = seconds(CLOCK_MONOTONIC);
    if (w->turns > PATIENCE)
        sched_yield();
    else
        pause_core();
}

void zoid_team_waited(struct zoid_team_wait *w)
{
    if (w->turns)
        w->waited += seconds(CLOCK_MONOTONIC) - w->since;
    w->turns = 0;
}

long zoid_team_await(const struct zoid_front *front, long at, struct zoid_team_wait *w)
{
    long now;

    while ((now = atomic_load_explicit(&front->at, memory_order_acquire)) < at)
        zoid_team_wait(w);
    zoid_team_waited(w);
    return now;
}

void zoid_team_publish(struct zoid_front *front, long at)
{
    atomic_store_explicit(&front->at, at, memory_order_release);
}

/* Waits for a call beyond the first `known`. */
static void await_call(struct zoid_team *t, unsigned known)
{
    const double begin = seconds(CLOCK_MONOTONIC);

    while (atomic_load_explicit(&t->calls, memory_order_acquire) == known &&
           seconds(CLOCK_MONOTONIC) < begin + AWAKE)
        pause_core();
    if (atomic_load_explicit(&t->calls, memory_order_acquire) != known)
        return;
    pthread_mutex_lock(&t->mutex);
    while (atomic_load_explicit(&t->calls, memory_order_acquire) == known)
        pthread_cond_wait(&t->called, &t->mutex);
    pthread_mutex_unlock(&t->mutex);
}

static void *work(void *arg)
{
    struct member *m = arg;
    struct zoid_team *t = m->team;

    if (t->bind)
        t->bind(t->bind_arg, m->number);
    atomic_fetch_sub_explicit(&t->busy, 1, memory_order_release);
    for (unsigned known = 0;; known++) {
        double begin;

        await_call(t, known);
        if (t->ends)
            return NULL;
        begin = seconds(CLOCK_THREAD_CPUTIME_ID);
        t->body(t->arg, m->number);
        m->core = seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
        atomic_fetch_sub_explicit(&t->busy, 1, memory_order_release);
    }
}

/* Waits until the other members have returned. */
static void await_all(struct zoid_team *t)
{
    struct zoid_team_wait wait = {0};

    while (atomic_load_explicit(&t->busy, memory_order_acquire))
        zoid_team_wait(&wait);
}

static void call(struct zoid_team *t)
{
    pthread_mutex_lock(&t->mutex);
    atomic_store_explicit(&t->busy, t->members - 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->calls, 1, memory_order_release);
    pthread_cond_broadcast(&t->called);
    pthread_mutex_unlock(&t->mutex);
}

struct zoid_team *zoid_team_create(int members, void (*bind)(void *, int), void *arg)
{
    struct zoid_team *t =
        members < 2 ? NULL : calloc(1, sizeof *t + (size_t)members * sizeof *t->member);

    if (!t)
        return NULL;
    t->bind = bind;
    t->bind_arg = arg;
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->called, NULL);
    atomic_init(&t->busy, members - 1);
    for (t->members = 1; t->members < members; t->members++) {
        struct member *m = &t->member[t->members];

        *m = (struct member){.team = t, .number = t->members};
        if (pthread_create(&m->thread, NULL, work, m))
            break;
    }
    atomic_fetch_sub(&t->busy, members - t->members);
    await_all(t);
    if (t->members < 2)
        zoid_team_destroy(&t);
    return t;
}

void zoid_team_destroy(struct zoid_team **team)
{
    struct zoid_team *t = *team;

    *team = NULL;
    if (!t)
        return;
    t->ends = true;
    call(t);
    for (int i = 1; i < t->members; i++)
        pthread_join(t->member[i].thread, NULL);
    pthread_cond_destroy(&t->called);
    pthread_mutex_destroy(&t->mutex);
    free(t);
}

int zoid_team_size(const struct zoid_team *t)
{
    return t ? t->members : 1;
}

void zoid_team_call(struct zoid_team *t, void (*body)(void *, int), void *arg)
{
    if (!t) {
        body(arg, 0);
        return;
    }
    t->body = body;
    t->arg = arg;
    call(t);
    body(arg, 0);
    await_all(t);
    for (int i = 1; i < t->members; i++)
        t->core += t->member[i].core;
}

void zoid_team_spent(struct zoid_team *t, const struct zoid_team_wait *wait)
{
    if (t)
        atomic_fetch_add_explicit(&t->waited, (int64_t)(wait->waited * 1e9), memory_order_relaxed);
}

struct zoid_team_time zoid_team_take(struct zoid_team *t)
{
    struct zoid_team_time time = {0};

    if (!t)
        return time;
    time = (struct zoid_team_time){
        .core = t->core,
        .waited = 1e-9 * (double)atomic_exchange_explicit(&t->waited, 0, memory_order_relaxed)};
    t->core = 0;
    return time;
}
