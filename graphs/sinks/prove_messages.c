/* SPDX-License-Identifier: BSD-3-Clause */
/* Ownership of data, and messages between ranks: these are awaited, left, sent, read, in this
 * order, each once an exchange. */
#include "graphs/cell.h"
#include "graphs/message.h"
#include "graphs/reach.h"
#include "graphs/sinks/prove_state.h"

/* From a cell to its neighbours and to itself, along x first. */
enum { DIRECTIONS = 27 };

/* ---- ownership --------------------------------------------------------------------------- */

static int owner_of(const struct zoid_prove *p, const struct zoid_datum *d)
{
    if (d->kind == ZOID_MESSAGE)
        return zoid_cell_rank(&p->graph, zoid_message_from(d));
    return (int)(d->row / (p->census.kind[d->kind].rows / p->ranks));
}

static int prove_of_message(struct zoid_prove *p, const struct zoid_datum *d, bool writes)
{
    const long from = zoid_message_from(d), to = zoid_message_to(&p->graph, d);

    if (!p->block)
        return zoid_prove_fail(p, "accesses %s, which is no state", zoid_prove_name(d).s);
    if (writes && from != p->block->cell)
        return zoid_prove_fail(p, "leaves %s, which is of cell %ld", zoid_prove_name(d).s, from);
    if (!writes && to != p->block->cell)
        return zoid_prove_fail(p, "takes %s, which is for cell %ld", zoid_prove_name(d).s, to);
    return 0;
}

int zoid_prove_owner(struct zoid_prove *p, const struct zoid_datum *d, bool writes)
{
    const int owner = owner_of(p, d);

    if (d->owner != owner)
        return zoid_prove_fail(p, "says that rank %d owns %s, which is rank %d's", d->owner,
                               zoid_prove_name(d).s, owner);
    if (d->kind == ZOID_MESSAGE)
        return prove_of_message(p, d, writes);
    if (d->kind == ZOID_RELAY)
        return zoid_prove_relay_owner(p, d, writes);
    if (p->block ? owner == p->block->owner : !zoid_prove_alone(p) || owner == p->graph.rank)
        return 0;
    return zoid_prove_fail(p, "accesses %s, which is rank %d's", zoid_prove_name(d).s, owner);
}

bool zoid_prove_foreign(const struct zoid_prove *p, const struct zoid_datum *d)
{
    return zoid_prove_alone(p) && owner_of(p, d) != p->graph.rank;
}

/* ---- blocks and messages ----------------------------------------------------------------- */

/* Time at which an epoch of this leg begins. */
static long begin_of(const struct zoid_prove *p, long epoch)
{
    const struct zoid_graph *g = &p->graph;

    return zoid_min(p->first + (epoch - g->leg.epochs) * g->epoch * g->shape.stages, p->times);
}

static bool named(const struct zoid_datum *message, long exchange)
{
    return message->row % ZOID_MESSAGE_EPOCHS == exchange % ZOID_MESSAGE_EPOCHS;
}

/* Message between the same two cells in the opposite direction, for an exchange. */
static struct zoid_datum answer_to(const struct zoid_prove *p, const struct zoid_datum *d,
                                   long exchange)
{
    const long pair = d->row / ZOID_MESSAGE_EPOCHS;
    const long row =
        zoid_message_to(&p->graph, d) * DIRECTIONS + DIRECTIONS - 1 - pair % DIRECTIONS;

    return (struct zoid_datum){.kind = ZOID_MESSAGE,
                               .row = row * ZOID_MESSAGE_EPOCHS + exchange % ZOID_MESSAGE_EPOCHS,
                               .col = d->col};
}

/* Check that a rank that receives a message has sent its answer. Ranks in order send no answers. */
static int prove_answered(struct zoid_prove *p, const struct zoid_datum *d, long exchange)
{
    const struct zoid_datum answer = answer_to(p, d, exchange);
    const struct zoid_prove_datum *sent = zoid_prove_left(p, &answer);

    if (zoid_in_order(&p->graph.shape) || sent->exchange > exchange ||
        (sent->exchange == exchange && !sent->open))
        return 0;
    return zoid_prove_fail(p, "takes %s for epoch %ld, for which %s was not sent",
                           zoid_prove_name(d).s, exchange, zoid_prove_name(&answer).s);
}

static int prove_taken(struct zoid_prove *p, const struct zoid_datum *d, long epoch)
{
    const struct zoid_prove_datum *there = zoid_prove_find(p, d);

    if (!there->exchange)
        return zoid_prove_fail(p, "reads %s, which was never awaited", zoid_prove_name(d).s);
    if (zoid_prove_foreign(p, d) && there->open && there->exchange == epoch)
        return prove_answered(p, d, epoch) || zoid_prove_receive(p, d, begin_of(p, epoch));
    if (there->open || there->exchange != epoch)
        return zoid_prove_fail(p, "reads %s in epoch %ld, which %s for epoch %ld",
                               zoid_prove_name(d).s, epoch, there->open ? "is awaited" : "was sent",
                               there->exchange);
    return 0;
}

