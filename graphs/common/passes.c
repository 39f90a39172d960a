/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/common/passes.h"

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"

int zoid_chain_lanes(const struct zoid_graph *graph)
{
    long lanes = graph->method->pipelined ? graph->lanes : 1;

    return (int)(graph->elastic ? 2 * lanes - 1 : lanes);
}

long zoid_chain_passes(const struct zoid_graph *graph)
{
    return zoid_ceil_div(graph->steps, graph->depth);
}

long zoid_chain_start(const struct zoid_graph *graph, long pass)
{
    return (graph->start + zoid_min(pass * graph->depth, graph->steps)) * graph->shape.stages;
}

void zoid_chain_near(const struct zoid_graph *graph, long *lo, long *hi)
{
    zoid_chain_reach(&graph->shape, lo, hi);
    if (graph->coefficients == ZOID_COEFFICIENTS_NEAR) {
        *lo = zoid_min(*lo, graph->coefficient_reach.lo);
        *hi = zoid_min(*hi, graph->coefficient_reach.hi);
    }
}

long zoid_chain_begin(const struct zoid_chain *chain, long pass)
{
    return zoid_chain_start(chain->graph, zoid_max(pass - chain->idle, 0));
}

long zoid_chain_end(const struct zoid_chain *chain, long pass)
{
    return zoid_chain_begin(chain, pass + 1);
}

double zoid_chain_planes(const struct zoid_graph *g)
{
    return (double)g->shape.n[zoid_chain(&g->shape)] * (double)g->steps * g->shape.stages;
}

struct zoid zoid_chain_zoid(const struct zoid_shape *shape, long t0, long t1, struct zoid_face face)
{
    struct zoid z = zoid_domain(shape, t0, t1);

    z.dim[zoid_chain(shape)] = face;
    return z;
}

void zoid_chain_shift(struct zoid *zoid, const struct zoid_graph *g, long planes)
{
    struct zoid_face *face = &zoid->dim[zoid_chain(&g->shape)];

    face->lo += planes;
    face->hi += planes;
}

void zoid_chain_shift_view(struct zoid_view *view, const struct zoid_graph *g, long planes)
{
    struct zoid_range *range = &view->patch.axis[zoid_chain(&g->shape)];
    const bool all = zoid_range_all(range);

    view->lo += planes;
    view->hi += planes;
    range->lo += all ? 0 : planes;
    range->hi += all ? 0 : planes;
}

static bool view_exists(const struct zoid_chain *chain, const struct zoid_view *view)
{
    return view->lo < view->hi && view->lo < zoid_cell_line(chain->graph) && view->hi > 0;
}

bool zoid_chain_slab(const struct zoid_chain *chain, struct zoid_datum datum, struct zoid_view in,
                     struct zoid_view out, struct zoid_access *access)
{
    unsigned mode =
        (view_exists(chain, &in) ? ZOID_READ : 0) | (view_exists(chain, &out) ? ZOID_WRITE : 0);

    *access = (struct zoid_access){.datum = datum,
                                   .mode = (enum zoid_mode)mode,
                                   .fills = mode == ZOID_READ && !zoid_patch_all(&in.patch),
                                   .in = in,
                                   .out = out};
    return mode != 0;
}

/* ---- epochs and laps --------------------------------------------------------------------- */

/* Passes of a full epoch. */
static long passes_of_epoch(const struct zoid_chain *chain)
{
    const struct zoid_graph *g = chain->graph;

    return zoid_cells(g) > 1 ? g->epoch / g->depth : zoid_max(chain->passes, 1);
}

/* Epoch of a pass, counted in this leg. */
static long own_epoch(const struct zoid_chain *chain, long pass)
{
    return zoid_max(pass - chain->idle, 0) / passes_of_epoch(chain);
}

long zoid_chain_epoch(const struct zoid_chain *chain, long pass)
{
    long before = chain->graph->leg.epochs;

    return pass < chain->idle ? zoid_max(before - 1, 0) : before + own_epoch(chain, pass);
}

/* First pass of an epoch, counted in this leg; the number of passes if there is no such epoch. */
static long first_pass(const struct zoid_chain *chain, long epoch)
{
    long pass = epoch ? epoch * passes_of_epoch(chain) + chain->idle : 0;

    return zoid_min(pass, chain->passes);
}

long zoid_chain_epoch_pass(const struct zoid_chain *chain, long epoch)
{
    return first_pass(chain, epoch - chain->graph->leg.epochs);
}

bool zoid_chain_awaits(const struct zoid_chain *chain, long epoch)
{
    const long before = epoch - 1 - chain->graph->leg.epochs;
    const long last = own_epoch(chain, chain->planned - 1);

    if (!chain->passes || before > own_epoch(chain, chain->passes - 1))
        return false;
    return before < last || chain->graph->leg.is != ZOID_LEG_ONLY;
}

