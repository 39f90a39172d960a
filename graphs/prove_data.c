/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbolic store: what each datum holds while the stream goes by. */
#include "graphs/prove_state.h"

struct text {
    char s[120];
};

static struct text name(const struct zoid_datum *d)
{
    struct text text;
    const char *kind = (unsigned)d->kind < ZOID_KINDS ? zoid_kind_name(d->kind) : "unknown";

    snprintf(text.s, sizeof text.s, "%s %ld:%ld", kind, d->row, d->col);
    return text;
}

struct zoid_box zoid_prove_planes(const struct zoid_prove *p, const struct zoid_view *view,
                                  const struct zoid *region, long t)
{
    struct zoid_box box = zoid_box_at(region, t);
    long shift = view->drift * (t - view->t0);

    if (t < view->t0 || t > view->t1)
        return (struct zoid_box){.lo = {0}};
    if (box.lo[p->chain] < view->lo + shift)
        box.lo[p->chain] = view->lo + shift;
    if (box.hi[p->chain] > view->hi + shift)
        box.hi[p->chain] = view->hi + shift;
    return zoid_box_intersect(&box, &p->space);
}

long zoid_prove_outside(const struct zoid_prove *p, const struct zoid_box *box,
                        const struct zoid_box *around)
{
    struct zoid_box slab = zoid_box_intersect(box, around);

    if (zoid_box_empty(&slab) || box->lo[p->chain] < slab.lo[p->chain])
        return box->lo[p->chain];
    /* Above the slab, unless what is missing of its planes is at their sides. */
    slab.hi[p->chain] = box->hi[p->chain];
    slab.lo[p->chain] = box->lo[p->chain];
    return zoid_box_within(box, &slab) ? around->hi[p->chain] : box->lo[p->chain];
}

static struct zoid_prove_datum *find(const struct zoid_prove *p, const struct zoid_datum *d)
{
    return &p->data[zoid_number(&p->numbering, d)];
}

/* What a datum holds, near time t. */
static struct text content(const struct zoid_prove *p, const struct zoid_prove_datum *d, long t)
{
    struct text text;
    struct zoid_box box;

    if (d->state != ZOID_HELD) {
        snprintf(text.s, sizeof text.s, d->state == ZOID_DEAD ? "is dead" : "was never written");
        return text;
    }
    t = t < d->view.t0 ? d->view.t0 : t > d->view.t1 ? d->view.t1 : t;
    box = zoid_prove_planes(p, &d->view, &d->region, t);
    if (zoid_box_empty(&box))
        snprintf(text.s, sizeof text.s, "holds no planes of time %ld", t);
    else
        snprintf(text.s, sizeof text.s, "holds planes [%ld, %ld) of time %ld", box.lo[p->chain],
                 box.hi[p->chain], t);
    return text;
}

static bool view_legal(const struct zoid_view *v, long first, long last)
{
    return v->t0 <= v->t1 && v->lo <= v->hi && v->t0 >= first && v->t1 <= last;
}

static int bad_view(struct zoid_prove *p, const struct zoid_access *a, const struct zoid_view *v,
                    const char *which)
{
    return zoid_prove_fail(p, "has no legal `%s` view of %s: planes [%ld, %ld) of times %ld to %ld",
                           which, name(&a->datum).s, v->lo, v->hi, v->t0, v->t1);
}

static int constant_legal(struct zoid_prove *p, const struct zoid_access *a,
                          struct zoid_prove_times times)
{
    const struct zoid_view *in = &a->in;
    bool whole = in->t0 == times.first && in->t1 == times.last_out && in->lo <= in->hi;

    if (a->mode != ZOID_READ)
        return zoid_prove_fail(p, "writes %s, which is constant", name(&a->datum).s);
    if (a->next == ZOID_NEXT_DEAD)
        return zoid_prove_fail(p, "lets %s die, which is constant", name(&a->datum).s);
    return whole && !in->drift && !in->advance ? 0 : bad_view(p, a, in, "in");
}

/* Who may access a datum again in the turn in which it already was. */
static bool may_again(const struct zoid_prove *p, const struct zoid_prove_datum *d,
                      const struct zoid_access *a)
{
    return zoid_chain_periodic(&p->graph.shape) && d->only_read && a->mode == ZOID_READ;
}