static int prove_left(struct zoid_prove *p, const struct zoid_datum *d, long exchange)
{
    struct zoid_prove_datum *left = zoid_prove_left(p, d);

    if (!named(d, exchange))
        return zoid_prove_fail(p, "leaves %s for epoch %ld, which has other names",
                               zoid_prove_name(d).s, exchange);
    if (left->open && left->exchange != exchange)
        return zoid_prove_fail(p, "leaves %s, where what is for epoch %ld was not sent",
                               zoid_prove_name(d).s, left->exchange);
    if (!left->open && left->exchange == exchange)
        return zoid_prove_fail(p, "leaves %s, which was sent for epoch %ld", zoid_prove_name(d).s,
                               exchange);
    /* Cells of the same height exchange no slabs without planes. */
    if (zoid_prove_alone(p) && zoid_prove_step(p, d) && !left->open &&
        left->exchange != exchange - 1)
        return zoid_prove_fail(p, "leaves %s for epoch %ld, and sent none for epoch %ld",
                               zoid_prove_name(d).s, exchange, exchange - 1);
    left->open = true;
    left->exchange = exchange;
    return 0;
}

int zoid_prove_exchange(struct zoid_prove *p, const struct zoid_access *a)
{
    const long epoch = zoid_prove_epoch(p, p->block->pass);

    return a->mode & ZOID_WRITE ? prove_left(p, &a->datum, epoch + 1)
                                : prove_taken(p, &a->datum, epoch);
}

int zoid_prove_joined(struct zoid_prove *p, const struct zoid_access *a)
{
    const long exchange = zoid_prove_epoch(p, p->block->pass) + 1;
    const struct zoid_prove_datum *left;

    if (a->mode == ZOID_READ)
        return prove_taken(p, &a->datum, exchange);
    left = zoid_prove_left(p, &a->datum);
    if (a->mode == ZOID_UPDATE && left->open && left->exchange == exchange &&
        named(&a->datum, exchange))
        return 0;
    return zoid_prove_fail(p, "joins %s, which nobody has left for epoch %ld",
                           zoid_prove_name(&a->datum).s, exchange);
}

/* ---- awaits and sends -------------------------------------------------------------------- */

/* True if the leg has no more blocks because a sink has ended the graph: messages sent then have no
 * contents. */
static bool ended(const struct zoid_prove *p)
{
    return p->blocks == p->census.blocks && p->times < p->planned &&
           p->graph.leg.is == ZOID_LEG_ONLY;
}

static int prove_frame(struct zoid_prove *p, const struct zoid_message *m)
{
    const struct zoid_datum *d = &m->datum;
    const char *verb = m->sends ? "sends" : "awaits";
    int from, to;

    if (d->kind != ZOID_MESSAGE || zoid_number(&p->own, d) < 0)
        return zoid_prove_fail(p, "%s %s, which the census does not have", verb,
                               zoid_prove_name(d).s);
    from = owner_of(p, d);
    to = zoid_cell_rank(&p->graph, zoid_message_to(&p->graph, d));
    if (from == to)
        return zoid_prove_fail(p, "%s %s, which stays with rank %d", verb, zoid_prove_name(d).s,
                               from);
    if (d->owner == from && m->rank == (m->sends ? from : to) && m->peer == (m->sends ? to : from))
        return 0;
    return zoid_prove_fail(p, "%s %s of rank %d %s rank %d, which goes from rank %d to rank %d",
                           verb, zoid_prove_name(d).s, d->owner, m->sends ? "to" : "from", m->peer,
                           from, to);
}

/* Check that the previous contents were read, and that the message cannot have arrived yet: its
 * sender waits for the message that this rank sends for the exchange before, except where the leg
 * begins. */
