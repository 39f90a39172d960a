/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "graphs/common/arith.h"
#include "graphs/graph.h"

const struct zoid_method *const zoid_methods[] = {&zoid_naive,   &zoid_trapezoid, &zoid_overlapped,
                                                  &zoid_leaning, &zoid_recursive, NULL};

const struct zoid_method *zoid_method_find(const char *name)
{
    for (size_t i = 0; zoid_methods[i]; i++)
        if (!strcmp(zoid_methods[i]->name, name))
            return zoid_methods[i];
    return NULL;
}

const char *zoid_method_refuses(const struct zoid_method *method, const struct zoid_shape *shape)
{
    return method->refuses ? method->refuses(shape) : NULL;
}

static void clamp(long *value, long most, bool *clamped)
{
    if (*value > most) {
        *value = most;
        *clamped = true;
    }
}

/* Strips of at most so many rows, as even as can be. */
static int clamp_strip(struct zoid_graph *g, bool *clamped)
{
    int axis = zoid_chain(&g->shape) - 1;
    long n = axis < 0 ? 0 : g->shape.n[axis];

    if (!g->strip)
        return 0;
    if (g->strip < 0 || axis < 0 || !g->method->strips)
        return ZOID_GRAPH_BAD_STRIP;
    *clamped |= g->strip > n;
    g->strip = g->strip < n ? zoid_ceil_div(n, zoid_ceil_div(n, g->strip)) : 0;
    return 0;
}

/* A block whose rows go round the domain in a pass would be better off with passes that are shorter. */
static long max_depth_of_strips(const struct zoid_graph *g)
{
    int axis = zoid_chain(&g->shape) - 1;
    long lo, hi;

    if (!g->strip || !zoid_axis_periodic(&g->shape, axis))
        return g->depth;
    zoid_axis_reach(&g->shape, axis, &lo, &hi);
    return zoid_max(g->shape.n[axis] / zoid_max(g->shape.stages * zoid_max(lo, hi), 1), 1);
}

int zoid_graph_init(struct zoid_graph *graph, bool *clamped)
{
    const struct zoid_method *m = graph->method;
    long lowest;

    *clamped = false;
    if (zoid_method_refuses(m, &graph->shape))
        return ZOID_GRAPH_BAD_SHAPE;
    lowest = m->min_block(&graph->shape);
    clamp(&graph->block, zoid_max(graph->shape.n[zoid_chain(&graph->shape)], lowest), clamped);
    if (graph->block < lowest)
        return ZOID_GRAPH_BAD_BLOCK;
    if (clamp_strip(graph, clamped))
        return ZOID_GRAPH_BAD_STRIP;
    graph->leaf = m->leaf ? m->leaf(graph) : 0;
    clamp(&graph->depth, m->single_step ? 1 : zoid_max(graph->steps, 1), clamped);
    if (m->max_depth)
        clamp(&graph->depth, m->max_depth(graph), clamped);
    clamp(&graph->depth, max_depth_of_strips(graph), clamped);
    return 0;
}

void zoid_graph_census(const struct zoid_graph *graph, struct zoid_census *census)
{
    graph->method->census(graph, census);
}

int zoid_graph_emit(const struct zoid_graph *graph, struct zoid_sink *sink)
{
    return graph->method->emit(graph, sink);
}
