/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells: what a method that cuts the chain axis does with whole planes, it does with those of one
 * cell after the other, for an epoch each.
 *
 *            |  c-1  |   c   |  c+1  |
 *   end of           |       |                 the cell's own points
 *   epoch           /         \
 *   begin         /             \              and as many beside them as its blocks look at: a
 * window y ->    |oo|           |oo|
 *
 * Slabs hold windows. An epoch leaves them with the cell's own points, and beside each of them a
 * *halo*, the rim of all the slab's planes (oo), which the blocks that begin the next epoch put
 * into the windows of the neighbours. Within an epoch planes have all points that are right at
 * their time. So a cell is to its neighbours what an overlapped slab is to its own: nothing within
 * an epoch waits for another cell, and points between two are computed twice. Where borders move
 * from one epoch to the next, rims are as much wider as they move. */
#include "graphs/common/cells.h"

#include <limits.h>

#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/common/messages.h"

static struct zoid_range beside_of(const struct zoid_chain *chain, int axis, long epoch)
{
    return zoid_grid_beside(chain->graph, axis, zoid_chain_epoch_times(chain, epoch));
}

void zoid_cell_clip(const struct zoid_chain *chain, struct zoid_block *b)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const long left = zoid_chain_epoch_end(chain, epoch) - b->zoid.t0;
    const struct zoid_patch patch = zoid_cell_own(g, b->cell, epoch);

    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        const struct zoid_range own = patch.axis[a], more = zoid_grid_beside(g, a, 1);

        if (!zoid_axis_cut(g, a))
            continue;
        b->region.dim[a] = (struct zoid_face){own.lo - left * more.lo, own.hi + left * more.hi,
                                              (int)more.lo, -(int)more.hi};
        if (zoid_axis_periodic(&g->shape, a))
            b->zoid.dim[a] = b->region.dim[a];
    }
}

/* ---- halos --------------------------------------------------------------------------------- */

/* Indices of cells along both axes: [lo, hi) of each. */
struct partners {
    struct zoid_range axis[ZOID_PLANE_AXES];
};

/* What cells with index i along an axis have left when an epoch begins, or need then. */
typedef struct zoid_range along_fn(const struct zoid_chain *chain, int axis, long i, long epoch);

static struct zoid_range left_along(const struct zoid_chain *chain, int axis, long i, long epoch)
{
    return zoid_grid_own(chain->graph, axis, i, epoch - 1);
}

static struct zoid_range need_along(const struct zoid_chain *chain, int axis, long i, long epoch)
{
    struct zoid_range own = zoid_grid_own(chain->graph, axis, i, epoch);
    struct zoid_range more = beside_of(chain, axis, epoch);

    return (struct zoid_range){own.lo - more.lo, own.hi + more.hi};
}

/* Which cells a cell exchanges points with: those whose points meet its own ones. */
struct exchange {
    along_fn *theirs, *own;
};
static const struct exchange givers = {left_along, need_along}, takers = {need_along, left_along};

static struct zoid_range partners_along(const struct zoid_chain *chain, int axis, long i,
                                        long epoch, const struct exchange *with)
{
    const bool circle = zoid_axis_periodic(&chain->graph->shape, axis);
    const long first = circle ? LONG_MIN : 0;
    const long end = circle ? LONG_MAX : zoid_cells_along(chain->graph, axis);
    const struct zoid_range own = with->own(chain, axis, i, epoch);
    struct zoid_range p = {i, i};

    while (p.lo > first && with->theirs(chain, axis, p.lo - 1, epoch).hi > own.lo)
        p.lo--;
    while (p.lo < end && with->theirs(chain, axis, p.lo, epoch).hi <= own.lo)
        p.lo++;
    for (p.hi = p.lo; p.hi < end && with->theirs(chain, axis, p.hi, epoch).lo < own.hi;)
        p.hi++;
    return p;
}

static struct partners partners_of(const struct zoid_chain *chain, long cell, long epoch,
                                   const struct exchange *with)
{
    struct partners p = {{{0, 1}, {0, 1}}};

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (zoid_axis_cut(chain->graph, a))
            p.axis[a] =
                partners_along(chain, a, zoid_grid_index(chain->graph, cell, a), epoch, with);
    return p;
}

/* What an epoch takes of what one cell has left for another: a message, or where both are of one
 * rank, the halo that it left for all. Halos that an epoch takes are kept apart from those of the
 * next one. */
