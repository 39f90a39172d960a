/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct zoid_progress {
    const struct zoid_clock *clock;
    double total;
    struct timespec start;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool stop;
};

static void print_line(const struct zoid_progress *p)
{
    double done = zoid_clock_points(p->clock), seconds;
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds =
        (double)(now.tv_sec - p->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - p->start.tv_nsec);
    fprintf(stderr, "%5.1f %%  %.3f GUP/s  %.0f s left\n",
            p->total > 0 ? 100 * done / p->total : 100, done / seconds * 1e-9,
            done > 0 ? seconds * (p->total - done) / done : 0);
}

static void *watch(void *arg)
{
    struct zoid_progress *p = arg;
    struct timespec next = p->start;

    pthread_mutex_lock(&p->mutex);
    while (!p->stop) {
        next.tv_sec++;
        while (!p->stop && pthread_cond_timedwait(&p->wake, &p->mutex, &next) != ETIMEDOUT)
            ;
        if (!p->stop)
            print_line(p);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

struct zoid_progress *zoid_progress_start(const struct zoid_clock *clock, double total)
{
    struct zoid_progress *p = calloc(1, sizeof *p);
    pthread_condattr_t monotonic;

    if (!p)
        return NULL;
    *p = (struct zoid_progress){.clock = clock, .total = total};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&p->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&p->thread, NULL, watch, p)) {
        free(p);
        return NULL;
    }
    return p;
}

void zoid_progress_stop(struct zoid_progress **progress)
{
    struct zoid_progress *p = *progress;

    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    p->stop = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    pthread_join(p->thread, NULL);
    print_line(p);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->mutex);
    free(p);
    *progress = NULL;
}
