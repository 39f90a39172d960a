/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/progress.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/log.h"

struct zoid_progress {
    const struct zoid_job_part *part;
    int parts;
    struct zoid_progress_goal goal;
    struct zoid_progress_way *way; /* NULL: no way is set */
    struct zoid_recent pace;
    double before; /* points on the clocks when this began */
    struct timespec start, next;
    long period; /* seconds between lines */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool stop;
};

/* ---- the recent rate --------------------------------------------------------------------- */

struct zoid_recent zoid_recent_begin(double window)
{
    return (struct zoid_recent){.window = window, .n = 1};
}

/* Drop samples before the window, and skip the new one if it adds little to the last: there is
 * always space for one more. */
static void note(struct zoid_recent *p, int since, double seconds, double points)
{
    const double step = p->window / (ZOID_RECENT_SAMPLES / 2);

    p->n -= since;
    memmove(p->at, p->at + since, (size_t)p->n * sizeof *p->at);
    if (points - p->at[p->n - 1].points < step)
        return;
    p->at[p->n].seconds = seconds;
    p->at[p->n].points = points;
    p->n++;
}

double zoid_recent_rate(struct zoid_recent *p, double seconds, double points)
{
    int since = p->n - 1;
    double rate;

    while (since > 0 && p->at[since].points > points - p->window)
        since--;
    rate = seconds > p->at[since].seconds
               ? (points - p->at[since].points) / (seconds - p->at[since].seconds)
               : 0;
    note(p, since, seconds, points);
    return rate;
}

/* ---- lines ------------------------------------------------------------------------------- */

static double seconds_since(const struct timespec *start)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

/* State of a run, or of the way that it is part of. */
struct line {
    double share, left; /* points left */
    long step;
};

static struct line line_of(const struct zoid_progress *p, double done)
{
    const struct zoid_progress_goal *g = &p->goal;
    const struct zoid_progress_way *way = p->way;
    const double share = g->points > 0 ? fmin(done / g->points, 1) : 1;
    const double steps = (double)(g->to - g->from), at = (double)g->from + share * steps;
    struct line l = {.share = share, .left = (1 - share) * g->points, .step = (long)at};

    if (way) {
        l.share = fmin((at - (double)way->from) / (double)(way->to - way->from), 1);
        l.left = steps > 0 ? g->points / steps * ((double)way->to - at) : 0;
    }
    return l;
}

static void print_line(struct zoid_progress *p, bool whole)
{
    const double done = zoid_parts_points(p->part, p->parts) - p->before;
    const struct line l = line_of(p, whole ? p->goal.points : done);
    const double rate = zoid_recent_rate(&p->pace, seconds_since(&p->start), done);
    const long step = p->way ? p->way->kept : 0;
    char where[64], kept[64] = "";

    if (p->way)
        snprintf(where, sizeof where, "step %ld/%ld", l.step, p->way->to);
    else
        snprintf(where, sizeof where, "pass %.0f/%.0f", floor(l.share * p->goal.passes),
                 p->goal.passes);
    if (p->way && step > 0)
        snprintf(kept, sizeof kept, "  checkpoint of step %ld", step);
    zoid_log("%5.1f %%  %s  %.3f GUP/s  %.0f s left%s", 100 * l.share, where, rate * 1e-9,
             rate > 0 && l.left > 0 ? l.left / rate : 0, kept);
}

static void *watch(void *arg)
{
    struct zoid_progress *p = arg;

    pthread_mutex_lock(&p->mutex);
    while (!p->stop) {
        while (!p->stop && pthread_cond_timedwait(&p->wake, &p->mutex, &p->next) != ETIMEDOUT)
            ;
        if (p->stop)
            continue;
        print_line(p, false);
        p->next.tv_sec += p->period;
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

struct zoid_progress *zoid_progress_start(const struct zoid_job_part *part, int parts,
                                          const struct zoid_progress_goal *goal,
                                          struct zoid_progress_way *way)
{
    struct zoid_progress *p = calloc(1, sizeof *p);
    pthread_condattr_t monotonic;

    if (!p)
        return NULL;
    *p = (struct zoid_progress){.part = part,
                                .parts = parts,
                                .goal = *goal,
                                .way = way && way->to > way->from ? way : NULL,
                                .pace = zoid_recent_begin(goal->points / goal->passes),
                                .before = zoid_parts_points(part, parts),
                                .period = isatty(STDERR_FILENO) ? 1 : 60};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->next = p->start;
    p->next.tv_sec += p->period;
    if (p->way && p->way->due.tv_sec)
        p->next = p->way->due;
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

void zoid_progress_stop(struct zoid_progress **progress, bool whole)
{
    struct zoid_progress *p = *progress;

    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    p->stop = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    pthread_join(p->thread, NULL);
    if (p->way)
        p->way->due = p->next;
    if (!p->way || p->goal.to >= p->way->to)
        print_line(p, whole);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->mutex);
    free(p);
    *progress = NULL;
}
