/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbolic store: what each datum holds while the stream goes by. */
#include <limits.h>
#include <stdlib.h>

#include "graphs/sinks/prove_state.h"

struct text {
    char s[240];
};

static struct text name(const struct zoid_datum *d)
{
    struct text text;
    const char *kind = (unsigned)d->kind < ZOID_KINDS ? zoid_kind_name(d->kind) : "unknown";

    snprintf(text.s, sizeof text.s, "%s %ld:%ld", kind, d->row, d->col);
    return text;
}

static struct zoid_prove_datum *find(const struct zoid_prove *p, const struct zoid_datum *d)
{
    return &p->data[zoid_number(&p->numbering, d)];
}

/* The planes of a piece of time t, or of the time next to it that it has. */
static struct zoid_box near(const struct zoid_prove *p, const struct zoid_prove_piece *piece,
                            long *t)
{
    const struct zoid_view *view = &piece->view;

    *t = *t < view->t0 ? view->t0 : *t > view->t1 ? view->t1 : *t;
    return zoid_prove_planes(p, view, &piece->region, *t);
}

/* What a datum holds, near time t. */
static struct text content(const struct zoid_prove *p, const struct zoid_prove_datum *d, long t)
{
    struct text text;
    size_t n = 0, end = sizeof text.s - 1;

    if (d->state != ZOID_HELD) {
        snprintf(text.s, sizeof text.s, d->state == ZOID_DEAD ? "is dead" : "was never written");
        return text;
    }
    for (size_t i = 0; i < d->pieces && n < end; i++) {
        long at = t;
        struct zoid_box box = near(p, &d->piece[i], &at);

        if (!zoid_box_empty(&box))
            n += (size_t)snprintf(text.s + n, sizeof text.s - n, "%s [%ld, %ld) of time %ld",
                                  n ? " and" : "holds planes", box.lo[p->chain], box.hi[p->chain],
                                  at);
        else if (d->pieces == 1)
            n += (size_t)snprintf(text.s, sizeof text.s, "holds no planes of time %ld", at);
    }
    return text;
}

static bool view_legal(const struct zoid_view *v, long first, long last)
{
    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (v->patch.axis[a].lo > v->patch.axis[a].hi)
            return false;
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
    bool around = zoid_chain_periodic(&p->graph.shape);

    for (int axis = 0; axis < ZOID_PLANE_AXES; axis++)
        around |= zoid_axis_cut(&p->graph, axis) && zoid_axis_periodic(&p->graph.shape, axis);
    return around && d->only_read && a->mode == ZOID_READ;
}

/* What is only read, and of which the block takes some points from elsewhere. */
static bool must_fill(const struct zoid_access *a, bool block)
{
    return block && a->mode == ZOID_READ && !zoid_patch_all(&a->in.patch) &&
           a->datum.kind != ZOID_HALO && a->datum.kind != ZOID_COEFFICIENT;
}

int zoid_prove_access(struct zoid_prove *p, const struct zoid_access *a,
                      struct zoid_prove_times times)
{
    struct zoid_prove_datum *d;

    if (zoid_number(&p->own, &a->datum) < 0)
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
    if (a->fills != must_fill(a, times.block))
        return zoid_prove_fail(p, "%s %s", a->fills ? "need not fill" : "does not fill",
                               name(&a->datum).s);
    if (a->keeps && (!(a->mode & ZOID_WRITE) || a->out.t0 != a->out.t1))
        return zoid_prove_fail(p, "keeps %s beside no planes of one time", name(&a->datum).s);
    if (times.block && a->datum.kind == ZOID_COEFFICIENT)
        return constant_legal(p, a, times);
    if (a->mode & ZOID_READ && !view_legal(&a->in, times.first, times.last_in))
        return bad_view(p, a, &a->in, "in");
    if (a->mode & ZOID_WRITE && !view_legal(&a->out, times.first, times.last_out))
        return bad_view(p, a, &a->out, "out");
    return 0;
}

/* Where the domain repeats itself along an axis, what a datum holds it holds under other numbers,
 * too: those from `at` on, or as little below as can be. */
static long repeated(const struct zoid_prove *p, int axis, const struct zoid_box *held, long at)
{
    long n = p->whole.hi[axis];

    return zoid_axis_periodic(&p->graph.shape, axis) ? zoid_floor_div(at - held->lo[axis], n) * n
                                                     : 0;
}

/* The piece that has a plane of some time, or none; its planes of that time, under the numbers that
 * go with that plane; and how far these are from its own along each axis. */
