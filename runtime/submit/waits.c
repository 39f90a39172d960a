/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/waits.h"

#include <math.h>
#include <string.h>

void zoid_waits_init(struct zoid_waits *w, int workers, double now)
{
    *w = (struct zoid_waits){
        .mutex = PTHREAD_MUTEX_INITIALIZER, .now = now, .idle_workers = workers};
}

/* The moment of that time. */
static double moment(struct zoid_waits *w, double now)
{
    if (now > w->now) {
        w->idle += (now - w->now) * w->idle_workers;
        w->now = now;
    }
    return w->idle;
}

/* ---- spans in which blocks were held ------------------------------------------------------ */

static void settle_first(struct zoid_waits *w)
{
    w->settled += w->wait[0].to - w->wait[0].from;
    w->until = w->wait[0].to;
    memmove(w->wait, w->wait + 1, (size_t)--w->open * sizeof *w->wait);
}

/* Those that it touches become one with it. */
static void add(struct zoid_waits *w, struct zoid_wait new)
{
    int first, end;

    if (w->open == ZOID_WAITS_OPEN)
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

double zoid_waits_sum(const struct zoid_waits *w)
{
    double sum = w->settled;

    for (int i = 0; i < w->open; i++)
        sum += w->wait[i].to - w->wait[i].from;
    return sum;
}

/* ---- blocks and messages ------------------------------------------------------------------ */

void zoid_waits_submitted(struct zoid_waits *w, double now, struct zoid_turn *turn)
{
    pthread_mutex_lock(&w->mutex);
    turn->submitted = moment(w, now);
    pthread_mutex_unlock(&w->mutex);
}

void zoid_waits_begins(struct zoid_waits *w, double now, struct zoid_turn *turn)
{
    pthread_mutex_lock(&w->mutex);
    turn->begun = moment(w, now);
    if (!w->blocks[turn->worker]++)
        w->idle_workers--;
    pthread_mutex_unlock(&w->mutex);
}

/* Blocks that follow this one have not begun, and so have left no marks. */
static struct zoid_wait held(const struct zoid_turn *turn, const struct zoid_use *use, size_t n)
{
    struct zoid_wait wait = {.from = turn->submitted};

    for (size_t i = 0; i < n; i++) {
        wait.from = fmax(wait.from, use[i].marks->written);
        if (use[i].writes)
            wait.from = fmax(wait.from, use[i].marks->read);
        wait.to = fmax(wait.to, use[i].marks->came);
    }
    wait.to = fmin(wait.to, turn->begun);
    return wait;
}

void zoid_waits_ends(struct zoid_waits *w, double now, const struct zoid_turn *turn,
                     const struct zoid_use *use, size_t n)
{
    pthread_mutex_lock(&w->mutex);
    now = moment(w, now);
    add(w, held(turn, use, n));
    for (size_t i = 0; i < n; i++)
        *(use[i].writes ? &use[i].marks->written : &use[i].marks->read) = now;
    if (!--w->blocks[turn->worker])
        w->idle_workers++;
    pthread_mutex_unlock(&w->mutex);
}

void zoid_waits_came(struct zoid_waits *w, double now, struct zoid_marks *marks)
{
    pthread_mutex_lock(&w->mutex);
    marks->came = moment(w, now);
    pthread_mutex_unlock(&w->mutex);
}
