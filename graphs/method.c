/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/graph.h"
#include "graphs/method.h"
#include "graphs/reach.h"

const struct zoid_method *const zoid_methods[] = {&zoid_naive,   &zoid_trapezoid, &zoid_overlapped,
                                                  &zoid_leaning, &zoid_recursive, NULL};

const struct zoid_method *zoid_method_find(const char *name)
{
    for (size_t i = 0; zoid_methods[i]; i++)
        if (!strcmp(zoid_methods[i]->name, name))
            return zoid_methods[i];
    return NULL;
}

static bool any_face_open(const struct zoid_shape *s)
{
    for (int a = 0; a < s->dims; a++)
        if (zoid_face_open(s, a, ZOID_LOW) || zoid_face_open(s, a, ZOID_HIGH))
            return true;
    return false;
}

/* Feature of the stages' iteration order that the method does not support, or NULL. */
static const char *refuses_order(const struct zoid_method *m, const struct zoid_shape *s)
{
    bool ascends = false, descends = false;

    for (int i = 0; i < s->stages; i++) {
        ascends = ascends || s->order[i] > 0;
        descends = descends || s->order[i] < 0;
    }
    if (!ascends && !descends)
        return NULL;
    if (ascends && descends)
        return "sweeps in both orders in one step";
    if (descends)
        return "sweeps in descending order";
    if (any_face_open(s))
        return "sweeps in order at open faces";
    return m->in_order ? NULL : "sweeps in order";
}

const char *zoid_method_refuses(const struct zoid_method *method, const struct zoid_shape *shape)
{
    const char *order = refuses_order(method, shape);

    return order || !method->refuses ? order : method->refuses(shape);
}

static void clamp(long *value, long most, bool *clamped)
{
    if (*value > most) {
        *value = most;
        *clamped = true;
    }
}

static bool borders_ascend(const struct zoid_graph *g, int axis)
{
    const struct zoid_axis_cells *cut = &g->cut[axis];
    const long grain = zoid_max(zoid_axis_grain(&g->shape, axis), 1);

    for (long e = 0; e < cut->epochs; e++) {
        const long *border = cut->border + e * (cut->cells + 1);

        for (long i = 0; i < cut->cells; i++)
            if (border[i] >= border[i + 1] || border[i] % grain)
                return false;
        if (border[0] != 0 || border[cut->cells] != g->shape.n[axis])
            return false;
    }
    return cut->epochs > 0;
}

/* True if a cut suits in-order stages: cells one above the other, one on each rank, without memory,
 * which they do not hand on. */
static bool one_a_rank(const struct zoid_graph *g, int axis)
{
    return zoid_in_order(&g->shape) && !zoid_remembers(&g->shape) &&
           axis == zoid_chain(&g->shape) && g->cut[axis].cells == zoid_ranks_along(g, axis);
}

/* Clamp the cells to one per grain along an axis, unless `border` places them. */
static int clamp_cells(struct zoid_graph *g, bool *clamped)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        const long grain = zoid_axis_grain(&g->shape, a);
        struct zoid_axis_cells *cut = &g->cut[a];

        if (cut->cells < 0 || (cut->cells > 1 && (a >= g->shape.dims || !g->method->cells ||
                                                  (grain == ZOID_UNCUT && !one_a_rank(g, a)))))
            return ZOID_GRAPH_BAD_CELLS;
        if (cut->cells > 1 && cut->border && !borders_ascend(g, a))
            return ZOID_GRAPH_BAD_CELLS;
        if (cut->cells > 1 && cut->border && a == zoid_chain(&g->shape) && cut->epochs > 1)
            return ZOID_GRAPH_BAD_CELLS;
        if (cut->cells > 1 && !cut->border)
            clamp(&cut->cells, zoid_ceil_div(g->shape.n[a], zoid_max(grain, 1)), clamped);
    }
    return g->epoch < 0 ? ZOID_GRAPH_BAD_CELLS : 0;
}