struct holder {
    struct zoid_prove_piece *piece;
    struct zoid_box planes;
    long shift[ZOID_AXES];
};

/* Along an axis below the chain axis numbers may be those of another lap only where a datum has
 * less than all that its cell looks at. */
static struct holder holder_of(const struct zoid_prove *p, const struct zoid_prove_datum *d, long t,
                               const struct zoid_box *claim)
{
    const long plane = claim->lo[p->chain];

    for (size_t i = 0; d->state == ZOID_HELD && i < d->pieces; i++) {
        struct holder h = {.piece = &d->piece[i]};

        h.planes = zoid_prove_planes(p, &h.piece->view, &h.piece->region, t);
        for (int a = 0; a <= p->chain && !zoid_box_empty(&h.planes); a++) {
            if (a == p->chain || zoid_axis_cut(&p->graph, a))
                h.shift[a] = repeated(p, a, &h.planes, claim->lo[a]);
            h.planes.lo[a] += h.shift[a];
            h.planes.hi[a] += h.shift[a];
        }
        if (!zoid_box_empty(&h.planes) && h.planes.lo[p->chain] <= plane &&
            plane < h.planes.hi[p->chain])
            return h;
    }
    return (struct holder){.piece = NULL};
}

/* An axis that is cut, of which a datum lacks some of what is claimed; -1: none. */
static int lacking(const struct zoid_prove *p, const struct zoid_box *claim, const struct holder *h)
{
    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (zoid_axis_cut(&p->graph, a) &&
            (claim->lo[a] < h->planes.lo[a] || claim->hi[a] > h->planes.hi[a]))
            return a;
    return -1;
}

/* Whether a halo is that of the patch that is claimed to have left it. */
static int prove_patch(struct zoid_prove *p, const struct zoid_access *a, const struct holder *h)
{
    for (int axis = 0; axis < ZOID_PLANE_AXES && a->datum.kind == ZOID_HALO; axis++) {
        const struct zoid_range *own = &h->piece->view.patch.axis[axis];
        const struct zoid_range *said = &a->in.patch.axis[axis];

        if (zoid_axis_cut(&p->graph, axis) &&
            (said->lo - h->shift[axis] != own->lo || said->hi - h->shift[axis] != own->hi))
            return zoid_prove_fail(p, "reads %s as that of %c [%ld, %ld), and it is of [%ld, %ld)",
                                   name(&a->datum).s, "xy"[axis], said -> lo - h -> shift[axis],
                                   said -> hi - h -> shift[axis], own -> lo, own -> hi);
    }
    return 0;
}

/* The lowest planes that are claimed of time t, as many as lie in one piece; *next is the first
 * plane above them. Coefficients are as they were loaded. */
static int read_piece(struct zoid_prove *p, const struct zoid_access *a, struct zoid_box claim,
                      long t, long *next)
{
    const struct zoid_prove_datum *d = find(p, &a->datum);
    long lo = claim.lo[p->chain], from = a->datum.kind == ZOID_COEFFICIENT ? p->loaded : t;
    long slot, filled;
    struct holder h = holder_of(p, d, from, &claim);
    int lacks;

    if (h.piece && claim.hi[p->chain] > h.planes.hi[p->chain])
        claim.hi[p->chain] = h.planes.hi[p->chain];
    lacks = h.piece ? lacking(p, &claim, &h) : -1;
    if (lacks >= 0)
        return zoid_prove_fail(
            p, "reads %c [%ld, %ld) of plane %ld of time %ld, of which %s has [%ld, %ld)",
            "xy"[lacks], claim.lo[lacks], claim.hi[lacks], lo, t, name(&a->datum).s,
            h.planes.lo[lacks], h.planes.hi[lacks]);
    if (!h.piece || !zoid_box_within(&claim, &h.planes))
        return zoid_prove_fail(p, "reads plane %ld of time %ld, which %s does not hold (it %s)",
                               zoid_prove_outside(p, &claim, &h.planes), t, name(&a->datum).s,
                               content(p, d, from).s);
    slot = zoid_view_slot(&a->in, t, lo);
    filled = zoid_view_slot(&h.piece->view, from, lo - h.shift[p->chain]);
    if (slot != filled)
        return zoid_prove_fail(p,
                               "reads plane %ld of time %ld in slot %ld of %s, which holds it "
                               "in slot %ld",
                               lo, t, slot, name(&a->datum).s, filled);
    if (prove_patch(p, a, &h))
        return -1;
    h.piece->unread = false;
    *next = claim.hi[p->chain];
    return 0;
}

