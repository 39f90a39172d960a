/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbolic store: how blocks access data, the planes that they leave, and when these may go. Reads
 * are checked in prove_read.c. */
#include <limits.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/message.h"
#include "graphs/sinks/prove_state.h"

static bool view_legal(const struct zoid_prove *p, const struct zoid_view *v, long first, long last)
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (v->patch.axis[a].lo > v->patch.axis[a].hi)
            return false;
    if (v->around < 0 || (v->by_turns && !p->graph.shape.alternates))
        return false;
    return v->t0 <= v->t1 && v->lo <= v->hi && v->t0 >= first && v->t1 <= last;
}

static int bad_view(struct zoid_prove *p, const struct zoid_access *a, const struct zoid_view *v,
                    const char *which)
{
    return zoid_prove_fail(p, "has no legal `%s` view of %s: planes [%ld, %ld) of times %ld to %ld",
                           which, zoid_prove_name(&a->datum).s, v->lo, v->hi, v->t0, v->t1);
}

/* The same planes before and after, in the same slots. */
static bool still(const struct zoid_view *in, const struct zoid_view *out)
{
    return in->t0 == out->t0 && in->t1 == out->t1 && in->lo == out->lo && in->hi == out->hi &&
           in->slot == out->slot && in->drift == out->drift && in->advance == out->advance &&
           in->around == out->around;
}

static int piece_legal(struct zoid_prove *p, const struct zoid_access *a,
                       struct zoid_prove_times times)
{
    const struct zoid_view *in = &a->in;
    bool whole = in->t0 == times.first && in->t1 == times.last_out && in->lo <= in->hi;

    if (zoid_kinds[a->datum.kind].constant && a->mode != ZOID_READ)
        return zoid_prove_fail(p, "writes %s, which is constant", zoid_prove_name(&a->datum).s);
    if (a->datum.kind == ZOID_MEMORY && (a->mode != ZOID_UPDATE || a->keeps))
        return zoid_prove_fail(p, "does not update %s", zoid_prove_name(&a->datum).s);
    if (a->datum.kind == ZOID_MEMORY && !still(in, &a->out))
        return bad_view(p, a, &a->out, "out");
    if (a->next == ZOID_NEXT_DEAD)
        return zoid_prove_fail(p, "lets %s die, which %s", zoid_prove_name(&a->datum).s,
                               a->datum.kind == ZOID_MEMORY ? "lasts" : "is constant");
    return whole && !in->drift && !in->advance && !in->by_turns && !in->around
               ? 0
               : bad_view(p, a, in, "in");
}

/* True if a datum may be accessed again in a turn: it is only read, and lists may repeat it. */
static bool may_again(const struct zoid_prove *p, const struct zoid_prove_datum *d,
                      const struct zoid_access *a)
{
    bool around = zoid_chain_periodic(&p->graph.shape) || a->datum.kind == ZOID_END ||
                  a->datum.kind == ZOID_MESSAGE;

    for (int axis = 0; axis < p->chain; axis++)
        around |= zoid_axis_cut(&p->graph, axis) && zoid_axis_periodic(&p->graph.shape, axis);
    return around && d->only_read && a->mode == ZOID_READ;
}

/* True if an access must fill: it only reads, and the block takes some points from elsewhere. */
static bool must_fill(const struct zoid_access *a, bool block)
{
    return block && a->mode == ZOID_READ && !zoid_patch_all(&a->in.patch) &&
           !zoid_prove_of_patch(a->datum.kind) && !zoid_kind_stands(a->datum.kind);
}

int zoid_prove_access(struct zoid_prove *p, const struct zoid_access *a,
                      struct zoid_prove_times times)
{
    struct zoid_prove_datum *d;

