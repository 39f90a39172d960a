/* SPDX-License-Identifier: BSD-3-Clause */
/* Relays between ranks in order: each datum is awaited, left, sent, read, in this order, once in
 * every epoch that has its pass. */
#include "graphs/sinks/prove_state.h"

/* Number of a pass, unique in the run, from 1 on: legs may have other depths. */
static long number_of(const struct zoid_prove *p, long epoch, const struct zoid_datum *d)
{
    const struct zoid_graph *g = &p->graph;

    return epoch * g->epoch + d->col % (g->epoch / g->depth) + 1;
}

int zoid_prove_relay_owner(struct zoid_prove *p, const struct zoid_datum *d, bool writes)
{
    const long cell = d->row + !writes;

    if (!p->block)
        return zoid_prove_fail(p, "accesses %s, which is no state", zoid_prove_name(d).s);
    return cell == p->block->cell
               ? 0
               : zoid_prove_fail(p, "%s %s, which is %s cell %ld", writes ? "leaves" : "takes",
                                 zoid_prove_name(d).s, writes ? "of" : "for", cell);
}

/* First and last time of a pass that relays have. */
static struct zoid_range times_of(const struct zoid_prove *p, long epoch,
                                  const struct zoid_datum *d)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_shape *s = &g->shape;
    const long steps =
        (epoch - g->leg.epochs) * g->epoch + d->col % (g->epoch / g->depth) * g->depth;
    const long begin = p->first + steps * s->stages;
    const long end = zoid_min(begin + g->depth * s->stages, zoid_prove_epoch_end(p, begin + 1));

    return (struct zoid_range){begin, end - (s->order[s->stages - 1] != ZOID_ASCENDING)};
}

/* Take a relay of another stream as it is read, in any slots. */
static int receive(struct zoid_prove *p, const struct zoid_access *a)
{
    const struct zoid_range pass = times_of(p, zoid_prove_epoch(p, p->block->pass), &a->datum);

    return zoid_prove_relayed(p, a, &pass) || zoid_prove_received(p, &a->datum, &a->in);
}

/* True for the highest part of a relay, which every pass has and which is sent first. */
static bool is_highest(const struct zoid_prove *p, const struct zoid_datum *d)
{
    return d->col < p->graph.epoch / p->graph.depth;
}

/* Check that a rank leaves the relays of every epoch. */
static int prove_in_turn(struct zoid_prove *p, const struct zoid_datum *d, long number)
{
    const long before = zoid_prove_left(p, d)->exchange;
    const long first = number_of(p, p->graph.leg.epochs, d);

    if (!zoid_prove_alone(p) || !is_highest(p, d) ||
        number == (before ? before + p->graph.epoch : first))
        return 0;
    return zoid_prove_fail(p, "leaves %s, and has not left it an epoch before",
                           zoid_prove_name(d).s);
}

int zoid_prove_relay_access(struct zoid_prove *p, const struct zoid_access *a)
{
    const struct zoid_datum *d = &a->datum;
    const struct zoid_graph *g = &p->graph;
    const long number = number_of(p, zoid_prove_epoch(p, p->block->pass), d);
    struct zoid_prove_datum *there = zoid_prove_accessed(p, a);

    if (d->col % (g->epoch / g->depth) != p->block->pass % (g->epoch / g->depth))
        return zoid_prove_fail(p, "accesses %s, which is another pass's", zoid_prove_name(d).s);
    if (zoid_prove_foreign(p, d) && there->open && there->exchange == number)
        return receive(p, a);
    if (!(a->mode & ZOID_WRITE))
        return !there->open && there->exchange == number
                   ? 0
                   : zoid_prove_fail(p, "reads %s, which has not come", zoid_prove_name(d).s);
    if (there->open || there->exchange == number)
        return zoid_prove_fail(p, "leaves %s, which it has left already", zoid_prove_name(d).s);
    if (prove_in_turn(p, d, number))
        return -1;
    there->open = true;
    there->exchange = number;
    return 0;
}

/* Message that allows a rank to begin an epoch: the cell above leaves it. */
static struct zoid_datum permit(const struct zoid_prove *p, const struct zoid_datum *d, long epoch)
{
    enum { DIRECTIONS = 27, MIDDLE = 13 };
    static const int stride[ZOID_AXES] = {1, 3, 9};
    const long pair = (d->row + 1) * DIRECTIONS + MIDDLE - stride[p->chain];

    return (struct zoid_datum){.kind = ZOID_MESSAGE,
                               .row = pair * ZOID_MESSAGE_EPOCHS + epoch % ZOID_MESSAGE_EPOCHS};
}