/* Whether a view of one time names all slots of another one. */
static bool has_slots(const struct zoid_view *v, const struct zoid_view *other)
{
    return v->t0 == v->t1 && other->t0 == other->t1 && v->slot <= other->slot &&
           v->slot + v->hi - v->lo >= other->slot + other->hi - other->lo;
}

int zoid_prove_read(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region)
{
    const struct zoid_prove_datum *d = find(p, &a->datum);
    long last = a->datum.kind == ZOID_COEFFICIENT ? a->in.t0 : a->in.t1;

    for (long t = a->in.t0; t <= last; t++) {
        struct zoid_box claim = zoid_prove_planes(p, &a->in, region, t);

        while (!zoid_box_empty(&claim))
            if (read_piece(p, a, claim, t, &claim.lo[p->chain]))
                return -1;
    }
    if (d->pieces == 1)
        d->piece->unread = false;
    /* A cell whose border has moved beyond what it had may want nothing of that, which others have
     * from its halo. */
    for (size_t i = 0; i < d->pieces && !zoid_patch_all(&a->in.patch); i++)
        if (has_slots(&a->in, &d->piece[i].view))
            d->piece[i].unread = false;
    /* Even where no plane exists, data that hold nothing are not read. */
    if (d->state != ZOID_HELD)
        return zoid_prove_fail(p, "reads %s, which %s", name(&a->datum).s,
                               content(p, d, a->in.t0).s);
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

/* Fails about the lowest plane of a box that was there and that nobody can read any more. */
static int lose_box(struct zoid_prove *p, const struct zoid_access *a, const struct zoid_box *box,
                    long t, const char *how)
{
    return zoid_prove_fail(p, "%s plane %ld of time %ld in %s, which nobody has read", how,
                           box->lo[p->chain], t, name(&a->datum).s);
}

/* Fails if there is a piece that nobody has read. */
static int lose(struct zoid_prove *p, const struct zoid_access *a, const char *how)
{
    const struct zoid_prove_datum *d = find(p, &a->datum);

    for (size_t i = 0; d->state == ZOID_HELD && i < d->pieces; i++) {
        const struct zoid_prove_piece *piece = &d->piece[i];
        struct zoid_box box;
        long t = piece->view.t0;

        if (!piece->some || !piece->unread)
            continue;
        for (box = zoid_prove_planes(p, &piece->view, &piece->region, t); zoid_box_empty(&box);)
            box = zoid_prove_planes(p, &piece->view, &piece->region, ++t);
        return lose_box(p, a, &box, t, how);
    }
    return 0;
}

static int push(struct zoid_prove *p, struct zoid_prove_datum *d, struct zoid_prove_piece piece)
{
    if (d->pieces == d->room) {
        size_t room = 2 * d->room + 1;
        struct zoid_prove_piece *grown = realloc(d->piece, room * sizeof *grown);

        if (!grown)
            return zoid_prove_no_memory(p);
        d->piece = grown;
        d->room = room;
    }
    d->piece[d->pieces++] = piece;
    return 0;
}

/* The planes of a piece that lie in slots [lo, hi). */
static struct zoid_prove_piece part_of(const struct zoid_prove *p,
                                       const struct zoid_prove_piece *piece, long lo, long hi)
{
    struct zoid_prove_piece part = *piece;
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

/* Takes slots [lo, hi) of a datum away from its pieces, which are of one time each. */
static int make_room(struct zoid_prove *p, const struct zoid_access *a, long lo, long hi)
{
    struct zoid_prove_datum *d = find(p, &a->datum);
    size_t pieces = d->pieces;

    for (size_t i = 0; i < pieces; i++) {
        struct zoid_prove_piece piece = d->piece[i], cut = part_of(p, &piece, lo, hi);
        struct zoid_prove_piece above = part_of(p, &piece, hi, LONG_MAX);

        if (piece.view.t0 < piece.view.t1)
            return zoid_prove_fail(p, "keeps what %s holds of several times", name(&a->datum).s);
        if (cut.some && cut.unread) {
            struct zoid_box box = zoid_prove_planes(p, &cut.view, &cut.region, cut.view.t0);

            return lose_box(p, a, &box, cut.view.t0, "overwrites");
        }
        d->piece[i] = part_of(p, &piece, LONG_MIN, lo);
        if (above.some && push(p, d, above))
            return -1;
    }
    pieces = d->pieces;
    d->pieces = 0;
    for (size_t i = 0; i < pieces; i++)
        if (d->piece[i].some)
            d->piece[d->pieces++] = d->piece[i];
    return 0;
}

/* A halo has room for the rim of the largest patch. */
static int prove_room(struct zoid_prove *p, const struct zoid_access *a)
{
    const struct zoid_rim most = zoid_cell_rim_most(&p->graph);

    for (int axis = 0; axis < ZOID_PLANE_AXES; axis++) {
        const struct zoid_range *own = &a->out.patch.axis[axis];

        if (own->hi - own->lo > most.of.axis[axis].hi)
            return zoid_prove_fail(
                p, "leaves the rim of %c [%ld, %ld) in %s, which has room for %ld", "xy"[axis],
                own -> lo, own -> hi, name(&a->datum).s, most.of.axis[axis].hi);
    }
    return 0;
}

int zoid_prove_write(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region)
{
    struct zoid_prove_datum *d = find(p, &a->datum);
    struct zoid_prove_piece piece = {.unread = true, .view = a->out, .region = *region};
    long taken = 0;

    if (a->datum.kind == ZOID_HALO && prove_room(p, a))
        return -1;
    if (a->keeps && d->state != ZOID_HELD)
        return zoid_prove_fail(p, "keeps what %s holds, which %s", name(&a->datum).s,
                               content(p, d, a->out.t0).s);
    if (!a->keeps && lose(p, a, "overwrites"))
        return -1;
    for (long t = a->out.t0; t <= a->out.t1; t++) {
        struct zoid_box planes = zoid_prove_planes(p, &a->out, region, t);

        if (zoid_box_empty(&planes))
            continue;
        piece.some = true;
        if (take_slots(p, a, t, &planes, &taken))
            return -1;
        if (a->keeps && make_room(p, a, zoid_view_slot(&a->out, t, planes.lo[p->chain]), taken))
            return -1;
    }
    if (!a->keeps)
        d->pieces = 0;
    d->state = ZOID_HELD;
    return push(p, d, piece);
}

int zoid_prove_kill(struct zoid_prove *p, const struct zoid_access *a)
{
    if (lose(p, a, "drops"))
        return -1;
    find(p, &a->datum)->state = ZOID_DEAD;
    return 0;
}

static bool holds_some(const struct zoid_prove_datum *d)
{
    bool some = false;

    for (size_t i = 0; d->state == ZOID_HELD && i < d->pieces; i++)
        some |= d->piece[i].some;
    return some;
}

int zoid_prove_fetch(struct zoid_prove *p, const struct zoid_datum *datum)
{
    const struct zoid_prove_datum *d;

    if (zoid_number(&p->own, datum) < 0)
        return zoid_prove_fail(p, "fetches %s, which the census does not have", name(datum).s);
    d = find(p, datum);
    if (d->turn == p->turn)
        return zoid_prove_fail(p, "fetches %s, which it accesses itself", name(datum).s);
    if (!holds_some(d))
        return zoid_prove_fail(p, "fetches %s, which %s", name(datum).s, content(p, d, 0).s);
    return 0;
}

/* What a datum holds at the end of a leg may be for the next one. Of halos that is what its first
 * epoch takes, in which blocks may look less far than they can, or which may not come. */
static bool may_stay(const struct zoid_prove *p, const struct zoid_datum *d, bool end)
{
    const struct zoid_graph *g = &p->graph;
    long epochs = g->leg.epochs + (g->steps ? zoid_epochs(g) : 0);

    if (d->kind == ZOID_HALO)
        return g->leg.is != ZOID_LEG_ONLY && d->row % 2 == epochs % 2;
    return d->kind == ZOID_SLAB && !end;
}

int zoid_prove_all_read(struct zoid_prove *p, bool end)
{
    for (int k = 0; k < ZOID_KINDS; k++)
        for (long row = 0; row < p->numbering.kind[k].rows; row++)
            for (long col = 0; col < p->numbering.kind[k].cols; col++) {
                struct zoid_access a = {
                    .datum = {.kind = (enum zoid_kind)k, .row = row, .col = col}};
                struct zoid_prove_datum *d = find(p, &a.datum);

                /* Without steps nobody reads coefficients. */
                if (k != ZOID_COEFFICIENT && !may_stay(p, &a.datum, end) && lose(p, &a, "leaves"))
                    return -1;
                for (size_t i = 0; k == ZOID_HALO && i < d->pieces; i++)
                    d->piece[i].unread = false;
            }
    return 0;
}