static int prove_await(struct zoid_prove *p, const struct zoid_message *m)
{
    const struct zoid_datum *d = &m->datum;
    const struct zoid_prove_rank *rank = &p->rank[m->rank];
    const long exchange = rank->blocks ? rank->exchange + 1 : p->graph.leg.epochs + 1;
    const struct zoid_datum answer = answer_to(p, d, exchange - 1);
    const struct zoid_prove_datum *sent = zoid_prove_left(p, &answer);
    struct zoid_prove_datum *there = zoid_prove_find(p, d);

    if (!named(d, exchange))
        return zoid_prove_fail(p, "awaits %s for epoch %ld, which has other names",
                               zoid_prove_name(d).s, exchange);
    if (there->open)
        return zoid_prove_fail(p, "awaits %s, which it awaits already", zoid_prove_name(d).s);
    if (zoid_prove_lost(p, d))
        return -1;
    if (rank->blocks && !sent->open && sent->exchange == exchange - 1)
        return zoid_prove_fail(p, "awaits %s after %s was sent, which lets it come",
                               zoid_prove_name(d).s, zoid_prove_name(&answer).s);
    there->state = ZOID_UNWRITTEN;
    there->holdings = 0;
    there->exchange = exchange;
    there->open = true;
    return 0;
}

/* Shift planes to the first lap. On a circular line blocks count planes on from lap to lap; a slab
 * holds planes of one lap. */
static void count_from_0(const struct zoid_prove *p, struct zoid_box *box)
{
    const long n = p->whole.hi[p->chain];
    const long lap =
        zoid_chain_periodic(&p->graph.shape) ? zoid_floor_div(box->lo[p->chain], n) * n : 0;

    box->lo[p->chain] -= lap;
    box->hi[p->chain] -= lap;
}

/* Add to p->left the points of a patch in the planes that a slab of a cell holds at the end of the
 * epoch; joins supply those outside the cell's owned points. */
static int points_of_slab(struct zoid_prove *p, const struct zoid_datum *d, long col,
                          const struct zoid_patch *patch, long t)
{
    const struct zoid_prove_datum *slab = zoid_prove_find(
        p, &(struct zoid_datum){.kind = ZOID_SLAB, .row = zoid_message_from(d), .col = col});

    for (size_t i = 0; slab->state == ZOID_HELD && i < slab->holdings; i++) {
        struct zoid_view view = slab->holding[i].view;
        struct zoid_box box;

        if (!slab->holding[i].some)
            continue;
        view.patch = *patch;
        box = zoid_prove_planes(p, &view, &slab->holding[i].region, view.t1);
        if (zoid_box_empty(&box))
            continue;
        if (view.t0 != t || view.t1 != t)
            return zoid_prove_fail(p, "sends %s of time %ld, and its slab holds time %ld",
                                   zoid_prove_name(d).s, t, view.t0);
        for (int a = 0; a < p->chain; a++)
            if (!zoid_range_all(&patch->axis[a])) {
                box.lo[a] = patch->axis[a].lo;
                box.hi[a] = patch->axis[a].hi;
            }
        count_from_0(p, &box);
        if (zoid_boxes_push(&p->left, &box))
            return zoid_prove_no_memory(p);
    }
    return 0;
}

int zoid_prove_step(const struct zoid_prove *p, const struct zoid_datum *d)
{
    static const int stride[ZOID_AXES] = {1, 3, 9};
    const long towards = d->row / ZOID_MESSAGE_EPOCHS % DIRECTIONS;

    return (int)(towards / stride[p->chain] % 3) - 1;
}

struct zoid_range zoid_prove_near(const struct zoid_prove *p, const struct zoid_datum *d)
{
    const struct zoid_graph *g = &p->graph;
    const int step = zoid_prove_step(p, d);
    struct zoid_range own = zoid_cell_own(g, zoid_message_from(d), 0).axis[p->chain];
    long lo, hi;

    zoid_axis_reach(&g->shape, p->chain, &lo, &hi);
    /* Cells that read on one side only read on the other as well. */
    lo = zoid_max(lo, hi > 0) * g->epoch * g->shape.stages;
    hi = zoid_max(hi, lo > 0) * g->epoch * g->shape.stages;
    if (step < 0)
        own.hi = zoid_min(own.hi, own.lo + hi);
    if (step > 0)
        own.lo = zoid_max(own.lo, own.hi - lo);
    return own;
}

/* Make p->left the points of a patch that a message must have: those of its slab, or for a message
 * to a cell above or below, those near that cell of all slabs. */
static int points_beside(struct zoid_prove *p, const struct zoid_datum *d, struct zoid_patch patch,
                         long t)
{
    const int step = zoid_prove_step(p, d);
    int rc = 0;

    p->left.count = 0;
    if (zoid_axis_cut(&p->graph, p->chain))
        patch.axis[p->chain] = zoid_prove_near(p, d);
    for (long col = 0; col < p->own.kind[ZOID_SLAB].cols && !rc; col++)
        if (step || col == d->col)
            rc = points_of_slab(p, d, col, &patch, t);
    return rc;
}

