/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchange e brings what epoch e begins with: the cells of epoch e - 1 send it. Slab by slab, when
 * the last pass of that epoch has done with one, a cell awaits the slab's messages of exchange
 * e + 1, then sends those of exchange e. A neighbour can send one of exchange e + 1 only when it
 * has computed epoch e, that is after it got what was sent here, and by then it is awaited. Blocks
 * of the same pass, on other slabs, may still read what exchange e - 1 has brought; so names take
 * turns in threes. */
#include "graphs/common/exchanges.h"

#include "graphs/common/cells.h"
#include "graphs/common/grid.h"
#include "graphs/common/joins.h"

/* Between cells that are not above one another along the chain axis each slab has messages of its
 * own; between others all slabs have one together, which goes when the lap has ended. */
struct exchange {
    const struct zoid_chain *chain;
    struct zoid_sink *sink;
    const struct zoid_block *after; /* what it sends it has left; NULL: nothing was left */
    int round;                      /* of what it sends after that */
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

/* All messages of a cell's slab in an exchange, if the slab holds any planes then. */
static int exchange_slab(struct exchange *x, long cell)
{
    const long pass = zoid_chain_epoch_pass(x->chain, x->epoch);

    if (!zoid_cell_has(x->chain, cell, pass, x->col))
        return 0;
    return zoid_message_pairs(x->chain->graph, cell, x->sends, hand_over, x);
}

/* Those of a cell with all that are above and below it. */
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

/* All messages of a cell in an exchange. */
static int exchange_cell(const struct exchange *of, long cell)
{
    struct exchange x = *of;
    int rc = 0;

    for (x.col = 0; x.col < x.chain->cols && !rc; x.col++)
        rc = exchange_slab(&x, cell);
    return rc ? rc : exchange_ends(&x, cell);
}

/* The same of all cells of the stream. */
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
    struct exchange x = {.chain = chain, .sink = sink, .epoch = chain->graph->leg.epochs + 1};

    return !silent(chain, sink) && zoid_chain_awaits(chain, x.epoch) ? exchange_all(&x) : 0;
}

int zoid_chain_send_rest(const struct zoid_chain *chain, struct zoid_sink *sink)
{
    struct exchange x = {
        .chain = chain, .sink = sink, .epoch = zoid_chain_last_epoch(chain) + 1, .sends = true};

    if (silent(chain, sink) || zoid_chain_leaves(chain, chain->passes - 1))
        return 0;
    return zoid_chain_awaits(chain, x.epoch) ? exchange_all(&x) : 0;
}

/* Slabs that emerge in an epoch are there at its end and not at its beginning. */
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

/* What comes before the sends of a block: where lines are cut, and so an epoch begins when the one
 * before has ended, all at once when the lap begins, since no other time would do for slabs that
 * come to be the cell's own as they drift. */
static int await_all(const struct exchange *next, const struct zoid_block *b)
{
    const struct zoid_chain *chain = next->chain;

    if (zoid_grid_line_cut(chain->graph))
        return b->position == chain->first(chain, b->pass) ? exchange_cell(next, b->cell) : 0;
    return b->position == chain->last(chain, b->pass) ? await_emerging(next, b) : 0;
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

    if (silent(chain, sink) || !zoid_chain_leaves(chain, b->pass))
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
