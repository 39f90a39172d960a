/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/ranking.h"

#include <math.h>
#include <string.h>

#include "runtime/plan/place.h"
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

void zoid_ranking_add(struct zoid_ranking *r, const struct zoid_plan *p)
{
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

    if (!knows_other(r))
        snprintf(reason + at, room, "; nothing else fits");
    else
        snprintf(reason + at, room, "; %.3g s, next %s%s%s, %ld planes, %ld steps: %.3g s",
                 best->cost.seconds, o->graph.method->name,
                 o->place.kind == best->place.kind ? "" : zoid_place_of(o)->on,
                 o->home == best->home ? "" : zoid_tiers[o->home]->in, o->graph.block,
                 o->graph.depth, o->cost.seconds);
}
