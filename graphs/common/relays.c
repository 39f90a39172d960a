/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of an in-order domain lean as their blocks do, and move back up when an epoch begins:
 *
 *     end          |   c - 1   |     c     |
 *                   \           \           \         /: c relays these planes to c + 1, at every
 *     epoch          \           \           \           time; at its end c leaves c - 1 the lowest
 *     begin           \           \           \          planes, oo, from which that begins again
 *     end of before |oo           |oo         |
 *     planes ->
 *
 * So passes go through ranks one after the other, as a pipelined wavefront: while a rank is at one
 * pass, the rank below is at the next. It reaches its highest planes after the ghost planes there
 * have arrived. Each rank awaits the relays of an epoch before it sends its lowest planes down, so
 * the highest part of a relay never arrives early; a part below it, left by another block, may
 * arrive an epoch early. */
#include "graphs/common/relays.h"

#include <limits.h>

#include "graphs/cell.h"
#include "graphs/common/grid.h"

struct zoid_range zoid_relay_faces(const struct zoid_chain *chain, long cell, long pass, long time)
{
    const struct zoid_graph *g = chain->graph;
    const int axis = zoid_chain(&g->shape);
    const struct zoid_range own = zoid_cell_own(g, cell, 0).axis[axis];
    const long left = zoid_chain_epoch_end(chain, zoid_chain_epoch(chain, pass)) - time;
    const long up = zoid_grid_beside(g, axis, left).hi - zoid_cell_base(g, cell);

    return (struct zoid_range){zoid_relay_below(cell) ? own.lo + up : LONG_MIN,
                               zoid_relay_above(g, cell) ? own.hi + up : LONG_MAX};
}

bool zoid_relay_above(const struct zoid_graph *g, long cell)
{
    return cell + 1 < zoid_cells(g);
}

bool zoid_relay_below(long cell)
{
    return cell > 0;
}

/* ---- names ------------------------------------------------------------------------------- */

struct zoid_datum zoid_relay_datum(const struct zoid_chain *chain, long cell, long pass, int part)
{
    const struct zoid_graph *g = chain->graph;
    const long passes = g->epoch / g->depth;
    const long first = zoid_chain_epoch_pass(chain, zoid_chain_epoch(chain, pass));

    return (struct zoid_datum){.kind = ZOID_RELAY,
                               .row = cell,
                               .col = part * passes + pass - first,
                               .owner = zoid_cell_rank(g, cell)};
}

/* A rank has one row for the relays that it sends, and one for those that it receives. */
long zoid_relay_rows(const struct zoid_graph *g)
{
    return g->rank == ZOID_EVERY_RANK ? zoid_cells(g) : 2;
}

long zoid_relay_row(const struct zoid_graph *g, const struct zoid_datum *relay)
{
    return relay->owner == g->rank ? 0 : 1;
}

/* ---- schedule ---------------------------------------------------------------------------- */

int zoid_relays_await(const struct zoid_chain *chain, long cell, long epoch, struct zoid_sink *sink)
{
    const long end = zoid_chain_epoch_pass(chain, epoch + 1);
    int rc = 0;

    for (long p = zoid_chain_epoch_pass(chain, epoch); zoid_relay_below(cell) && p < end; p++)
        for (int part = 0; part < chain->relays(chain, cell - 1, p) && !rc; part++) {
            const struct zoid_datum datum = zoid_relay_datum(chain, cell - 1, p, part);

            rc = sink->message(sink,
                               &(struct zoid_message){.datum = datum,
                                                      .rank = zoid_cell_rank(chain->graph, cell),
                                                      .peer = datum.owner});
        }
    return rc;
}

/* True if a block leaves the highest part, which is the last one of a relay to be left. */
static bool leaves_highest(const struct zoid_chain *chain, const struct zoid_block *b)
{
    const struct zoid_datum highest = zoid_relay_datum(chain, b->cell, b->pass, 0);
    bool leaves = false;

    for (size_t i = 0; i < b->naccess; i++)
        leaves |= b->access[i].datum.kind == ZOID_RELAY && b->access[i].mode & ZOID_WRITE &&
                  b->access[i].datum.col == highest.col;
    return leaves;
}

int zoid_relays_send(const struct zoid_chain *chain, const struct zoid_block *b,
                     struct zoid_sink *sink)
{
    const int parts = leaves_highest(chain, b) ? chain->relays(chain, b->cell, b->pass) : 0;
    int rc = 0;

    for (int part = 0; part < parts && !rc; part++)
        rc = sink->message(
            sink, &(struct zoid_message){.datum = zoid_relay_datum(chain, b->cell, b->pass, part),
                                         .rank = b->owner,
                                         .peer = b->owner + 1,
                                         .sends = true});
    return rc;
}