static struct zoid_datum left_for(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                  const struct zoid_cell_index *to, long epoch, long col)
{
    if (zoid_message_goes(g, from, to))
        return zoid_message_datum(g, from, to, epoch, col);
    return (struct zoid_datum){
        .kind = ZOID_HALO, .row = 2 * zoid_grid_cell(g, from->axis) + epoch % 2, .col = col};
}

static bool same(const struct zoid_cell_index *a, const struct zoid_cell_index *b)
{
    return a->axis[0] == b->axis[0] && a->axis[1] == b->axis[1];
}

/* The first of some partners, and the one after another; false if there is none. */
static bool first_of(const struct partners *p, struct zoid_cell_index *at)
{
    *at = (struct zoid_cell_index){{p->axis[0].lo, p->axis[1].lo}};
    return p->axis[0].lo < p->axis[0].hi && p->axis[1].lo < p->axis[1].hi;
}

static bool next_of(const struct partners *p, struct zoid_cell_index *at)
{
    if (++at->axis[0] < p->axis[0].hi)
        return true;
    at->axis[0] = p->axis[0].lo;
    return ++at->axis[1] < p->axis[1].hi;
}

struct zoid_patch zoid_cell_kept(const struct zoid_chain *chain, const struct zoid_block *b)
{
    if (!zoid_chain_begins_epoch(chain, b))
        return (struct zoid_patch){{{0, 0}, {0, 0}}};
    return zoid_cell_own(chain->graph, b->cell, zoid_chain_epoch(chain, b->pass) - 1);
}

void zoid_cell_take(const struct zoid_chain *chain, struct zoid_block *b,
                    struct zoid_access *access, const struct zoid_cell_slab *slab)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const struct zoid_cell_index own = zoid_cell_beside(g, b->cell, ZOID_MIDDLE);
    struct zoid_cell_index at;
    struct partners p;

    if (!zoid_chain_begins_epoch(chain, b))
        return;
    p = partners_of(chain, b->cell, epoch, &givers);
    for (bool some = first_of(&p, &at); some; some = next_of(&p, &at)) {
        struct zoid_access a = {
            .datum = left_for(g, &at, &own, epoch, slab->col), .mode = ZOID_READ, .in = slab->view};

        if (same(&at, &own))
            continue;
        a.in.patch = a.datum.kind == ZOID_MESSAGE ? zoid_message_patch(g, &at, &own, epoch)
                                                  : zoid_grid_patch(g, at.axis, epoch - 1);
        access[b->naccess++] = a;
    }
}

/* Whether indices are the first ones among partners that stand for their cell: round a periodic
 * axis others may come. */
static bool once(const struct zoid_graph *g, const struct partners *p,
                 const struct zoid_cell_index *at)
{
    bool first = true;

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        first &= at->axis[a] < p->axis[a].lo + zoid_cells_along(g, a);
    return first;
}

void zoid_cell_fetch(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_datum *fetch,
                     long col)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const struct zoid_cell_index own = zoid_cell_beside(g, b->cell, ZOID_MIDDLE);
    struct zoid_cell_index at;
    struct partners p;

    if (!zoid_chain_first_of_epoch(chain, b->pass))
        return;
    p = partners_of(chain, b->cell, epoch, &givers);
    for (bool some = first_of(&p, &at); some; some = next_of(&p, &at)) {
        const struct zoid_datum datum = left_for(g, &at, &own, epoch, col);

        if (!same(&at, &own) && (datum.kind == ZOID_MESSAGE || once(g, &p, &at)))
            fetch[b->nfetch++] = datum;
    }
}

/* Whether an epoch has anybody of its rank who takes points of a cell, beside itself. */
static bool wanted(const struct zoid_chain *chain, long epoch, long cell)
{
    const struct zoid_cell_index own = zoid_cell_beside(chain->graph, cell, ZOID_MIDDLE);
    const struct partners p = partners_of(chain, cell, epoch, &takers);
    struct zoid_cell_index at;

    for (bool some = first_of(&p, &at); some; some = next_of(&p, &at))
        if (!same(&at, &own) && !zoid_message_goes(chain->graph, &own, &at))
            return true;
    return false;
}

/* The block that takes a slab when its pass begins comes before all others that leave planes of it.
 * It writes anew what is left for others, also where it has none of its planes itself; the others
 * keep the rest. */