/* Check that the previous contents were read, and that the relay cannot have arrived yet, except
 * where the leg begins. */
static int prove_await(struct zoid_prove *p, const struct zoid_message *m)
{
    const struct zoid_datum *d = &m->datum;
    const struct zoid_prove_rank *rank = &p->rank[m->rank];
    const long epoch = rank->blocks ? rank->exchange : p->graph.leg.epochs;
    const struct zoid_datum lets = permit(p, d, epoch);
    struct zoid_prove_datum *there = zoid_prove_find(p, d);

    if (there->open)
        return zoid_prove_fail(p, "awaits %s, which it awaits already", zoid_prove_name(d).s);
    if (zoid_prove_lost(p, d))
        return -1;
    if (rank->blocks && !zoid_prove_left(p, &lets)->open &&
        zoid_prove_left(p, &lets)->exchange == epoch)
        return zoid_prove_fail(p, "awaits %s after %s was sent, which lets it come",
                               zoid_prove_name(d).s, zoid_prove_name(&lets).s);
    there->state = ZOID_UNWRITTEN;
    there->holdings = 0;
    there->exchange = number_of(p, epoch, d);
    there->open = true;
    return 0;
}

/* Check that a relay in the stream of one rank has all its parts when the first is sent. */
static int prove_whole(struct zoid_prove *p, const struct zoid_message *m)
{
    const struct zoid_range pass = times_of(p, p->rank[m->rank].exchange - 1, &m->datum);

    return is_highest(p, &m->datum) ? zoid_prove_relay_whole(p, &m->datum, &pass) : 0;
}

static int prove_send(struct zoid_prove *p, const struct zoid_message *m)
{
    const struct zoid_datum *d = &m->datum;
    const struct zoid_prove_datum *left = zoid_prove_left(p, d), *there = zoid_prove_find(p, d);

    if (!left->open)
        return zoid_prove_fail(p, "sends %s, which nobody has left", zoid_prove_name(d).s);
    if (zoid_prove_alone(p) ? prove_whole(p, m) : !there->open || there->exchange != left->exchange)
        return zoid_prove_fail(p, "sends %s, which rank %d does not await", zoid_prove_name(d).s,
                               m->peer);
    zoid_prove_arrive(p, d);
    return 0;
}

int zoid_prove_relay(struct zoid_prove *p, const struct zoid_message *m)
{
    const struct zoid_datum *d = &m->datum;
    const char *verb = m->sends ? "sends" : "awaits";

    if (zoid_number(&p->own, d) < 0)
        return zoid_prove_fail(p, "%s %s, which the census does not have", verb,
                               zoid_prove_name(d).s);
    if (d->owner != d->row || m->rank != d->row + !m->sends || m->peer != d->row + m->sends)
        return zoid_prove_fail(p, "%s %s of rank %d %s rank %d", verb, zoid_prove_name(d).s,
                               d->owner, m->sends ? "to" : "from", m->peer);
    return m->sends ? prove_send(p, m) : prove_await(p, m);
}

/* Check that the stream of one rank has left all relays of its last epoch. */
static int prove_last(struct zoid_prove *p)
{
    const struct zoid_graph *g = &p->graph;
    const long last = zoid_prove_next_epoch(p) - 1;
    const long steps = last < g->leg.epochs ? 0 : g->steps - (last - g->leg.epochs) * g->epoch;

    for (long pass = 0; pass * g->depth < steps && p->own.kind[ZOID_RELAY].cols; pass++) {
        const struct zoid_datum d = {.kind = ZOID_RELAY, .row = g->rank, .col = pass};

        if (g->rank + 1 < p->ranks && zoid_prove_left(p, &d)->exchange != number_of(p, last, &d))
            return zoid_prove_fail(p, "never leaves %s in epoch %ld", zoid_prove_name(&d).s, last);
    }
    return 0;
}

int zoid_prove_relays_sent(struct zoid_prove *p)
{
    const struct zoid_numbering *n = &p->own;

    for (long row = 0; row < n->kind[ZOID_RELAY].rows; row++)
        for (long col = 0; col < n->kind[ZOID_RELAY].cols; col++) {
            const struct zoid_datum d = {.kind = ZOID_RELAY, .row = row, .col = col};

            if (zoid_prove_find(p, &d)->open || zoid_prove_left(p, &d)->open)
                return zoid_prove_fail(p, "%s %s, which nobody sends",
                                       zoid_prove_left(p, &d)->open ? "leaves" : "awaits",
                                       zoid_prove_name(&d).s);
        }
    return zoid_prove_alone(p) ? prove_last(p) : 0;
}
