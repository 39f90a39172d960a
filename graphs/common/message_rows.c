/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of messages: by name in the graph of all ranks; in one rank's census sent messages come
 * first, then received ones. */
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/common/messages.h"
#include "graphs/common/relays.h"
#include "graphs/message.h"

/* Messages that are counted: those that cells send, or those that they receive. */
struct flow {
    const struct zoid_graph *graph;
    bool sends;
};

/* Number of neighbours of a cell, itself included: of the same rank, and of other ranks that it
 * exchanges messages with. Neighbours are all combinations of one along each axis. */
struct beside {
    long same, other;
};

/* Combine the neighbours along two axes. Messages go to cells of another rank along one axis or
 * both; along both only if ranks do not exchange axis by axis. */
static struct beside combine(const struct zoid_graph *g, struct beside a, struct beside b)
{
    return (struct beside){a.same * b.same, a.same * b.other + a.other * b.same +
                                                (g->joined ? 0 : a.other * b.other)};
}

static struct beside plus(struct beside a, struct beside b)
{
    return (struct beside){a.same + b.same, a.other + b.other};
}

/* Neighbours of the i-th cell of its rank along an axis. */
static struct beside beside_of(const struct flow *f, int axis, long rank, long i)
{
    const struct zoid_graph *g = f->graph;
    const long cells = zoid_cells_along(g, axis), share = zoid_rank_cells_along(g, axis);
    const long own = rank * share + i;
    struct beside n = {0, 0};

    if (!zoid_axis_cut(g, axis))
        return (struct beside){1, 0};
    for (long at = own - 1; at <= own + 1; at++)
        if (zoid_message_goes_along(g, axis, f->sends ? own : at, f->sends ? at : own)) {
            const bool same = zoid_modulo(at, cells) / share == rank;

            n.same += same;
            n.other += !same;
        }
    return n;
}

/* Sum over the first `end` cells of a rank. All but the first and the last cell are alike. */
static struct beside beside_all(const struct flow *f, int axis, long rank, long end)
{
    const long share = zoid_rank_cells_along(f->graph, axis);
    const long first = end > 0, last = end == share && share > 1;
    const long between = end - first - last;
    const struct beside a = beside_of(f, axis, rank, 0), b = beside_of(f, axis, rank, 1),
                        c = beside_of(f, axis, rank, share - 1);

    return (struct beside){first * a.same + between * b.same + last * c.same,
                           first * a.other + between * b.other + last * c.other};
}

/* Number of messages that the cells of a rank before one send, or receive; `index`: of that cell,
 * within the rank. */
static long pairs_before(const struct flow *f, long rank, const long index[])
{
    const struct zoid_graph *g = f->graph;
    /* row: of all cells along the axes so far; sum: of those before. */
    struct beside row = {1, 0}, sum = {0, 0};

    for (int a = 0; a < ZOID_AXES; a++) {
        const long share = zoid_rank_cells_along(g, a), at = rank % zoid_ranks_along(g, a);
        const struct beside before = beside_all(f, a, at, index[a]);
        const struct beside own = beside_of(f, a, at, zoid_min(index[a], share - 1));
        const struct beside line = beside_all(f, a, at, share);

        rank /= zoid_ranks_along(g, a);
        sum = plus(combine(g, sum, own), combine(g, row, before));
        row = combine(g, row, line);
    }
    return sum.other;
}

static long pairs_of_rank(const struct flow *f, long rank)
{
    const struct zoid_graph *g = f->graph;
    struct beside all = {1, 0};

    for (int a = 0; a < ZOID_AXES; a++) {
        const long at = rank % zoid_ranks_along(g, a);

        all = combine(g, all, beside_all(f, a, at, zoid_rank_cells_along(g, a)));
        rank /= zoid_ranks_along(g, a);
    }
    return all.other;
}

/* Returns the buffers of a sent message: one for all epochs, since each is sent before more planes
 * are left in it. Ranks that are apart may share the buffers of the receiver, its owner. */
static int sent_names(const struct zoid_graph *g)
{
    return g->apart ? ZOID_MESSAGE_EPOCHS : 1;
}

