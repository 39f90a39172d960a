/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "graphs/chain.h"
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
    graph->leaf = m->leaf ? m->leaf(graph) : 0;
    clamp(&graph->depth, m->single_step ? 1 : zoid_max(graph->steps, 1), clamped);
    if (m->max_depth)
        clamp(&graph->depth, m->max_depth(graph), clamped);
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
