/* SPDX-License-Identifier: BSD-3-Clause */
/* Census of cells: the data and accesses that they add to those of one cell, and the planes that
 * they compute. */
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/cells.h"
#include "graphs/common/grid.h"
#include "graphs/common/messages.h"
#include "graphs/common/relays.h"
#include "graphs/rim.h"
#include "graphs/volume.h"

/* Maximum number of cells along an axis that a cell reads points of, itself included. */
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
    const int axis = zoid_chain(&g->shape);
    const struct zoid_range more = zoid_grid_most_beside(g, axis), own = zoid_graph_cells(g);
    const struct zoid_census_row *slab = &c->kind[ZOID_SLAB];
    const long rows = 2 * (own.hi - own.lo), end = zoid_max(more.lo, more.hi);
    const long around = most_partners(g, 0) * most_partners(g, 1) * most_partners(g, 2) - 1;
    const bool ends = zoid_rank_cells_along(g, axis) > 1;

    if (zoid_rank_cells(g) > 1)
        c->max_halos = chain->max_slabs * around + chain->max_left * (ends ? 3 : 1);
    if (zoid_ranks(g) > 1)
        c->max_messages = chain->max_slabs * around + chain->max_left * (ZOID_DIRECTIONS - 1);
    c->max_access += c->max_halos + c->max_messages;
    if (zoid_grid_relays(g)) {
        /* A block reads all parts of one relay, and writes a part of another. */
        c->max_access += ZOID_RELAY_PARTS + 1;
        c->kind[ZOID_RELAY].rows = c->kind[ZOID_RELAY].cols ? zoid_relay_rows(g) : 0;
    }
    if (zoid_epochs(g) == 1 && g->leg.is == ZOID_LEG_ONLY)
        return;
    if (zoid_rank_cells(g) > zoid_rank_cells_along(g, axis) && rims(g))
        c->kind[ZOID_HALO] = (struct zoid_census_row){rows, slab->cols, slab->planes};
    if (ends && end)
        c->kind[ZOID_END] = (struct zoid_census_row){rows, 2, end};
    if (zoid_message_rows(g))
        c->kind[ZOID_MESSAGE] = (struct zoid_census_row){
            zoid_message_rows(g), slab->cols,
            zoid_max(slab->planes, zoid_ranks_along(g, axis) > 1 ? end : 0)};
}

/* Planes that a block computes over all times. */
static double planes_of_block(const struct zoid_graph *g, const struct zoid_block *b)
{
    struct zoid zoid = b->zoid, region = b->region;

    for (int a = 0; a < ZOID_AXES; a++)
        if (a != zoid_chain(&g->shape))
            zoid.dim[a] = region.dim[a] = (struct zoid_face){.hi = 1};
    return (double)zoid_volume(&zoid, &region);
}

/* Place a block at a position of its pass; its region is already set. */
static void put(const struct zoid_chain *chain, struct zoid_block *b, long position)
{
    b->zoid = chain->zoid(chain, b->pass, position);
    zoid_chain_shift(&b->zoid, chain->graph, zoid_cell_base(chain->graph, b->cell));
}

/* True if the region contains the block's zoid along the chain axis. */
static bool whole(const struct zoid_graph *g, const struct zoid_block *b)
{
    const struct zoid_block alone = {.zoid = b->zoid, .region = b->zoid};

    return planes_of_block(g, b) == planes_of_block(g, &alone);
}

/* The ends of a zoid along an axis, at the time at which it goes farthest. */
static long lowest(const struct zoid *z, int axis)
{
    const struct zoid_face *f = &z->dim[axis];

    return f->lo + zoid_min(f->dlo * (z->t1 - z->t0), 0);
}

static long highest(const struct zoid *z, int axis)
{
    const struct zoid_face *f = &z->dim[axis];

    return f->hi + zoid_max(f->dhi * (z->t1 - z->t0), 0);
}

/* True if a block reaches above the low end of its region; so do all blocks after it. */
static bool reaches(const struct zoid_block *b, int axis)
{
    return highest(&b->zoid, axis) > lowest(&b->region, axis);
}

/* True if it begins at the region's high end or above. */
static bool passes(const struct zoid_block *b, int axis)
{
    return lowest(&b->zoid, axis) >= highest(&b->region, axis);
}