/* Check that all points of the patch that the slab holds were left for the exchange. */
static int prove_whole(struct zoid_prove *p, const struct zoid_datum *d, long t)
{
    const struct zoid_prove_datum *left = zoid_prove_left(p, d);

    if (!left->holdings)
        return zoid_prove_fail(p, "sends %s, which holds nothing", zoid_prove_name(d).s);
    if (points_beside(p, d, zoid_message_patch(&p->graph, d), t))
        return -1;
    for (size_t i = 0; i < left->holdings; i++) {
        const struct zoid_prove_holding *holding = &left->holding[i];
        struct zoid_box box = zoid_prove_planes(p, &holding->view, &holding->region, t);

        count_from_0(p, &box);
        if (!zoid_box_empty(&box) && zoid_boxes_cut(&p->left, &box))
            return zoid_prove_no_memory(p);
    }
    if (p->left.count)
        return zoid_prove_fail(p, "sends %s without %s of time %ld", zoid_prove_name(d).s,
                               zoid_prove_where(p, &p->left).s, t);
    return 0;
}

void zoid_prove_arrive(struct zoid_prove *p, const struct zoid_datum *d)
{
    struct zoid_prove_datum *left = zoid_prove_left(p, d), *there = zoid_prove_find(p, d);
    const struct zoid_prove_datum came = *left;

    left->holdings = 0;
    left->state = ZOID_UNWRITTEN;
    left->open = false;
    if (zoid_prove_alone(p))
        return;
    left->holding = there->holding;
    left->room = there->room;
    there->holding = came.holding;
    there->room = came.room;
    there->holdings = came.holdings;
    there->state = ZOID_HELD;
    there->open = false;
}

static int prove_send(struct zoid_prove *p, const struct zoid_message *m)
{
    const struct zoid_datum *d = &m->datum;
    const long exchange = p->rank[m->rank].exchange;
    struct zoid_prove_datum *left = zoid_prove_left(p, d), *there = zoid_prove_find(p, d);

    if (!zoid_prove_alone(p) && (!there->open || there->exchange != exchange))
        return zoid_prove_fail(p, "sends %s for epoch %ld, which rank %d does not await",
                               zoid_prove_name(d).s, exchange, m->peer);
    if (ended(p) && !left->open) {
        there->open = false;
        left->exchange = exchange;
        return 0;
    }
    if (!left->open || left->exchange != exchange)
        return zoid_prove_fail(p, "sends %s, which nobody has left for epoch %ld",
                               zoid_prove_name(d).s, exchange);
    if (prove_whole(p, d, begin_of(p, exchange)) ||
        (zoid_prove_alone(p) && zoid_prove_placed(p, d, begin_of(p, exchange))))
        return -1;
    zoid_prove_arrive(p, d);
    return 0;
}

int zoid_prove_message(struct zoid_prove *p, const struct zoid_message *m)
{
    if (zoid_prove_alone(p) && m->rank != p->graph.rank)
        return zoid_prove_fail(p, "%s %s in the stream of rank %d", m->sends ? "sends" : "awaits",
                               zoid_prove_name(&m->datum).s, p->graph.rank);
    if (m->datum.kind == ZOID_RELAY)
        return zoid_prove_relay(p, m);
    if (prove_frame(p, m))
        return -1;
    return m->sends ? prove_send(p, m) : prove_await(p, m);
}

/* ---- the end ----------------------------------------------------------------------------- */

/* Judge a message that is still awaited when a leg has ended. That of another stream was never
 * read: it must be for the next leg. */
static int prove_unread(struct zoid_prove *p, const struct zoid_datum *d)
{
    const long exchange = zoid_prove_find(p, d)->exchange;

    if (!zoid_prove_foreign(p, d))
        return zoid_prove_fail(p, "awaits %s, which nobody sends", zoid_prove_name(d).s);
    return exchange == zoid_prove_next_epoch(p)
               ? prove_answered(p, d, exchange)
               : zoid_prove_fail(p, "awaits %s for epoch %ld, which no block reads",
                                 zoid_prove_name(d).s, exchange);
}

int zoid_prove_all_sent(struct zoid_prove *p)
{
    const struct zoid_numbering *n = &p->own;

    for (long row = 0; row < n->kind[ZOID_MESSAGE].rows; row++)
        for (long col = 0; col < n->kind[ZOID_MESSAGE].cols; col++) {
            const struct zoid_datum d = {.kind = ZOID_MESSAGE, .row = row, .col = col};
            const struct zoid_prove_datum *left = zoid_prove_left(p, &d);

            if (zoid_prove_find(p, &d)->open && prove_unread(p, &d))
                return -1;
            if (left->open && named(&d, left->exchange))
                return zoid_prove_fail(p, "leaves %s, which nobody sends", zoid_prove_name(&d).s);
        }
    if (zoid_prove_alone(p) && zoid_prove_all_exchanged(p))
        return -1;
    return zoid_prove_relays_sent(p);
}