int zoid_prove_access(struct zoid_prove *p, const struct zoid_access *a,
                      struct zoid_prove_times times)
{
    struct zoid_prove_datum *d;

    if (zoid_number(&p->numbering, &a->datum) < 0)
        return zoid_prove_fail(p, "accesses %s, which the census does not have", name(&a->datum).s);
    d = find(p, &a->datum);
    if (d->turn == p->turn && !may_again(p, d, a))
        return zoid_prove_fail(p, "accesses %s twice", name(&a->datum).s);
    d->turn = p->turn;
    d->only_read = a->mode == ZOID_READ;
    if (d->owned && d->owner != a->datum.owner)
        return zoid_prove_fail(p, "says that rank %d owns %s, which is rank %d's", a->datum.owner,
                               name(&a->datum).s, d->owner);
    d->owned = true;
    d->owner = a->datum.owner;
    if (a->mode != ZOID_READ && a->mode != ZOID_WRITE && a->mode != ZOID_UPDATE)
        return zoid_prove_fail(p, "accesses %s in no known mode", name(&a->datum).s);
    if ((unsigned)a->next > ZOID_NEXT_DEAD)
        return zoid_prove_fail(p, "sends %s nowhere known", name(&a->datum).s);
    if (times.block && a->datum.kind == ZOID_COEFFICIENT)
        return constant_legal(p, a, times);
    if (a->mode & ZOID_READ && !view_legal(&a->in, times.first, times.last_in))
        return bad_view(p, a, &a->in, "in");
    if (a->mode & ZOID_WRITE && !view_legal(&a->out, times.first, times.last_out))
        return bad_view(p, a, &a->out, "out");
    return 0;
}

/* Where the domain repeats itself, the planes that a datum holds are those it holds under other
 * numbers: the lowest planes >= `plane` modulo n. */
static long repeated(const struct zoid_prove *p, const struct zoid_box *held, long plane)
{
    long n = p->whole.hi[p->chain];

    if (!zoid_chain_periodic(&p->graph.shape) || zoid_box_empty(held))
        return 0;
    return zoid_floor_div(plane - held->lo[p->chain], n) * n;
}

static int read_time(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region,
                     long t)
{
    const struct zoid_prove_datum *d = find(p, &a->datum);
    struct zoid_box claim = zoid_prove_planes(p, &a->in, region, t), held = {.lo = {0}};
    /* Coefficients are as they were loaded. */
    long slot, filled, shift, from = a->datum.kind == ZOID_COEFFICIENT ? 0 : t;

    if (zoid_box_empty(&claim))
        return 0;
    if (d->state == ZOID_HELD)
        held = zoid_prove_planes(p, &d->view, &d->region, from);
    shift = repeated(p, &held, claim.lo[p->chain]);
    held.lo[p->chain] += shift;
    held.hi[p->chain] += shift;
    if (!zoid_box_within(&claim, &held))
        return zoid_prove_fail(p, "reads plane %ld of time %ld, which %s does not hold (it %s)",
                               zoid_prove_outside(p, &claim, &held), t, name(&a->datum).s,
                               content(p, d, from).s);
    slot = zoid_view_slot(&a->in, t, claim.lo[p->chain]);
    filled = zoid_view_slot(&d->view, from, claim.lo[p->chain] - shift);
    if (slot != filled)
        return zoid_prove_fail(p,
                               "reads plane %ld of time %ld in slot %ld of %s, which holds it "
                               "in slot %ld",
                               claim.lo[p->chain], t, slot, name(&a->datum).s, filled);
    return 0;
}

int zoid_prove_read(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region)
{
    struct zoid_prove_datum *d = find(p, &a->datum);
    long last = a->datum.kind == ZOID_COEFFICIENT ? a->in.t0 : a->in.t1;

    for (long t = a->in.t0; t <= last; t++)
        if (read_time(p, a, region, t))
            return -1;
    /* Even where no plane exists, data that hold nothing are not read. */
    if (d->state != ZOID_HELD)
        return zoid_prove_fail(p, "reads %s, which %s", name(&a->datum).s,
                               content(p, d, a->in.t0).s);
    d->unread = false;
    return 0;
}

