/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/ranking.h"

#include <math.h>
#include <string.h>

#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"

static bool alike(const struct zoid_plan *a, const struct zoid_plan *b)
{
    return a->graph.method == b->graph.method && a->place.kind == b->place.kind &&
           a->home == b->home;
}

static bool knows_other(const struct zoid_ranking *r)
{
    return r->any_other && !alike(&r->other, &r->best);
}

static void keep_other(struct zoid_ranking *r, const struct zoid_plan *p)
{
    if (knows_other(r) && p->cost.seconds >= r->other.cost.seconds)
        return;
    r->other = *p;
    r->any_other = true;
}

static void compare(struct zoid_ranking *r, const struct zoid_compared *one)
{
    int i = 0;

    while (i < r->compared && (r->by[i].place != one->place || r->by[i].epoch != one->epoch ||
                               r->by[i].exchange != one->exchange))
        i++;
    if (i == r->compared && i < ZOID_COMPARED_MOST)
        r->by[r->compared++] = *one;
    else if (i < r->compared && one->seconds < r->by[i].seconds)
        r->by[i] = *one;
}

static struct zoid_compared compared_of(const struct zoid_plan *p)
{
    return (struct zoid_compared){.place = p->place.kind,
                                  .epoch = p->graph.epoch,
                                  .exchange = zoid_ranks_exchange(&p->graph),
                                  .seconds = p->cost.seconds};
}

/* Take `seconds` if they are less than *least, or that is 0. */
static bool take_less(double seconds, double *least)
{
    if (*least > 0 && seconds >= *least)
        return false;
    *least = seconds;
    return true;
}

static void take_second(const struct zoid_ranking *r, struct zoid_plan *best)
{
    const struct zoid_compared mine = compared_of(best);
    struct zoid_seconds *second = &best->second;

    for (int i = 0; i < r->compared; i++) {
        const struct zoid_compared *c = &r->by[i];

        if (c->place != mine.place)
            continue;
        if (c->epoch != mine.epoch && take_less(c->seconds, &second->seconds.epoch))
            second->epoch = c->epoch;
        if (c->exchange != mine.exchange && take_less(c->seconds, &second->seconds.exchange))
            second->exchange = c->exchange;
    }
}

void zoid_ranking_add(struct zoid_ranking *r, const struct zoid_plan *p)
{
    const struct zoid_compared one = compared_of(p);

    if (zoid_ranks_processes(&p->graph) > 1 && p->cost.seconds < INFINITY)
        compare(r, &one);
    if (!r->any) {
        r->best = *p;
        r->any = true;
    } else if (p->cost.seconds < r->best.cost.seconds) {
        if (!alike(p, &r->best))
            keep_other(r, &r->best);
        r->best = *p;
    } else if (!alike(p, &r->best)) {
        keep_other(r, p);
    }
}

void zoid_ranking_join(struct zoid_ranking *r, const struct zoid_ranking *with)
{
    if (with->any)
        zoid_ranking_add(r, &with->best);
    if (with->any && with->any_other)
        zoid_ranking_add(r, &with->other);
    for (int k = 0; k < ZOID_PLACES; k++)
        zoid_ranking_keep_compared(r, with, (enum zoid_place_kind)k);
}

void zoid_ranking_keep_compared(struct zoid_ranking *r, const struct zoid_ranking *with,
                                enum zoid_place_kind place)
{
    for (int i = 0; i < with->compared; i++)
        if (with->by[i].place == place)
            compare(r, &with->by[i]);
}

double zoid_ranking_bar(const struct zoid_ranking *r, const struct zoid_plan *p)
{
    if (r->any && alike(&r->best, p))
        return r->best.cost.seconds;
    return r->any && knows_other(r) ? r->other.cost.seconds : INFINITY;
}

void zoid_ranking_explain(const struct zoid_ranking *r, struct zoid_plan *best)
{
    char *reason = best->reason;
    const size_t at = strlen(reason), room = sizeof best->reason - at;
    const struct zoid_plan *o = &r->other;

    take_second(r, best);
    if (!knows_other(r))
        snprintf(reason + at, room, "; nothing else fits");
    else
        snprintf(reason + at, room, "; %.3g s, next %s%s%s, %ld planes, %ld steps: %.3g s",
                 best->cost.seconds, o->graph.method->name,
                 o->place.kind == best->place.kind ? "" : zoid_place_of(o)->on,
                 o->home == best->home ? "" : zoid_tiers[o->home]->in, o->graph.block,
                 o->graph.depth, o->cost.seconds);
}