long zoid_chain_epoch_end(const struct zoid_chain *chain, long epoch)
{
    return zoid_chain_begin(chain, first_pass(chain, epoch + 1 - chain->graph->leg.epochs));
}

long zoid_chain_epoch_times(const struct zoid_chain *chain, long epoch)
{
    const struct zoid_graph *g = chain->graph;
    long pass = first_pass(chain, epoch - g->leg.epochs);

    if (pass == chain->passes)
        return g->epoch * g->shape.stages;
    return zoid_chain_epoch_end(chain, epoch) - zoid_chain_begin(chain, pass);
}

long zoid_chain_last_epoch(const struct zoid_chain *chain)
{
    return chain->passes ? zoid_chain_epoch(chain, chain->passes - 1)
                         : zoid_max(chain->graph->leg.epochs - 1, 0);
}

bool zoid_chain_first_of_epoch(const struct zoid_chain *chain, long pass)
{
    return pass >= chain->idle && pass < chain->passes && zoid_chain_epoch(chain, pass) &&
           (pass - chain->idle) % passes_of_epoch(chain) == 0;
}

bool zoid_chain_leaves(const struct zoid_chain *chain, long pass)
{
    const struct zoid_graph *g = chain->graph;

    if (pass < chain->idle || zoid_cells(g) == 1)
        return false;
    return zoid_chain_first_of_epoch(chain, pass + 1) ||
           (pass + 1 == chain->passes && g->leg.is != ZOID_LEG_ONLY);
}

bool zoid_chain_may_end(const struct zoid_chain *chain, long lap)
{
    struct zoid_lap of = zoid_chain_lap(chain, lap);

    if (of.pass < chain->idle || of.pass + 1 == chain->passes || of.cell > 0)
        return false;
    return zoid_cells(chain->graph) == 1 || zoid_chain_first_of_epoch(chain, of.pass + 1);
}

bool zoid_chain_begins_epoch(const struct zoid_chain *chain, const struct zoid_block *b)
{
    return zoid_chain_first_of_epoch(chain, b->pass) &&
           b->zoid.t0 == zoid_chain_begin(chain, b->pass);
}

/* Epoch of a lap, counted in this leg, and its first lap. */
static long epoch_of_lap(const struct zoid_chain *chain, long lap, long *first)
{
    long cells = zoid_rank_cells(chain->graph), laps = cells * passes_of_epoch(chain);
    long epoch = zoid_max(lap - cells * chain->idle, 0) / laps;

    *first = cells * first_pass(chain, epoch);
    return epoch;
}

struct zoid_lap zoid_chain_lap(const struct zoid_chain *chain, long lap)
{
    long first, epoch = epoch_of_lap(chain, lap, &first);
    long passes = first_pass(chain, epoch + 1) - first_pass(chain, epoch);

    return (struct zoid_lap){.pass = first_pass(chain, epoch) + (lap - first) % passes,
                             .cell = (lap - first) / passes};
}

bool zoid_chain_same_epoch(const struct zoid_chain *chain, long lap, long other)
{
    long first;

    return epoch_of_lap(chain, lap, &first) == epoch_of_lap(chain, other, &first);
}

static long lap_of(const struct zoid_chain *chain, const struct zoid_block *b)
{
    long epoch = own_epoch(chain, b->pass), begin = first_pass(chain, epoch);
    const long cells = zoid_rank_cells(chain->graph);
    long passes = first_pass(chain, epoch + 1) - begin;

    return cells * begin + b->cell % cells * passes + b->pass - begin;
}

/* Return whether the lap after that of a pass takes its slabs over while they are in use: it is the
 * same cell's, and begins before the pass has ended. On a circular line a pass waits for the whole
 * previous one, and on a cut line an epoch does, so that no slab is in use between the two. */
static bool follows(const struct zoid_chain *chain, long pass)
{
    const struct zoid_graph *g = chain->graph;

    if (zoid_grid_round(g) || pass >= chain->passes)
        return false;
    return !zoid_chain_first_of_epoch(chain, pass) ||
           (zoid_rank_cells(g) == 1 && !zoid_grid_line_cut(g));
}

enum zoid_next zoid_chain_next(const struct zoid_chain *chain, const struct zoid_block *b)
{
    bool hand_on =
        follows(chain, b->pass + 1) && (lap_of(chain, b) + 1) % zoid_chain_lanes(chain->graph) != 0;

    return hand_on ? ZOID_NEXT_LANE : ZOID_NEXT_RAM;
}

bool zoid_chain_from_ram(const struct zoid_chain *chain, const struct zoid_block *b)
{
    return b->pass == 0 || !follows(chain, b->pass) ||
           lap_of(chain, b) % zoid_chain_lanes(chain->graph) == 0;
}
