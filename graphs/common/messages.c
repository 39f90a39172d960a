/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchange e brings what epoch e begins with: the cells of epoch e - 1 send it. Slab by slab, when
 * the last pass of that epoch has done with one, a cell awaits the slab's messages of exchange
 * e + 1, then sends those of exchange e. A neighbour can send one of exchange e + 1 only when it
 * has computed epoch e, that is after it got what was sent here, and by then it is awaited. Blocks
 * of the same pass, on other slabs, may still read what exchange e - 1 has brought; so names take
 * turns in threes. */
#include "graphs/common/messages.h"

#include "graphs/common/arith.h"
#include "graphs/common/cells.h"
#include "graphs/common/grid.h"
#include "graphs/common/joins.h"

/* ---- who leaves whom what ---------------------------------------------------------------- */

/* How many cells a direction goes along an axis. */
static int step_along(int direction, int axis)
{
    static const int stride[ZOID_AXES] = {1, 3, 9};

    return direction / stride[axis] % 3 - 1;
}

bool zoid_direction_cut(const struct zoid_graph *g, int direction)
{
    bool all = true;

    for (int a = 0; a < ZOID_AXES; a++)
        all &= zoid_axis_cut(g, a) || !step_along(direction, a);
    return all;
}

struct zoid_cell_index zoid_cell_beside(const struct zoid_graph *g, long cell, int direction)
{
    struct zoid_cell_index at;

    for (int a = 0; a < ZOID_AXES; a++)
        at.axis[a] = zoid_grid_index(g, cell, a) + step_along(direction, a);
    return at;
}

static int direction_of(const struct zoid_cell_index *from, const struct zoid_cell_index *to)
{
    return (int)(to->axis[0] - from->axis[0] + 3 * (to->axis[1] - from->axis[1]) +
                 9 * (to->axis[2] - from->axis[2])) +
           ZOID_MIDDLE;
}

/* Whether there is a cell with such an index along an axis. */
static bool along(const struct zoid_graph *g, int axis, long i)
{
    return zoid_axis_periodic(&g->shape, axis) || (i >= 0 && i < zoid_cells_along(g, axis));
}

/* Whether there are messages from a cell with such an index along an axis to one with another. Who
 * is above looks below its own. */
static bool goes_along(const struct zoid_graph *g, int axis, long from, long to)
{
    const struct zoid_range more = zoid_grid_most_beside(g, axis);

    if (from == to)
        return true;
    return zoid_axis_cut(g, axis) && along(g, axis, from) && along(g, axis, to) &&
           (to > from ? more.lo : more.hi) > 0;
}

bool zoid_message_goes(const struct zoid_graph *g, const struct zoid_cell_index *from,
                       const struct zoid_cell_index *to)
{
    int axis, apart;

    if (zoid_ranks(g) == 1)
        return false;
    for (int a = 0; a < ZOID_AXES; a++)
        if (!goes_along(g, a, from->axis[a], to->axis[a]))
            return false;
    apart = zoid_grid_apart(g, from->axis, to->axis, &axis);
    return g->joined ? apart == 1 : apart > 0;
}

bool zoid_ranks_apart(const struct zoid_graph *g, const struct zoid_cell_index *from,
                      const struct zoid_cell_index *to)
{
    int axis;

    return zoid_grid_apart(g, from->axis, to->axis, &axis) > 0;
}

/* The axis that a message of two ranks that exchange axis by axis goes along. */
static int axis_of(const struct zoid_graph *g, const struct zoid_cell_index *from,
                   const struct zoid_cell_index *to)
{
    int axis = 0;

    zoid_grid_apart(g, from->axis, to->axis, &axis);
    return axis;
}

struct zoid_datum zoid_message_datum(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                     const struct zoid_cell_index *to, long epoch, long col)
{
    const long cell = zoid_grid_cell(g, from->axis);
    const long pair = cell * ZOID_DIRECTIONS + direction_of(from, to);