    if (zoid_number(&p->own, &a->datum) < 0)
        return zoid_prove_fail(p, "accesses %s, which the census does not have",
                               zoid_prove_name(&a->datum).s);
    if (zoid_prove_owner(p, &a->datum, a->mode & ZOID_WRITE))
        return -1;
    d = zoid_prove_accessed(p, a);
    if (d->turn == p->turn && !may_again(p, d, a))
        return zoid_prove_fail(p, "accesses %s twice", zoid_prove_name(&a->datum).s);
    d->turn = p->turn;
    d->only_read = a->mode == ZOID_READ;
    if (a->mode != ZOID_READ && a->mode != ZOID_WRITE && a->mode != ZOID_UPDATE)
        return zoid_prove_fail(p, "accesses %s in no known mode", zoid_prove_name(&a->datum).s);
    if ((unsigned)a->next > ZOID_NEXT_DEAD)
        return zoid_prove_fail(p, "sends %s nowhere known", zoid_prove_name(&a->datum).s);
    if (a->fills != must_fill(a, times.block))
        return zoid_prove_fail(p, "%s %s", a->fills ? "need not fill" : "does not fill",
                               zoid_prove_name(&a->datum).s);
    if (a->keeps && (!(a->mode & ZOID_WRITE) || a->out.t0 != a->out.t1))
        return zoid_prove_fail(p, "keeps %s beside no planes of one time",
                               zoid_prove_name(&a->datum).s);
    if (times.block && zoid_kind_stands(a->datum.kind))
        return piece_legal(p, a, times);
    if (a->mode & ZOID_READ && !view_legal(p, &a->in, times.first, times.last_in))
        return bad_view(p, a, &a->in, "in");
    if (a->mode & ZOID_WRITE && !view_legal(p, &a->out, times.first, times.last_out))
        return bad_view(p, a, &a->out, "out");
    return 0;
}

/* Slots [lo, hi) of the planes of a time. */
static struct zoid_range slots_of(const struct zoid_prove *p, const struct zoid_view *view, long t,
                                  const struct zoid_box *planes)
{
    const long lo = zoid_view_slot(view, t, planes->lo[p->chain]);

    return (struct zoid_range){lo, lo + planes->hi[p->chain] - planes->lo[p->chain]};
}

/* Slots that a view has taken, numbered as if without a ring: those of the rows before the latest
 * one end at `before`, all of them at `end`. */
struct taken {
    bool some;
    long row, first, before, end;
};

/* Check that every row of a view has its slots above those of the rows before, and that no slot is
 * taken again after a ring wraps. */
static int take_slots(struct zoid_prove *p, const struct zoid_access *a, long t,
                      const struct zoid_box *planes, struct taken *taken)
{
    const struct zoid_range slot = slots_of(p, &a->out, t, planes);
    const long room = p->census.kind[a->datum.kind].planes;
    const long most = a->out.around ? zoid_min(a->out.around, room) : room;
    struct zoid_view line = a->out;
    struct zoid_range in_line;

    line.around = 0;
    in_line = slots_of(p, &line, t, planes);
    if (slot.lo < 0 || slot.hi > most || (a->out.around && a->out.around > room))
        return zoid_prove_fail(
            p, "leaves plane %ld of time %ld in slot %ld of %s, which has %ld slots",
            planes->lo[p->chain] + (slot.lo < 0 ? 0 : slot.hi - 1 - slot.lo), t,
            slot.lo < 0 ? slot.lo : slot.hi - 1, zoid_prove_name(&a->datum).s, room);
    if (!taken->some)
        *taken =
            (struct taken){true, zoid_view_row(&a->out, t), in_line.lo, in_line.lo, in_line.lo};
    if (taken->row < zoid_view_row(&a->out, t)) {
        taken->row = zoid_view_row(&a->out, t);
        taken->before = taken->end;
    }
    if (in_line.lo < taken->before || (a->out.around && in_line.hi > taken->first + a->out.around))
        return zoid_prove_fail(
            p, "leaves plane %ld of time %ld in slot %ld of %s, which the times before have taken",
            planes->lo[p->chain], t, slot.lo, zoid_prove_name(&a->datum).s);
    taken->end = zoid_max(taken->end, in_line.hi);
    return 0;
}

