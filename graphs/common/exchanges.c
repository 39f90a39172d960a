/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchange e supplies the ghost points with which epoch e begins: the cells of epoch e - 1 send
 * them. Slab by slab, when the last pass of that epoch has finished with one, a cell awaits the
 * slab's messages of exchange e + 1, then sends those of exchange e. A neighbour can send one of
 * exchange e + 1 only after it has computed epoch e, that is after it has received these, so the
 * message is awaited by then. Blocks of the same pass, on other slabs, may still read messages of
 * exchange e - 1; therefore names alternate among three. */
#include "graphs/common/exchanges.h"

#include "graphs/cell.h"
#include "graphs/common/cells.h"
#include "graphs/common/grid.h"
#include "graphs/common/joins.h"
#include "graphs/common/relays.h"

/* Messages of one exchange. Between cells that are not above one another along the chain axis each
 * slab has messages of its own; between others one message has all slabs, and is sent at the end of
 * the lap. */
struct exchange {
    const struct zoid_chain *chain;
    struct zoid_sink *sink;
    const struct zoid_block *after; /* the block that left what is sent; NULL: there is none */
    int round;                      /* of the sends after that block */
    long epoch, col;
    bool sends, along_chain;
};

static bool of_round(const struct exchange *x, const struct zoid_message_pair *pair)
{
    const struct zoid_graph *g = x->chain->graph;

    return !x->sends || !x->after || !g->joined ||
           zoid_message_axis(g, &pair->from, &pair->to) == x->round;
}

static int hand_over(void *self, const struct zoid_message_pair *pair)
{
    const struct exchange *x = self;
    const struct zoid_graph *g = x->chain->graph;
    const int chain = zoid_chain(&g->shape);
    int rc = 0;

    if ((pair->from.axis[chain] != pair->to.axis[chain]) != x->along_chain || !of_round(x, pair))
        return 0;
    if (x->sends && x->after)
        rc = zoid_chain_join(
            x->chain, &(struct zoid_joining){x->after, pair->from, pair->to, x->epoch, x->col},
            x->sink);
    if (rc)
        return rc;
    return x->sink->message(
        x->sink, &(struct zoid_message){
                     .datum = zoid_message_datum(g, &pair->from, &pair->to, x->epoch, x->col),
                     .rank = pair->rank,
                     .peer = pair->peer,
                     .sends = x->sends});
}

/* Exchange all messages of a cell's slab, if the slab holds any planes then. */
static int exchange_slab(struct exchange *x, long cell)
{
    const long pass = zoid_chain_epoch_pass(x->chain, x->epoch);

    if (!zoid_cell_has(x->chain, cell, pass, x->col))
        return 0;
    return zoid_message_pairs(x->chain->graph, cell, x->sends, hand_over, x);
}

/* Exchange the messages of a cell with all cells above and below it. */
static int exchange_ends(const struct exchange *of, long cell)
{
    struct exchange x = *of;

    x.along_chain = true;
    x.col = 0;
    return zoid_grid_line_cut(x.chain->graph)
               ? zoid_message_pairs(x.chain->graph, cell, x.sends, hand_over, &x)
               : 0;
}

static bool silent(const struct zoid_chain *chain, const struct zoid_sink *sink)
{
    return zoid_ranks(chain->graph) == 1 || !sink->message;
}

/* Exchange all messages of a cell. */
static int exchange_cell(const struct exchange *of, long cell)
{
    struct exchange x = *of;
    int rc = 0;

    for (x.col = 0; x.col < x.chain->cols && !rc; x.col++)
        rc = exchange_slab(&x, cell);
    return rc ? rc : exchange_ends(&x, cell);
}

/* Same for all cells of the stream. */
static int exchange_all(const struct exchange *x)
{
    const struct zoid_range cells = zoid_graph_cells(x->chain->graph);
    int rc = 0;

    for (long c = cells.lo; c < cells.hi && !rc; c++)
        rc = exchange_cell(x, c);
    return rc;
}

int zoid_chain_await_first(const struct zoid_chain *chain, struct zoid_sink *sink)
{
    const struct zoid_range cells = zoid_graph_cells(chain->graph);
    struct exchange x = {.chain = chain, .sink = sink, .epoch = chain->graph->leg.epochs + 1};
    int rc = 0;

    if (silent(chain, sink))
        return 0;
    for (long c = cells.lo; zoid_grid_relays(chain->graph) && c < cells.hi && !rc; c++)
        rc = zoid_relays_await(chain, c, x.epoch - 1, sink);
    return !rc && zoid_chain_awaits(chain, x.epoch) ? exchange_all(&x) : rc;
}