    return (struct zoid_datum){.kind = ZOID_MESSAGE,
                               .row = pair * ZOID_MESSAGE_EPOCHS + epoch % ZOID_MESSAGE_EPOCHS,
                               .col = col,
                               .owner = zoid_cell_rank(g, cell)};
}

struct zoid_patch zoid_message_own(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                   const struct zoid_cell_index *to)
{
    struct zoid_patch patch = zoid_grid_patch(g, from->axis, 0);

    for (int a = 0; a < zoid_chain(&g->shape); a++) {
        const struct zoid_range more = zoid_grid_most_beside(g, a);
        struct zoid_range *left = &patch.axis[a], own;

        if (!zoid_axis_cut(g, a))
            continue;
        own = zoid_grid_own(g, a, to->axis[a], 0);
        left->lo = zoid_max(left->lo, own.lo - more.lo);
        left->hi = zoid_min(left->hi, own.hi + more.hi);
    }
    return patch;
}

/* What goes to a cell that lies aside, in the same rank as one that does not, that one has. */
bool zoid_message_adds(const struct zoid_graph *g, const struct zoid_cell_index *from,
                       const struct zoid_cell_index *to, int axis, int step)
{
    struct zoid_cell_index beside = *from;

    beside.axis[axis] += step;
    return g->joined && axis < axis_of(g, from, to) && from->axis[axis] == to->axis[axis] &&
           zoid_message_goes(g, &beside, from);
}

struct zoid_patch zoid_message_whole(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                     const struct zoid_cell_index *to)
{
    struct zoid_patch patch = zoid_message_own(g, from, to);

    for (int a = 0; a < zoid_chain(&g->shape); a++) {
        const struct zoid_range more = zoid_grid_most_beside(g, a);

        if (zoid_message_adds(g, from, to, a, -1))
            patch.axis[a].lo -= more.lo;
        if (zoid_message_adds(g, from, to, a, 1))
            patch.axis[a].hi += more.hi;
    }
    return patch;
}

long zoid_message_from(const struct zoid_datum *message)
{
    return message->row / ZOID_MESSAGE_EPOCHS / ZOID_DIRECTIONS;
}

static int direction_in(const struct zoid_datum *message)
{
    return (int)(message->row / ZOID_MESSAGE_EPOCHS % ZOID_DIRECTIONS);
}

long zoid_message_to(const struct zoid_graph *g, const struct zoid_datum *message)
{
    const struct zoid_cell_index to =
        zoid_cell_beside(g, zoid_message_from(message), direction_in(message));

    return zoid_grid_cell(g, to.axis);
}

struct zoid_patch zoid_message_patch(const struct zoid_graph *g, const struct zoid_datum *message)
{
    const long cell = zoid_message_from(message);
    const struct zoid_cell_index from = zoid_cell_beside(g, cell, ZOID_MIDDLE);
    const struct zoid_cell_index to = zoid_cell_beside(g, cell, direction_in(message));

    return zoid_message_whole(g, &from, &to);
}

long zoid_message_planes(const struct zoid_graph *g, const struct zoid_census *census,
                         const struct zoid_datum *message)
{
    const int chain = zoid_chain(&g->shape), step = step_along(direction_in(message), chain);
    const struct zoid_range more = zoid_grid_most_beside(g, chain);

    if (!step)
        return census->kind[ZOID_SLAB].planes;
    return message->col ? 0 : step > 0 ? more.lo : more.hi;
}

/* Calls for the messages that cells of the stream's ranks leave others, or take from them. */
struct pair {
    struct zoid_cell_index from, to;
    int rank, peer;
};
typedef int pair_fn(void *self, const struct pair *pair);

