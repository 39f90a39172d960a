/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/idle_time.h"

#include <math.h>
#include <string.h>

void zoid_idle_time_init(struct zoid_idle_time *w, int workers, double now)
{
    *w = (struct zoid_idle_time){
        .mutex = PTHREAD_MUTEX_INITIALIZER, .now = {.time = now}, .idle_workers = workers};
}

static struct zoid_moment moment(struct zoid_idle_time *w, double now)
{
    if (now > w->now.time) {
        w->now.idle += (now - w->now.time) * w->idle_workers;
        w->now.time = now;
    }
    return w->now;
}

static struct zoid_moment later(struct zoid_moment a, struct zoid_moment b)
{
    return a.time > b.time ? a : b;
}

/* ---- spans in which blocks were held ------------------------------------------------------ */

static void settle_first(struct zoid_idle_time *w)
{
    w->settled += w->wait[0].to - w->wait[0].from;
    w->until = w->wait[0].to;
    memmove(w->wait, w->wait + 1, (size_t)--w->open * sizeof *w->wait);
}

/* Add a span, merged with those that it touches. */
static void add(struct zoid_idle_time *w, struct zoid_wait new)
{
    int first, end;

    if (w->open == ZOID_IDLE_SPANS_OPEN)
        settle_first(w);
    new.from = fmax(new.from, w->until);
    if (!(new.from < new.to))
        return;
    for (end = w->open; end > 0 && w->wait[end - 1].from > new.to;)
        end--;
    for (first = end; first > 0 && w->wait[first - 1].to >= new.from; first--) {
        new.from = fmin(new.from, w->wait[first - 1].from);
        new.to = fmax(new.to, w->wait[first - 1].to);
    }
    memmove(w->wait + first + 1, w->wait + end, (size_t)(w->open - end) * sizeof *w->wait);
    w->wait[first] = new;
    w->open += first + 1 - end;
}

double zoid_idle_time_sum(const struct zoid_idle_time *w)
{
    double sum = w->settled;

    for (int i = 0; i < w->open; i++)
        sum += w->wait[i].to - w->wait[i].from;
    return sum;
}

/* ---- blocks and messages ------------------------------------------------------------------ */

void zoid_idle_time_submitted(struct zoid_idle_time *w, double now, struct zoid_submission *turn)
{
    pthread_mutex_lock(&w->mutex);
    turn->submitted = moment(w, now);
    pthread_mutex_unlock(&w->mutex);
}

void zoid_idle_time_begins(struct zoid_idle_time *w, double now, struct zoid_submission *turn)
{
    pthread_mutex_lock(&w->mutex);
    turn->begun = moment(w, now);
    if (!w->blocks[turn->worker]++)
        w->idle_workers--;
    pthread_mutex_unlock(&w->mutex);
}

/* Blocks that depend on this one have not begun, and so have left no marks. */
static void held(const struct zoid_submission *turn, const struct zoid_use *use, size_t n,
                 struct zoid_moment *from, struct zoid_moment *to)
{
    *from = turn->submitted;
    *to = (struct zoid_moment){.time = 0};
    for (size_t i = 0; i < n; i++) {
        *from = later(*from, use[i].marks->written);
        if (use[i].writes)
            *from = later(*from, use[i].marks->read);
        *to = later(*to, use[i].marks->came);
    }
    if (to->time > turn->begun.time)
        *to = turn->begun;
}

struct zoid_wait zoid_idle_time_ends(struct zoid_idle_time *w, double now,
                                     const struct zoid_submission *turn, const struct zoid_use *use,
                                     size_t n)
{
    struct zoid_moment from, to, end;

    pthread_mutex_lock(&w->mutex);
    end = moment(w, now);
    held(turn, use, n, &from, &to);
    add(w, (struct zoid_wait){from.idle, to.idle});
    for (size_t i = 0; i < n; i++)
        *(use[i].writes ? &use[i].marks->written : &use[i].marks->read) = end;
    if (!--w->blocks[turn->worker])
        w->idle_workers++;
    pthread_mutex_unlock(&w->mutex);
    return (struct zoid_wait){from.time, to.time};
}

void zoid_idle_time_came(struct zoid_idle_time *w, double now, struct zoid_marks *marks)
{
    pthread_mutex_lock(&w->mutex);
    marks->came = moment(w, now);
    pthread_mutex_unlock(&w->mutex);
}