/* Check that a written time lies elsewhere than a read one, if the launch that writes it is not
 * later than the last one that reads the other. */
static int apart(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region,
                 long read, long written)
{
    const struct zoid_box in = zoid_prove_planes(p, &a->in, region, read);
    const struct zoid_box out = zoid_prove_planes(p, &a->out, region, written);
    struct zoid_range from, to;

    if (zoid_box_empty(&in) || zoid_box_empty(&out))
        return 0;
    from = slots_of(p, &a->in, read, &in);
    to = slots_of(p, &a->out, written, &out);
    if (from.hi <= to.lo || to.hi <= from.lo)
        return 0;
    return zoid_prove_fail(
        p, "leaves plane %ld of time %ld in slot %ld of %s, and still reads time %ld there",
        out.lo[p->chain], written, to.lo, zoid_prove_name(&a->datum).s, read);
}

/* Check the update of a ring buffer: it is overwritten as times are computed, the graph's at_once
 * at a time. A time is read for the next one, and if views alternate fields, for the one after
 * that. */
static int prove_circle(struct zoid_prove *p, const struct zoid_access *a,
                        const struct zoid *region)
{
    const long launch = p->graph.at_once ? p->graph.at_once : a->out.t1 - a->out.t0 + 1;
    const long later = launch - 1 + (a->in.by_turns ? 2 : 1);

    if (a->mode != ZOID_UPDATE || (!a->in.around && !a->out.around))
        return 0;
    if (a->in.around != a->out.around || a->keeps)
        return zoid_prove_fail(p, "updates %s around no circle", zoid_prove_name(&a->datum).s);
    for (long read = a->in.t0; read <= a->in.t1; read++)
        for (long t = a->out.t0; t <= zoid_min(a->out.t1, read + later); t++)
            if (apart(p, a, region, read, t))
                return -1;
    return 0;
}

/* Fail about the lowest plane of a box, which existed and can no longer be read. */
static int lose_box(struct zoid_prove *p, const struct zoid_access *a, const struct zoid_box *box,
                    long t, const char *how)
{
    return zoid_prove_fail(p, "%s plane %ld of time %ld in %s, which nobody has read", how,
                           box->lo[p->chain], t, zoid_prove_name(&a->datum).s);
}

/* Fail if there are unread planes. */
static int lose(struct zoid_prove *p, const struct zoid_access *a, const char *how)
{
    const struct zoid_prove_datum *d = zoid_prove_accessed(p, a);

    for (size_t i = 0; d->state == ZOID_HELD && i < d->holdings; i++) {
        const struct zoid_prove_holding *holding = &d->holding[i];
        struct zoid_box box;
        long t = holding->view.t0;

        if (!holding->some || !holding->unread)
            continue;
        for (box = zoid_prove_planes(p, &holding->view, &holding->region, t); zoid_box_empty(&box);)
            box = zoid_prove_planes(p, &holding->view, &holding->region, ++t);
        return lose_box(p, a, &box, t, how);
    }
    return 0;
}

static int push(struct zoid_prove *p, struct zoid_prove_datum *d, struct zoid_prove_holding holding)
{
    if (d->holdings == d->room) {
        size_t room = 2 * d->room + 1;
        struct zoid_prove_holding *grown = realloc(d->holding, room * sizeof *grown);

        if (!grown)
            return zoid_prove_no_memory(p);
        d->holding = grown;
        d->room = room;
    }
    d->holding[d->holdings++] = holding;
    return 0;
}

int zoid_prove_received(struct zoid_prove *p, const struct zoid_datum *d,
                        const struct zoid_view *view)
{
    struct zoid_prove_datum *there = zoid_prove_find(p, d);

    there->state = ZOID_HELD;
    there->open = false;
    return push(p, there,
                (struct zoid_prove_holding){
                    .some = true, .unread = true, .view = *view, .region = p->everywhere});
}