static int each_pair(const struct zoid_graph *g, long cell, bool sends, pair_fn *call, void *self)
{
    const struct zoid_cell_index own = zoid_cell_beside(g, cell, ZOID_MIDDLE);
    int rc = 0;

    for (int d = 0; d < ZOID_DIRECTIONS && !rc; d++) {
        struct zoid_cell_index other;
        struct pair pair;

        if (!zoid_direction_cut(g, d))
            continue;
        other = zoid_cell_beside(g, cell, d);
        pair = (struct pair){.from = sends ? own : other, .to = sends ? other : own};
        if (!zoid_message_goes(g, &pair.from, &pair.to))
            continue;
        pair.rank = zoid_cell_rank(g, cell);
        pair.peer = zoid_cell_rank(g, zoid_grid_cell(g, other.axis));
        rc = call(self, &pair);
    }
    return rc;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Neighbours that messages may go to and come from, the cell itself among them: those of the same
 * rank, and those that get messages. Neighbours of a cell are all combinations of one along each
 * axis. */
struct beside {
    long same, other;
};

/* What two cells' neighbours along different axes come to: messages go to who is of another rank
 * along either of them, or along both; or where ranks exchange axis by axis, not along both. */
static struct beside combine(const struct zoid_graph *g, struct beside a, struct beside b)
{
    return (struct beside){a.same * b.same, a.same * b.other + a.other * b.same +
                                                (g->joined ? 0 : a.other * b.other)};
}

static struct beside plus(struct beside a, struct beside b)
{
    return (struct beside){a.same + b.same, a.other + b.other};
}

/* Of the i-th cell of its rank along an axis. */
static struct beside beside_of(const struct zoid_graph *g, int axis, long rank, long i)
{
    const long cells = zoid_cells_along(g, axis), share = zoid_rank_cells_along(g, axis);
    const long own = rank * share + i;
    struct beside n = {0, 0};

    for (long to = own - 1; to <= own + 1; to++)
        if (goes_along(g, axis, own, to)) {
            const bool same = zoid_modulo(to, cells) / share == rank;

            n.same += same;
            n.other += !same;
        }
    return n;
}

/* Of the first `end` cells of a rank together. All but the first and the last are alike. */
static struct beside beside_all(const struct zoid_graph *g, int axis, long rank, long end)
{
    const long share = zoid_rank_cells_along(g, axis);
    const long first = end > 0, last = end == share && share > 1;
    const long between = end - first - last;
    const struct beside a = beside_of(g, axis, rank, 0), b = beside_of(g, axis, rank, 1),
                        c = beside_of(g, axis, rank, share - 1);

    return (struct beside){first * a.same + between * b.same + last * c.same,
                           first * a.other + between * b.other + last * c.other};
}

/* How many messages go from the cells of a rank that come before one, whose indices in the rank
 * these are, and as many come to them. */
static long pairs_before(const struct zoid_graph *g, long rank, const long index[])
{
    struct beside row = {1, 0}, sum = {0, 0}; /* of all cells along the axes so far, and of these */

    for (int a = 0; a < ZOID_AXES; a++) {
        const long share = zoid_rank_cells_along(g, a), at = rank % zoid_ranks_along(g, a);
        const struct beside before = beside_all(g, a, at, index[a]);
        const struct beside own = beside_of(g, a, at, zoid_min(index[a], share - 1));
        const struct beside line = beside_all(g, a, at, share);

        rank /= zoid_ranks_along(g, a);
        sum = plus(combine(g, sum, own), combine(g, row, before));
        row = combine(g, row, line);
    }
    return sum.other;
}

static long pairs_of_rank(const struct zoid_graph *g, long rank)
{
    return pairs_before(g, rank, (const long[]){0, 0, zoid_rank_cells_along(g, 2)});
}

/* A rank keeps one datum for all epochs of what it sends, since it is sent before more is left. */
long zoid_message_rows(const struct zoid_graph *g)
{
    if (g->rank == ZOID_EVERY_RANK)
        return zoid_ranks(g) > 1 ? zoid_cells(g) * ZOID_DIRECTIONS * ZOID_MESSAGE_EPOCHS : 0;
    return zoid_ranks(g) > 1 ? (1 + ZOID_MESSAGE_EPOCHS) * pairs_of_rank(g, g->rank) : 0;
}

struct naming {
    const struct zoid_graph *graph;
    struct zoid_datum *next;
    bool sends;
};

static int name_pair(void *self, const struct pair *pair)
{
    struct naming *n = self;
    const int names = n->sends ? 1 : ZOID_MESSAGE_EPOCHS;

    for (int e = 0; e < names; e++)
        *n->next++ = zoid_message_datum(n->graph, &pair->from, &pair->to, e, 0);
    return 0;
}

void zoid_rank_messages(const struct zoid_graph *g, struct zoid_datum *message)
{
    const struct zoid_range cells = zoid_graph_cells(g);
    struct naming n = {g, message, true};

    for (long c = cells.lo; c < cells.hi; c++)
        each_pair(g, c, true, name_pair, &n);
    n.sends = false;
    for (long c = cells.lo; c < cells.hi; c++)
        each_pair(g, c, false, name_pair, &n);
}

/* Which of the messages that a cell sends, or gets, is that from or to its neighbour in a
 * direction.
 */
static long pair_of_cell(const struct zoid_graph *g, long cell, int direction)
{
    const struct zoid_cell_index own = zoid_cell_beside(g, cell, ZOID_MIDDLE);
    long before = 0;

    for (int d = 0; d < direction; d++)
        if (zoid_direction_cut(g, d)) {
            const struct zoid_cell_index other = zoid_cell_beside(g, cell, d);

            before += zoid_message_goes(g, &own, &other);
        }
    return before;
}

/* The rows of what a rank sends, then those of what it gets. */
static long message_row(const struct zoid_graph *g, const struct zoid_datum *message)
{
    const bool sends = message->owner == g->rank;
    const long cell = sends ? zoid_message_from(message) : zoid_message_to(g, message);
    const int towards = direction_in(message);
    const long index[] = {zoid_grid_index(g, cell, 0) % zoid_rank_cells_along(g, 0),
                          zoid_grid_index(g, cell, 1) % zoid_rank_cells_along(g, 1),
                          zoid_grid_index(g, cell, 2) % zoid_rank_cells_along(g, 2)};
    const long pair = pairs_before(g, g->rank, index) +
                      pair_of_cell(g, cell, sends ? towards : ZOID_DIRECTIONS - 1 - towards);

    if (sends)
        return pair;
    return pairs_of_rank(g, g->rank) + pair * ZOID_MESSAGE_EPOCHS +
           message->row % ZOID_MESSAGE_EPOCHS;
}

long zoid_rank_row(const struct zoid_graph *g, const struct zoid_census_row *rows,
                   const struct zoid_datum *datum)
{
    if (g->rank == ZOID_EVERY_RANK || zoid_ranks(g) == 1)
        return datum->row;
    return datum->kind == ZOID_MESSAGE ? message_row(g, datum) : datum->row - g->rank * rows->rows;
}

/* ---- when -------------------------------------------------------------------------------- */

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

static bool of_round(const struct exchange *x, const struct pair *pair)
{
    const struct zoid_graph *g = x->chain->graph;

    return !x->sends || !x->after || !g->joined || axis_of(g, &pair->from, &pair->to) == x->round;
}

static int hand_over(void *self, const struct pair *pair)
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
    return each_pair(x->chain->graph, cell, x->sends, hand_over, x);
}

/* Those of a cell with all that are above and below it. */
static int exchange_ends(const struct exchange *of, long cell)
{
    struct exchange x = *of;

    x.along_chain = true;
    x.col = 0;
    return zoid_grid_line_cut(x.chain->graph)
               ? each_pair(x.chain->graph, cell, x.sends, hand_over, &x)
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