static void leave(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_access *access,
                  const struct zoid_access *slab, struct zoid_datum datum, struct zoid_patch patch)
{
    const bool first = slab->mode & ZOID_READ && b->zoid.t0 == zoid_chain_begin(chain, b->pass);
    struct zoid_view view = slab->out;

    if (b->zoid.t1 < zoid_chain_end(chain, b->pass) || view.hi < view.lo)
        view.hi = view.lo;
    if (!first && view.lo == view.hi)
        return;
    view.patch = patch;
    access[b->naccess++] =
        (struct zoid_access){.datum = datum,
                             .mode = ZOID_WRITE,
                             .keeps = slab->keeps && !first,
                             .out = view,
                             .next = datum.kind == ZOID_MESSAGE ? ZOID_NEXT_RAM : slab->next};
}

void zoid_cell_leave(const struct zoid_chain *chain, struct zoid_block *b,
                     struct zoid_access *access, const struct zoid_access *slab, bool done)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass) + 1;
    const struct zoid_cell_index own = zoid_cell_beside(g, b->cell, ZOID_MIDDLE);

    if (!zoid_chain_leaves(chain, b->pass))
        return;
    if (wanted(chain, epoch, b->cell))
        leave(chain, b, access, slab, left_for(g, &own, &own, epoch, slab->datum.col),
              zoid_grid_patch(g, own.axis, epoch - 1));
    for (int d = 0; d < ZOID_DIRECTIONS; d++) {
        const struct zoid_cell_index to = zoid_cell_beside(g, b->cell, d);

        if (zoid_message_goes(g, &own, &to))
            leave(chain, b, access, slab, zoid_message_datum(g, &own, &to, epoch, slab->datum.col),
                  zoid_message_patch(g, &own, &to, epoch));
    }
    if (done)
        chain->done[b->ndone++] = slab->datum.col;
}

/* ---- how many ------------------------------------------------------------------------------ */

/* The most cells that a cell takes points of along an axis, itself among them. */
static long most_partners(const struct zoid_graph *g, int axis)
{
    struct zoid_range more = zoid_grid_most_beside(g, axis);
    long cells = zoid_cells_along(g, axis), moves = zoid_grid_shift(g, axis),
         least = zoid_grid_widths(g, axis).lo;
    long below = zoid_ceil_div(more.lo + moves, least),
         above = zoid_ceil_div(more.hi + moves, least);

    if (!zoid_axis_cut(g, axis))
        return 1;
    return 1 + (zoid_axis_periodic(&g->shape, axis)
                    ? below + above
                    : zoid_min(below, cells - 1) + zoid_min(above, cells - 1));
}

static bool rims(const struct zoid_graph *g)
{
    struct zoid_rim rim = zoid_cell_rim_most(g);

    return zoid_rim_patches(&rim).n > 0;
}

static void halo_census(const struct zoid_chain *chain, struct zoid_census *c)
{
    const struct zoid_graph *g = chain->graph;
    const struct zoid_census_row *slab = &c->kind[ZOID_SLAB];
    const struct zoid_range cells = zoid_graph_cells(g);
    const long around = most_partners(g, 0) * most_partners(g, 1) - 1;

    if (zoid_rank_cells(g) > 1)
        c->max_halos = chain->max_slabs * around + chain->max_left;
    if (zoid_ranks(g) > 1)
        c->max_messages = chain->max_slabs * around + chain->max_left * (ZOID_DIRECTIONS - 1);
    c->max_access += c->max_halos + c->max_messages;
    if (zoid_epochs(g) == 1 && g->leg.is == ZOID_LEG_ONLY)
        return;
    if (zoid_rank_cells(g) > 1 && rims(g))
        c->kind[ZOID_HALO] =
            (struct zoid_census_row){2 * (cells.hi - cells.lo), slab->cols, slab->planes};
    if (zoid_message_rows(g))
        c->kind[ZOID_MESSAGE] =
            (struct zoid_census_row){zoid_message_rows(g), slab->cols, slab->planes};
}

void zoid_cell_census(const struct zoid_chain *chain, struct zoid_census *c)
{
    const struct zoid_graph *g = chain->graph;
    const struct zoid_range own = zoid_graph_cells(g);
    const long cells = own.hi - own.lo;

    if (zoid_cells(g) == 1)
        return;
    c->blocks *= cells;
    c->planes *= (double)cells;
    c->about.serial /= (double)cells;
    c->kind[ZOID_SLAB].rows *= cells;
    c->kind[ZOID_EDGE].rows *= cells;
    c->kind[ZOID_COEFFICIENT].rows *= cells;
    if (g->rank == ZOID_EVERY_RANK)
        c->kind[ZOID_REUSE].rows *= zoid_ranks(g);
    halo_census(chain, c);
}