/* Every time of a view has its slots above those of the times before: *taken is where these end. */
static int take_slots(struct zoid_prove *p, const struct zoid_access *a, long t,
                      const struct zoid_box *planes, long *taken)
{
    long lo = zoid_view_slot(&a->out, t, planes->lo[p->chain]);
    long hi = lo + planes->hi[p->chain] - planes->lo[p->chain];
    long room = p->census.kind[a->datum.kind].planes;

    if (lo < 0 || hi > room)
        return zoid_prove_fail(
            p, "leaves plane %ld of time %ld in slot %ld of %s, which has %ld slots",
            planes->lo[p->chain] + (lo < 0 ? 0 : hi - 1 - lo), t, lo < 0 ? lo : hi - 1,
            name(&a->datum).s, room);
    if (lo < *taken)
        return zoid_prove_fail(
            p, "leaves plane %ld of time %ld in slot %ld of %s, which the times before have taken",
            planes->lo[p->chain], t, lo, name(&a->datum).s);
    *taken = hi;
    return 0;
}

/* Fails about a plane that was there and that nobody can read any more. */
static int lose(struct zoid_prove *p, const struct zoid_access *a, const char *how)
{
    const struct zoid_prove_datum *d = find(p, &a->datum);
    struct zoid_box box;
    long t = d->view.t0;

    for (box = zoid_prove_planes(p, &d->view, &d->region, t); zoid_box_empty(&box);)
        box = zoid_prove_planes(p, &d->view, &d->region, ++t);
    return zoid_prove_fail(p, "%s plane %ld of time %ld in %s, which nobody has read", how,
                           box.lo[p->chain], t, name(&a->datum).s);
}

int zoid_prove_write(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region)
{
    struct zoid_prove_datum *d = find(p, &a->datum);
    long taken = 0;

    if (d->state == ZOID_HELD && d->some && d->unread)
        return lose(p, a, "overwrites");
    d->some = false;
    for (long t = a->out.t0; t <= a->out.t1; t++) {
        struct zoid_box planes = zoid_prove_planes(p, &a->out, region, t);

        if (zoid_box_empty(&planes))
            continue;
        d->some = true;
        if (take_slots(p, a, t, &planes, &taken))
            return -1;
    }
    d->state = ZOID_HELD;
    d->unread = true;
    d->view = a->out;
    d->region = *region;
    return 0;
}

int zoid_prove_kill(struct zoid_prove *p, const struct zoid_access *a)
{
    struct zoid_prove_datum *d = find(p, &a->datum);

    if (d->some && d->unread)
        return lose(p, a, "drops");
    d->state = ZOID_DEAD;
    return 0;
}

int zoid_prove_fetch(struct zoid_prove *p, const struct zoid_datum *datum)
{
    const struct zoid_prove_datum *d;

    if (zoid_number(&p->numbering, datum) < 0)
        return zoid_prove_fail(p, "fetches %s, which the census does not have", name(datum).s);
    d = find(p, datum);
    if (d->turn == p->turn)
        return zoid_prove_fail(p, "fetches %s, which it accesses itself", name(datum).s);
    if (d->state != ZOID_HELD || !d->some)
        return zoid_prove_fail(p, "fetches %s, which %s", name(datum).s, content(p, d, 0).s);
    return 0;
}

int zoid_prove_all_read(struct zoid_prove *p)
{
    for (int k = 0; k < ZOID_KINDS; k++)
        for (long row = 0; row < p->numbering.kind[k].rows; row++)
            for (long col = 0; col < p->numbering.kind[k].cols; col++) {
                struct zoid_access a = {
                    .datum = {.kind = (enum zoid_kind)k, .row = row, .col = col}};
                const struct zoid_prove_datum *d = find(p, &a.datum);

                /* Without steps nobody reads coefficients. */
                if (d->state == ZOID_HELD && d->some && d->unread && k != ZOID_COEFFICIENT)
                    return lose(p, &a, "leaves");
            }
    return 0;
}