/* Planes of a holding that lie in slots [lo, hi). */
static struct zoid_prove_holding part_of(const struct zoid_prove *p,
                                         const struct zoid_prove_holding *holding, long lo, long hi)
{
    struct zoid_prove_holding part = *holding;
    struct zoid_view *view = &part.view;
    long end = view->slot + view->hi - view->lo;
    struct zoid_box box;

    hi = hi < end ? hi : end;
    lo = lo > view->slot ? lo : view->slot;
    view->lo += lo - view->slot;
    view->hi += hi - end;
    view->slot = lo;
    box = zoid_prove_planes(p, view, &part.region, view->t0);
    part.some = !zoid_box_empty(&box);
    return part;
}

/* Remove slots [lo, hi) of a datum from its holdings, which are of one time each. */
static int make_room(struct zoid_prove *p, const struct zoid_access *a, long lo, long hi)
{
    struct zoid_prove_datum *d = zoid_prove_accessed(p, a);
    size_t holdings = d->holdings;

    for (size_t i = 0; i < holdings; i++) {
        struct zoid_prove_holding holding = d->holding[i], cut = part_of(p, &holding, lo, hi);
        struct zoid_prove_holding above = part_of(p, &holding, hi, LONG_MAX);

        if (holding.view.t0 < holding.view.t1)
            return zoid_prove_fail(p, "keeps what %s holds of several times",
                                   zoid_prove_name(&a->datum).s);
        if (cut.some && cut.unread) {
            struct zoid_box box = zoid_prove_planes(p, &cut.view, &cut.region, cut.view.t0);

            return lose_box(p, a, &box, cut.view.t0, "overwrites");
        }
        d->holding[i] = part_of(p, &holding, LONG_MIN, lo);
        if (above.some && push(p, d, above))
            return -1;
    }
    holdings = d->holdings;
    d->holdings = 0;
    for (size_t i = 0; i < holdings; i++)
        if (d->holding[i].some)
            d->holding[d->holdings++] = d->holding[i];
    return 0;
}

/* Check that a patch fits: a halo has room for the rim of the largest patch, an end or a message
 * for the largest patch. */
static int prove_room(struct zoid_prove *p, const struct zoid_access *a)
{
    const bool halo = a->datum.kind == ZOID_HALO;
    const struct zoid_patch most = a->datum.kind == ZOID_MESSAGE
                                       ? zoid_message_patch(&p->graph, &a->datum)
                                       : zoid_cell_rim_most(&p->graph).of;

    for (int axis = 0; axis < p->chain; axis++) {
        const struct zoid_range *own = &a->out.patch.axis[axis];
        const long room = most.axis[axis].hi - most.axis[axis].lo;

        if (own->hi - own->lo > room)
            return zoid_prove_fail(p, "leaves %s%c [%ld, %ld) in %s, which has room for %ld",
                                   halo ? "the rim of " : "", "xy"[axis], own -> lo, own -> hi,
                                   zoid_prove_name(&a->datum).s, room);
    }
    return 0;
}

int zoid_prove_write(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region)
{
    struct zoid_prove_datum *d = zoid_prove_accessed(p, a);
    struct zoid_prove_holding holding = {.unread = true, .view = a->out, .region = *region};
    struct taken taken = {.some = false};

    if ((zoid_prove_of_patch(a->datum.kind) && prove_room(p, a)) || prove_circle(p, a, region))
        return -1;
    if (a->keeps && d->state != ZOID_HELD)
        return zoid_prove_fail(p, "keeps what %s holds, which %s", zoid_prove_name(&a->datum).s,
                               zoid_prove_content(p, d, a->out.t0).s);
    if (!a->keeps && lose(p, a, "overwrites"))
        return -1;
    for (long t = a->out.t0; t <= a->out.t1; t++) {
        struct zoid_box planes = zoid_prove_planes(p, &a->out, region, t);

        if (zoid_box_empty(&planes))
            continue;
        holding.some = true;
        if (take_slots(p, a, t, &planes, &taken))
            return -1;
        if (a->keeps && make_room(p, a, zoid_view_slot(&a->out, t, planes.lo[p->chain]), taken.end))
            return -1;
    }
    if (!a->keeps)
        d->holdings = 0;
    d->state = ZOID_HELD;
    return push(p, d, holding);
}