/* True if all ranks own equal numbers of cells, at fixed borders. */
static bool deals_evenly(const struct zoid_graph *g)
{
    if (g->rank != ZOID_EVERY_RANK && (g->rank < 0 || g->rank >= zoid_ranks(g)))
        return false;
    for (int a = 0; a < ZOID_AXES; a++)
        if (g->ranks[a] < 0 || zoid_cells_along(g, a) % zoid_ranks_along(g, a) ||
            (zoid_ranks(g) > 1 && zoid_axis_cut(g, a) && g->cut[a].border && g->cut[a].epochs > 1))
            return false;
    return true;
}

/* Maximum epoch: if the points of a block wrap around the domain, shorter epochs are cheaper. */
static long max_epoch(const struct zoid_graph *g)
{
    long most = LONG_MAX;

    for (int a = 0; a < ZOID_AXES; a++) {
        long lo, hi;

        if (!zoid_axis_cut(g, a) || !zoid_axis_periodic(&g->shape, a))
            continue;
        zoid_axis_reach(&g->shape, a, &lo, &hi);
        lo = g->shape.n[a] / zoid_max(g->shape.stages * zoid_max(lo, hi), 1);
        most = zoid_min(most, zoid_max(lo, 1));
    }
    return most;
}

/* Maximum steps of passes and epochs. Legs share the epoch, however few their steps are. */
static long most_steps(const struct zoid_graph *g)
{
    return zoid_cells(g) > 1 && g->leg.is != ZOID_LEG_ONLY ? LONG_MAX : zoid_max(g->steps, 1);
}

/* Clamp the epoch, then the depth to a divisor of it: an epoch is whole passes. */
static void clamp_epoch(struct zoid_graph *g, bool *clamped)
{
    if (zoid_cells(g) == 1) {
        g->epoch = 0;
        return;
    }
    if (!g->epoch) {
        clamp(&g->depth, max_epoch(g), clamped);
        g->epoch = g->depth;
        return;
    }
    clamp(&g->epoch, zoid_min(max_epoch(g), most_steps(g)), clamped);
    clamp(&g->depth, g->epoch, clamped);
    while (g->epoch % g->depth)
        clamp(&g->depth, g->depth - 1, clamped);
}

/* The limits of a method depend on the planes of a cell, these on the epoch, and the epoch on the
 * depth, since it is whole passes: iterate until the depth is stable. */
static void clamp_passes(struct zoid_graph *g, bool *clamped)
{
    const struct zoid_method *m = g->method;
    const long epoch = g->epoch, line = zoid_grid_line_asked(g);
    long depth;

    clamp(&g->depth, m->single_step ? 1 : most_steps(g), clamped);
    do {
        g->epoch = epoch;
        clamp_epoch(g, clamped);
        g->line = zoid_grid_line_cut(g) ? zoid_max(zoid_grid_line(g), line) : 0;
        depth = g->depth;
        clamp(&g->block, zoid_max(zoid_cell_line(g), m->min_block(&g->shape)), clamped);
        g->leaf = m->leaf ? m->leaf(g) : 0;
        if (m->max_depth)
            clamp(&g->depth, m->max_depth(g), clamped);
    } while (g->depth < depth);
}

int zoid_graph_init(struct zoid_graph *graph, bool *clamped)
{
    const struct zoid_method *m = graph->method;

    *clamped = false;
    if (zoid_method_refuses(m, &graph->shape))
        return ZOID_GRAPH_BAD_SHAPE;
    if (graph->block < m->min_block(&graph->shape))
        return ZOID_GRAPH_BAD_BLOCK;
    if (clamp_cells(graph, clamped))
        return ZOID_GRAPH_BAD_CELLS;
    if (!deals_evenly(graph))
        return ZOID_GRAPH_BAD_RANKS;
    clamp_passes(graph, clamped);
    return graph->epoch > zoid_epoch_most(graph) ? ZOID_GRAPH_BAD_RANKS : 0;
}

void zoid_graph_census(const struct zoid_graph *graph, struct zoid_census *census)
{
    graph->method->census(graph, census);
}

int zoid_graph_emit(const struct zoid_graph *graph, struct zoid_sink *sink)
{
    return graph->method->emit(graph, sink);
}