long zoid_message_rows(const struct zoid_graph *g)
{
    if (g->rank == ZOID_EVERY_RANK)
        return zoid_ranks(g) > 1 ? zoid_cells(g) * ZOID_DIRECTIONS * ZOID_MESSAGE_EPOCHS : 0;
    if (zoid_ranks(g) == 1)
        return 0;
    return sent_names(g) * pairs_of_rank(&(struct flow){g, true}, g->rank) +
           ZOID_MESSAGE_EPOCHS * pairs_of_rank(&(struct flow){g, false}, g->rank);
}

struct naming {
    const struct zoid_graph *graph;
    struct zoid_datum *next;
    bool sends;
};

static int name_pair(void *self, const struct zoid_message_pair *pair)
{
    struct naming *n = self;
    const int names = n->sends ? sent_names(n->graph) : ZOID_MESSAGE_EPOCHS;

    for (int e = 0; e < names; e++)
        *n->next++ = zoid_message_datum(n->graph, &pair->from, &pair->to, e, 0);
    return 0;
}

void zoid_rank_messages(const struct zoid_graph *g, struct zoid_datum *message)
{
    const struct zoid_range cells = zoid_graph_cells(g);
    struct naming n = {g, message, true};

    for (long c = cells.lo; c < cells.hi; c++)
        zoid_message_pairs(g, c, true, name_pair, &n);
    n.sends = false;
    for (long c = cells.lo; c < cells.hi; c++)
        zoid_message_pairs(g, c, false, name_pair, &n);
}

/* Index, among the messages that a cell sends or receives, of the one to or from its neighbour in a
 * direction. */
static long pair_of_cell(const struct flow *f, long cell, int direction)
{
    const struct zoid_graph *g = f->graph;
    const struct zoid_cell_index own = zoid_cell_beside(g, cell, ZOID_MIDDLE);
    long before = 0;

    for (int d = 0; d < direction; d++)
        if (zoid_direction_cut(g, d)) {
            const struct zoid_cell_index other = zoid_cell_beside(g, cell, d);

            before += zoid_message_goes(g, f->sends ? &own : &other, f->sends ? &other : &own);
        }
    return before;
}

/* Row in one rank's census: sent messages come first, then received ones. */
static long message_row(const struct zoid_graph *g, const struct zoid_datum *message)
{
    const bool sends = message->owner == g->rank;
    const struct flow flow = {g, sends};
    const long cell = sends ? zoid_message_from(message) : zoid_message_to(g, message);
    const int towards = zoid_message_direction(message);
    const long index[] = {zoid_grid_index(g, cell, 0) % zoid_rank_cells_along(g, 0),
                          zoid_grid_index(g, cell, 1) % zoid_rank_cells_along(g, 1),
                          zoid_grid_index(g, cell, 2) % zoid_rank_cells_along(g, 2)};
    const long pair = pairs_before(&flow, g->rank, index) +
                      pair_of_cell(&flow, cell, sends ? towards : ZOID_DIRECTIONS - 1 - towards);

    if (sends)
        return pair * sent_names(g) + message->row % sent_names(g);
    return pairs_of_rank(&(struct flow){g, true}, g->rank) * sent_names(g) +
           pair * ZOID_MESSAGE_EPOCHS + message->row % ZOID_MESSAGE_EPOCHS;
}

/* Columns come last: both ranks know how many rows the sender has. Relays have one of their own. */
long zoid_message_number(const struct zoid_graph *g, const struct zoid_datum *message)
{
    const long rows = zoid_rank_cells(g) * ZOID_DIRECTIONS * ZOID_MESSAGE_EPOCHS;
    const long row = message->kind == ZOID_RELAY ? rows : message->row - message->owner * rows;

    return message->col * (rows + 1) + row;
}

long zoid_rank_row(const struct zoid_graph *g, const struct zoid_census_row *rows,
                   const struct zoid_datum *datum)
{
    if (g->rank == ZOID_EVERY_RANK || zoid_ranks(g) == 1)
        return datum->row;
    if (datum->kind == ZOID_RELAY)
        return zoid_relay_row(g, datum);
    return datum->kind == ZOID_MESSAGE ? message_row(g, datum) : datum->row - g->rank * rows->rows;
}