void zoid_prove_mark_read(struct zoid_prove_datum *d)
{
    for (size_t i = 0; i < d->holdings; i++)
        d->holding[i].unread = false;
}

int zoid_prove_kill(struct zoid_prove *p, const struct zoid_access *a)
{
    if (lose(p, a, "drops"))
        return -1;
    zoid_prove_accessed(p, a)->state = ZOID_DEAD;
    return 0;
}

int zoid_prove_lost(struct zoid_prove *p, const struct zoid_datum *message)
{
    return lose(p, &(struct zoid_access){.datum = *message}, "awaits over");
}

static bool holds_some(const struct zoid_prove_datum *d)
{
    bool some = false;

    for (size_t i = 0; d->state == ZOID_HELD && i < d->holdings; i++)
        some |= d->holding[i].some;
    return some;
}

int zoid_prove_fetch(struct zoid_prove *p, const struct zoid_datum *datum)
{
    const struct zoid_access take = {.datum = *datum, .mode = ZOID_READ};
    const struct zoid_prove_datum *d;

    if (zoid_number(&p->own, datum) < 0)
        return zoid_prove_fail(p, "fetches %s, which the census does not have",
                               zoid_prove_name(datum).s);
    if (zoid_prove_owner(p, datum, false))
        return -1;
    d = zoid_prove_find(p, datum);
    if (zoid_prove_foreign(p, datum) && d->open && zoid_prove_exchange(p, &take))
        return -1;
    if (d->turn == p->turn)
        return zoid_prove_fail(p, "fetches %s, which it accesses itself", zoid_prove_name(datum).s);
    if (!holds_some(d))
        return zoid_prove_fail(p, "fetches %s, which %s", zoid_prove_name(datum).s,
                               zoid_prove_content(p, d, 0).s);
    return 0;
}

long zoid_prove_next_epoch(const struct zoid_prove *p)
{
    return p->graph.leg.epochs + (p->graph.steps ? zoid_epochs(&p->graph) : 0);
}

/* True if the contents of a datum at the end of a leg may be for the next one. Halos and messages
 * are for its first epoch: its blocks may read less far than they can, or it may not come. */
static bool may_stay(const struct zoid_prove *p, const struct zoid_datum *d, bool end)
{
    const struct zoid_graph *g = &p->graph;
    const long epochs = zoid_prove_next_epoch(p);

    if (d->kind == ZOID_HALO || d->kind == ZOID_END)
        return g->leg.is != ZOID_LEG_ONLY && d->row % 2 == epochs % 2;
    if (d->kind == ZOID_MESSAGE)
        return g->leg.is != ZOID_LEG_ONLY && zoid_prove_find(p, d)->exchange == epochs;
    return d->kind == ZOID_SLAB && !end;
}

int zoid_prove_all_read(struct zoid_prove *p, bool end)
{
    for (int k = 0; k < ZOID_KINDS; k++)
        for (long row = 0; row < p->numbering.kind[k].rows; row++)
            for (long col = 0; col < p->numbering.kind[k].cols; col++) {
                struct zoid_access a = {
                    .datum = {.kind = (enum zoid_kind)k, .row = row, .col = col}};
                struct zoid_prove_datum *d = zoid_prove_find(p, &a.datum);

                /* Without steps coefficients and memory remain unread. */
                if (!zoid_kind_stands(a.datum.kind) && !may_stay(p, &a.datum, end) &&
                    lose(p, &a, "leaves"))
                    return -1;
                if (zoid_prove_of_patch(a.datum.kind))
                    zoid_prove_mark_read(d);
            }
    return 0;
}
