/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "graphs/zoid.h"
#include "runtime/report/add.h"
#include "runtime/zoid_advanced.h"

/* Add the totals of a place in earlier legs; one that has had no part in this leg keeps the rest of
 * what it was. */
static void add_place(const struct zoid_place_report *before, struct zoid_place_report *place)
{
    const struct zoid_place_report leg = *place;

    if (!leg.method)
        *place = *before;
    place->planes = leg.planes;
    place->useful = leg.useful + before->useful;
    place->redundant = leg.redundant + before->redundant;
    place->seconds = leg.seconds + before->seconds;
    place->waiting = leg.waiting + before->waiting;
    place->predicted_seconds = leg.predicted_seconds + before->predicted_seconds;
}

static void add_step(struct zoid_border_report *border, long step, long planes)
{
    if (border->moves < ZOID_BORDERS_MOST) {
        border->way[border->moves].step = step;
        border->way[border->moves].planes = planes;
    }
    border->moves++;
}

/* The way of the border goes on from a step on, at which places may have changed. */
static void add_border(const struct zoid_border_report *before, long step,
                       struct zoid_border_report *border)
{
    const struct zoid_border_report leg = *border;

    *border = *before;
    border->seconds += leg.seconds;
    border->last = leg.last;
    if (leg.first != before->last)
        add_step(border, step, leg.first);
    for (long i = 0; i < leg.moves && i < ZOID_BORDERS_MOST; i++)
        add_step(border, leg.way[i].step, leg.way[i].planes);
    border->moves += zoid_max(leg.moves - ZOID_BORDERS_MOST, 0);
}

void zoid_report_add(const struct zoid_report *leg, struct zoid_report *all)
{
    const struct zoid_report before = *all;
    const double seconds = before.seconds + leg->seconds;

    *all = *leg;
    memcpy(all->app, before.app, sizeof all->app);
    all->seed = before.seed;
    all->check = before.check;
    all->each = NULL;
    all->steps += before.steps;
    all->seconds = seconds;
    all->useful += before.useful;
    all->redundant += before.redundant;
    all->tasks += before.tasks;
    all->epochs += before.epochs;
    all->h2d += before.h2d;
    all->d2h += before.d2h;
    all->p2p += before.p2p;
    all->disk_read += before.disk_read;
    all->disk_write += before.disk_write;
    all->planned.h2d += before.planned.h2d;
    all->planned.d2h += before.planned.d2h;
    all->planned.p2p += before.planned.p2p;
    all->planned.disk_read += before.planned.disk_read;
    all->planned.disk_write += before.planned.disk_write;
    all->mpi += before.mpi;
    all->messages += before.messages;
    all->waiting += before.waiting;
    all->link_seconds += before.link_seconds;
    all->network_seconds += before.network_seconds;
    all->predicted_seconds += before.predicted_seconds;
    all->core_seconds += before.core_seconds;
    for (int i = 0; i < all->places && i < before.places; i++)
        add_place(&before.place[i], &all->place[i]);
    if (all->places && before.places)
        add_border(&before.border, before.steps, &all->border);
    all->predicted_core_seconds += before.predicted_core_seconds;
    all->gups = seconds > 0 ? all->useful / seconds * 1e-9 : NAN;
    all->busy_workers =
        seconds > 0
            ? (before.busy_workers * before.seconds + leg->busy_workers * leg->seconds) / seconds
            : NAN;
}
