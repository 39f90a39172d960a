/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads: every plane that a block reads of a datum is there, of the right time, in the right slot,
 * under an index that the domain has for it. */
#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/sinks/prove_state.h"

/* Shift of a datum's planes along a periodic axis, in whole domains, after which they start at
 * index `at` or as little below as possible; 0 along other axes. */
static long repeated(const struct zoid_prove *p, int axis, const struct zoid_box *held, long at)
{
    long n = p->whole.hi[axis];

    return zoid_axis_periodic(&p->graph.shape, axis) ? zoid_floor_div(at - held->lo[axis], n) * n
                                                     : 0;
}

/* Holding that has a plane of some time, or NULL; its planes of that time, with indices shifted to
 * that plane's; and the shift along each axis. */
struct holder {
    struct zoid_prove_holding *holding;
    struct zoid_box planes;
    long shift[ZOID_AXES];
};

/* The holding, if it has the lowest plane of the claim: under its own index, or also `round` the
 * domain. Along plane axes, indices differ by whole domains only if a datum has less than all that
 * its cell reads. */
static struct holder held_by(const struct zoid_prove *p, struct zoid_prove_holding *holding, long t,
                             const struct zoid_box *claim, bool round)
{
    struct holder h = {.holding = holding};
    const long plane = claim->lo[p->chain];

    h.planes = zoid_prove_planes(p, &holding->view, &holding->region, t);
    for (int a = 0; a <= p->chain && !zoid_box_empty(&h.planes); a++) {
        if (a == p->chain ? round : zoid_axis_cut(&p->graph, a))
            h.shift[a] = repeated(p, a, &h.planes, claim->lo[a]);
        h.planes.lo[a] += h.shift[a];
        h.planes.hi[a] += h.shift[a];
    }
    if (zoid_box_empty(&h.planes) || h.planes.lo[p->chain] > plane ||
        h.planes.hi[p->chain] <= plane)
        h.holding = NULL;
    return h;
}

/* The window of one of several parts may hold a plane twice, under two indices. */
static struct holder holder_of(const struct zoid_prove *p, const struct zoid_prove_datum *d, long t,
                               const struct zoid_box *claim)
{
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; d->state == ZOID_HELD && i < d->holdings; i++) {
            const struct holder h = held_by(p, &d->holding[i], t, claim, round);

            if (h.holding)
                return h;
        }
    return (struct holder){.holding = NULL};
}

/* First cut axis along which a datum lacks part of the claim; -1: there is none. */
static int lacking(const struct zoid_prove *p, const struct zoid_box *claim, const struct holder *h)
{
    for (int a = 0; a < p->chain; a++)
        if (zoid_axis_cut(&p->graph, a) &&
            (claim->lo[a] < h->planes.lo[a] || claim->hi[a] > h->planes.hi[a]))
            return a;
    return -1;
}

/* Check that a halo, an end or a message is of the patch that the access names. */
static int prove_patch(struct zoid_prove *p, const struct zoid_access *a, const struct holder *h)
{
    for (int axis = 0; axis < p->chain && zoid_prove_of_patch(a->datum.kind); axis++) {
        const struct zoid_range *own = &h->holding->view.patch.axis[axis];
        const struct zoid_range *said = &a->in.patch.axis[axis];

        if (zoid_axis_cut(&p->graph, axis) &&
            (said->lo - h->shift[axis] != own->lo || said->hi - h->shift[axis] != own->hi))
            return zoid_prove_fail(p, "reads %s as that of %c [%ld, %ld), and it is of [%ld, %ld)",
                                   zoid_prove_name(&a->datum).s, "xy"[axis],
                                   said -> lo - h -> shift[axis], said -> hi - h -> shift[axis],
                                   own -> lo, own -> hi);
    }
    return 0;
}

/* Check the lowest planes that are claimed at time t, those in one holding; *next becomes the first
 * plane above them. Pieces that never move are as they were loaded. */
static int read_holding(struct zoid_prove *p, const struct zoid_access *a, struct zoid_box claim,
                        long t, long *next)
{
    const struct zoid_prove_datum *d = zoid_prove_accessed(p, a);
    long lo = claim.lo[p->chain], from = zoid_kind_stands(a->datum.kind) ? p->loaded : t;
    long slot, filled;
    struct holder h = holder_of(p, d, from, &claim);
    int lacks;

    if (h.holding && claim.hi[p->chain] > h.planes.hi[p->chain])
        claim.hi[p->chain] = h.planes.hi[p->chain];
    lacks = h.holding ? lacking(p, &claim, &h) : -1;
    if (lacks >= 0)
        return zoid_prove_fail(
            p, "reads %c [%ld, %ld) of plane %ld of time %ld, of which %s has [%ld, %ld)",
            "xy"[lacks], claim.lo[lacks], claim.hi[lacks], lo, t, zoid_prove_name(&a->datum).s,
            h.planes.lo[lacks], h.planes.hi[lacks]);
    if (!h.holding || !zoid_box_within(&claim, &h.planes))
        return zoid_prove_fail(p, "reads plane %ld of time %ld, which %s does not hold (it %s)",
                               zoid_prove_outside(p, &claim, &h.planes), t,
                               zoid_prove_name(&a->datum).s, zoid_prove_content(p, d, from).s);
    slot = zoid_view_slot(&a->in, t, lo);
    filled = zoid_view_slot(&h.holding->view, from, lo - h.shift[p->chain]);
    if (slot != filled)
        return zoid_prove_fail(p,
                               "reads plane %ld of time %ld in slot %ld of %s, which holds it "
                               "in slot %ld",
                               lo, t, slot, zoid_prove_name(&a->datum).s, filled);
    if (prove_patch(p, a, &h))
        return -1;
    h.holding->unread = false;
    *next = claim.hi[p->chain];
    return 0;
}

/* True if a view of one time names all slots of another one. */
static bool has_slots(const struct zoid_view *v, const struct zoid_view *other)
{
    return v->t0 == v->t1 && other->t0 == other->t1 && v->slot <= other->slot &&
           v->slot + v->hi - v->lo >= other->slot + other->hi - other->lo;
}

int zoid_prove_read(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region)
{
    const struct zoid_prove_datum *d = zoid_prove_accessed(p, a);
    long last = zoid_kind_stands(a->datum.kind) ? a->in.t0 : a->in.t1;

    for (long t = a->in.t0; t <= last; t++) {
        struct zoid_box claim = zoid_prove_planes(p, &a->in, region, t);

        while (!zoid_box_empty(&claim))
            if (read_holding(p, a, claim, t, &claim.lo[p->chain]))
                return -1;
    }
    /* A shorter epoch reads less of an end, or of a message, than there is. */
    for (size_t i = 0; i < d->holdings; i++)
        if (d->holdings == 1 || a->datum.kind == ZOID_END || a->datum.kind == ZOID_MESSAGE)
            d->holding[i].unread = false;
    /* A cell whose border has moved beyond its previous points may read none of these: other cells
     * have them from its halo. */
    for (size_t i = 0; i < d->holdings && !zoid_patch_all(&a->in.patch); i++)
        if (has_slots(&a->in, &d->holding[i].view))
            d->holding[i].unread = false;
    /* Data without contents must not be read, even if no plane of the view exists. */
    if (d->state != ZOID_HELD)
        return zoid_prove_fail(p, "reads %s, which %s", zoid_prove_name(&a->datum).s,
                               zoid_prove_content(p, d, a->in.t0).s);
    return 0;
}
