/* SPDX-License-Identifier: BSD-3-Clause */
/* In two dimensions, x before y:
 *
 *     | C |       the corner c of D goes to B with D's message along x; B adds it to its message
 *     +---+---    along y, which takes it to C with the other points. So a cell receives one
 *     | b c       message per side.
 *     | B | D
 */
#include "graphs/common/joins.h"

#include "graphs/cell.h"
#include "graphs/common/cells.h"
#include "graphs/common/grid.h"

/* Planes of the cell's slab at the end of its lap. */
static struct zoid_view slab_after(const struct zoid_chain *chain, const struct zoid_block *b,
                                   long col)
{
    struct zoid_view view = chain->planes(chain, b->pass + 1, col);

    view.t0 = view.t1 = zoid_chain_end(chain, b->pass);
    return view;
}

/* Append reads of the messages from both sides along an axis, if other ranks sent them. */
static void take_axis(const struct zoid_chain *chain, const struct zoid_joining *j, int axis,
                      const struct zoid_view *slab, long col, struct zoid_join *join,
                      struct zoid_access *access)
{
    const struct zoid_graph *g = chain->graph;

    for (int step = -1; step <= 1; step += 2) {
        struct zoid_access *a = &access[join->naccess];
        struct zoid_cell_index beside = j->from;

        if (!zoid_message_adds(g, &j->from, &j->to, axis, step))
            continue;
        beside.axis[axis] += step;
        *a = (struct zoid_access){.datum = zoid_message_datum(g, &beside, &j->from, j->epoch, col),
                                  .mode = ZOID_READ,
                                  .in = *slab};
        a->in.patch = zoid_message_whole(g, &beside, &j->from);
        zoid_chain_shift_view(&a->in, g, zoid_cell_base(g, j->after->cell));
        join->naccess++;
    }
}

/* Emit the join for the planes that one slab has of a message. */
static int join_slab(const struct zoid_chain *chain, const struct zoid_joining *j, long col,
                     struct zoid_sink *sink)
{
    const struct zoid_graph *g = chain->graph;
    const struct zoid_block *b = j->after;
    struct zoid_access access[ZOID_JOIN_MOST];
    struct zoid_join join = {.owner = b->owner,
                             .pass = b->pass,
                             .cell = b->cell,
                             .position = b->position,
                             .naccess = 1,
                             .access = access};
    struct zoid_view slab = slab_after(chain, b, col), part = slab;
    const bool all = zoid_cell_clip_to(g, &part, &j->from, &j->to);

    if (part.lo >= part.hi)
        return 0;
    slab.slot += part.lo - slab.lo;
    slab.lo = part.lo;
    slab.hi = part.hi;
    for (int a = 0; a < zoid_chain(&g->shape); a++)
        take_axis(chain, j, a, &slab, col, &join, access);
    if (join.naccess == 1)
        return 0;
    zoid_chain_shift_view(&part, g, zoid_cell_base(g, b->cell));
    access[0] =
        (struct zoid_access){.datum = zoid_message_datum(g, &j->from, &j->to, j->epoch, j->col),
                             .mode = ZOID_UPDATE,
                             .keeps = !all,
                             .in = part,
                             .out = part,
                             .next = ZOID_NEXT_RAM};
    access[0].in.patch = zoid_message_own(g, &j->from, &j->to);
    access[0].out.patch = zoid_message_whole(g, &j->from, &j->to);
    return sink->join(sink, &join);
}

int zoid_chain_join(const struct zoid_chain *chain, const struct zoid_joining *j,
                    struct zoid_sink *sink)
{
    const int axis = zoid_chain(&chain->graph->shape);
    int rc = 0;

    if (!sink->join || !chain->graph->joined)
        return 0;
    if (j->from.axis[axis] == j->to.axis[axis])
        return join_slab(chain, j, j->col, sink);
    for (long col = 0; col < chain->cols && !rc; col++)
        rc = join_slab(chain, j, col, sink);
    return rc;
}