int zoid_chain_send_rest(const struct zoid_chain *chain, struct zoid_sink *sink)
{
    struct exchange x = {
        .chain = chain, .sink = sink, .epoch = zoid_chain_last_epoch(chain) + 1, .sends = true};

    if (silent(chain, sink) || zoid_chain_leaves(chain, chain->passes - 1))
        return 0;
    return zoid_chain_awaits(chain, x.epoch) ? exchange_all(&x) : 0;
}

/* Await the messages of slabs that emerge in an epoch: these exist at its end but not at its
 * beginning. */
static int await_emerging(const struct exchange *next, const struct zoid_block *b)
{
    const struct zoid_chain *chain = next->chain;
    const long begin = zoid_chain_epoch_pass(chain, next->epoch - 1);
    struct exchange x = *next;
    int rc = 0;

    for (x.col = 0; x.col < chain->cols && !rc; x.col++)
        if (!zoid_cell_has(chain, b->cell, begin, x.col))
            rc = exchange_slab(&x, b->cell);
    return rc;
}

/* Await messages before the sends of a block. On cut lines, where an epoch begins after the end of
 * the one before, all of them when the lap begins: no later time suits slabs that become the cell's
 * own as they drift. */
static int await_all(const struct exchange *next, const struct zoid_block *b)
{
    const struct zoid_chain *chain = next->chain;

    if (zoid_grid_line_cut(chain->graph))
        return b->position == chain->first(chain, b->pass) ? exchange_cell(next, b->cell) : 0;
    return b->position == chain->last(chain, b->pass) ? await_emerging(next, b) : 0;
}

/* True if a block is the last of an epoch to read relays or to leave planes for the cell below. */
static bool done_below(const struct zoid_chain *chain, const struct zoid_block *b)
{
    const struct zoid_graph *g = chain->graph;
    const int axis = zoid_chain(&g->shape);
    const struct zoid_face *face = &b->zoid.dim[axis];
    const long own = zoid_cell_own(g, b->cell, 0).axis[axis].lo;
    const long drift = face->dlo * (b->zoid.t1 - b->zoid.t0);
    long lo, hi, last;

    zoid_chain_reach(&g->shape, &lo, &hi);
    last = own + zoid_max(zoid_grid_most_beside(g, axis).hi, lo + zoid_max(hi, 1)) - 1;
    return zoid_chain_leaves(chain, b->pass) && face->lo + drift <= last && last < face->hi + drift;
}

/* Exchange after a block if passes go through ranks one after the other. */
static int exchange_in_order(const struct zoid_chain *chain, const struct zoid_block *b,
                             struct zoid_sink *sink)
{
    const long epoch = zoid_chain_epoch(chain, b->pass) + 1;
    const struct exchange next = {.chain = chain, .sink = sink, .epoch = epoch + 1};
    const struct exchange now = {
        .chain = chain, .sink = sink, .after = b, .epoch = epoch, .sends = true};
    int rc = zoid_relays_send(chain, b, sink);

    if (rc || !done_below(chain, b))
        return rc;
    rc = zoid_relays_await(chain, b->cell, epoch, sink);
    if (!rc && zoid_chain_awaits(chain, next.epoch))
        rc = exchange_ends(&next, b->cell);
    return rc ? rc : exchange_ends(&now, b->cell);
}

int zoid_chain_rounds(const struct zoid_chain *chain)
{
    return chain->graph->joined ? chain->graph->shape.dims : 1;
}

int zoid_chain_exchange(const struct zoid_chain *chain, const struct zoid_block *b, int round,
                        struct zoid_sink *sink)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass) + 1;
    struct exchange next = {.chain = chain, .sink = sink, .epoch = epoch + 1};
    struct exchange now = {
        .chain = chain, .sink = sink, .after = b, .round = round, .epoch = epoch, .sends = true};
    const bool more = !round && zoid_chain_awaits(chain, next.epoch);
    int rc = 0;

    if (silent(chain, sink))
        return 0;
    if (zoid_grid_relays(g))
        return exchange_in_order(chain, b, sink);
    if (!zoid_chain_leaves(chain, b->pass))
        return 0;
    if (more)
        rc = await_all(&next, b);
    for (size_t i = 0; i < b->ndone && !rc; i++) {
        next.col = now.col = b->done[i];
        if (more && !zoid_grid_line_cut(g))
            rc = exchange_slab(&next, b->cell);
        if (!rc)
            rc = exchange_slab(&now, b->cell);
    }
    return b->position == chain->last(chain, b->pass) && !rc ? exchange_ends(&now, b->cell) : rc;
}
