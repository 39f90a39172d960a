/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/common/passes.h"

#include "graphs/common/arith.h"

int zoid_chain_lanes(const struct zoid_graph *graph)
{
    long lanes = graph->method->single_lane ? 1 : graph->lanes;

    return (int)(graph->elastic ? 2 * lanes - 1 : lanes);
}

long zoid_chain_passes(const struct zoid_graph *graph)
{
    return zoid_ceil_div(graph->steps, graph->depth);
}

long zoid_chain_start(const struct zoid_graph *graph, long pass)
{
    return zoid_min(pass * graph->depth, graph->steps) * graph->shape.stages;
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

static bool view_exists(const struct zoid_shape *shape, const struct zoid_view *view)
{
    return view->lo < view->hi && view->lo < shape->n[zoid_chain(shape)] && view->hi > 0;
}

bool zoid_chain_slab(const struct zoid_shape *shape, struct zoid_datum datum, struct zoid_view in,
                     struct zoid_view out, struct zoid_access *access)
{
    unsigned mode =
        (view_exists(shape, &in) ? ZOID_READ : 0) | (view_exists(shape, &out) ? ZOID_WRITE : 0);

    *access = (struct zoid_access){.datum = datum,
                                   .mode = (enum zoid_mode)mode,
                                   .fills = mode == ZOID_READ && zoid_view_some_rows(&in),
                                   .in = in,
                                   .out = out};
    return mode != 0;
}

enum zoid_next zoid_chain_next(const struct zoid_chain *chain, long pass)
{
    bool hand_on = !chain->graph->strip && (pass + 1) % zoid_chain_lanes(chain->graph) != 0 &&
                   pass + 1 < chain->passes;

    return hand_on ? ZOID_NEXT_LANE : ZOID_NEXT_RAM;
}

bool zoid_chain_from_ram(const struct zoid_chain *chain, long pass)
{
    return chain->graph->strip || pass % zoid_chain_lanes(chain->graph) == 0;
}