/* Returns the first of the positions [lo, hi) whose block is so, as those after it are; hi: none.
 */
static long first_that(bool so(const struct zoid_block *b, int axis),
                       const struct zoid_chain *chain, struct zoid_block *b, long lo, long hi)
{
    while (lo < hi) {
        const long middle = lo + (hi - lo) / 2;

        put(chain, b, middle);
        if (so(b, zoid_chain(&chain->graph->shape)))
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* Planes that overlapping blocks compute. The blocks that the region does not clip compute equal
 * numbers, except for the last one. */
static double planes_of_blocks(const struct zoid_chain *chain, struct zoid_block *b)
{
    const struct zoid_graph *g = chain->graph;
    const long end = chain->last(chain, b->pass) + 1;
    long first = first_that(reaches, chain, b, chain->first(chain, b->pass), end);
    long last = first_that(passes, chain, b, first, end) - 1;
    double planes = 0;

    for (; first <= last; first++) {
        put(chain, b, first);
        if (whole(g, b))
            break;
        planes += planes_of_block(g, b);
    }
    for (bool some = true; some && first <= last; last--) {
        put(chain, b, last);
        planes += planes_of_block(g, b);
        put(chain, b, last - 1);
        some = !whole(g, b);
    }
    return first <= last ? planes + (double)(last - first + 1) * planes_of_block(g, b) : planes;
}

/* Planes that the blocks of a cell compute in a pass: those of its region, or if blocks overlap,
 * the sum over all blocks. */
static double planes_of_pass(const struct zoid_chain *chain, long pass, long cell)
{
    const struct zoid_graph *g = chain->graph;
    const long begin = zoid_chain_begin(chain, pass);
    struct zoid_block b = {.pass = pass,
                           .cell = cell,
                           .zoid = zoid_domain(&g->shape, begin, zoid_chain_end(chain, pass))};

    b.region = b.zoid;
    zoid_cell_clip(chain, &b);
    if (chain->overlaps)
        return planes_of_blocks(chain, &b);
    b.zoid.dim[zoid_chain(&g->shape)] = b.region.dim[zoid_chain(&g->shape)];
    return planes_of_block(g, &b);
}

/* Planes of passes [first, end) of all cells. Cells differ by their chain position. */
static double planes_of_passes(const struct zoid_chain *chain, long first, long end)
{
    const struct zoid_graph *g = chain->graph;
    const struct zoid_range cells = zoid_graph_cells(g);
    const int axis = zoid_chain(&g->shape);
    const long abreast = zoid_rank_cells(g) / zoid_rank_cells_along(g, axis);
    double planes = 0;

    for (long c = cells.lo; c < cells.hi; c += abreast)
        for (long pass = first; pass < end; pass++)
            planes += planes_of_pass(chain, pass, c);
    return planes * (double)abreast;
}

/* Planes if lines are cut. All full epochs compute the same. */
static double planes_of_lines(const struct zoid_chain *chain)
{
    const struct zoid_graph *g = chain->graph;
    const long passes = g->epoch / g->depth, full = g->steps / g->epoch, first = chain->idle;
    double planes = 0;

    if (full)
        planes = (double)full * planes_of_passes(chain, first, first + passes);
    return planes +
           planes_of_passes(chain, zoid_min(first + full * passes, chain->passes), chain->passes);
}

void zoid_cell_census(const struct zoid_chain *chain, struct zoid_census *c)
{
    const struct zoid_graph *g = chain->graph;
    const struct zoid_range own = zoid_graph_cells(g);
    const long cells = own.hi - own.lo;

    if (zoid_cells(g) == 1)
        return;
    c->blocks *= cells;
    c->planes = zoid_grid_line_cut(g) ? planes_of_lines(chain) : c->planes * (double)cells;
    c->about.serial /= (double)cells;
    c->kind[ZOID_SLAB].rows *= cells;
    c->kind[ZOID_EDGE].rows *= cells;
    c->kind[ZOID_COEFFICIENT].rows *= cells;
    c->kind[ZOID_MEMORY].rows *= cells;
    if (g->rank == ZOID_EVERY_RANK)
        c->kind[ZOID_REUSE].rows *= zoid_ranks(g);
    halo_census(chain, c);
}
