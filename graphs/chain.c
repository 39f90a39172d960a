/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/chain.h"

#include <stdlib.h>

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

double zoid_chain_planes(const struct zoid_graph *g)
{
    return (double)g->shape.n[zoid_chain(&g->shape)] * (double)g->steps * g->shape.stages;
}

long zoid_gcd(long a, long b)
{
    return b ? zoid_gcd(b, a % b) : a;
}

typedef __int128 wide;

static wide floor_sum(wide n, wide m, wide a, wide b)
{
    wide sum = n * (n - 1) / 2 * (a / m) + n * (b / m), top;

    if (n <= 0)
        return 0;
    a %= m;
    b %= m;
    top = a * n + b;
    return top < m ? sum : sum + floor_sum(top / m, a, m, top % m);
}

long zoid_floor_sum_between(long n, long m, long a, long low, long high)
{
    return (long)(floor_sum(n, m, a, high) - floor_sum(n, m, a, low));
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

    *access =
        (struct zoid_access){.datum = datum, .mode = (enum zoid_mode)mode, .in = in, .out = out};
    return mode != 0;
}

enum zoid_next zoid_chain_next(const struct zoid_chain *chain, long pass)
{
    bool hand_on = (pass + 1) % zoid_chain_lanes(chain->graph) != 0 && pass + 1 < chain->passes;

    return hand_on ? ZOID_NEXT_LANE : ZOID_NEXT_RAM;
}

bool zoid_chain_from_ram(const struct zoid_chain *chain, long pass)
{
    return pass % zoid_chain_lanes(chain->graph) == 0;
}

/* The passes that are open, from `head` on, each with the next position it emits. */
struct cursors {
    long head, opened;
    long *next; /* of pass p at p % lanes */
    int lanes;
};

static long open_limit(const struct zoid_chain *chain, const struct cursors *c)
{
    long left = chain->passes - c->head;

    /* All of the last passes at once: dealt out evenly, no lane ends alone. */
    return left <= c->lanes ? left : zoid_min(chain->graph->lanes, c->lanes);
}

static bool may_emit(const struct zoid_chain *chain, const struct cursors *c, long pass)
{
    long ahead;

    if (pass == c->head)
        return true;
    ahead = c->next[(pass - 1) % c->lanes];
    return ahead > chain->last(chain, pass - 1) || ahead > c->next[pass % c->lanes] + chain->lead;
}

/* Room for the lists of a block. */
struct lists {
    struct zoid_access *access;
    struct zoid_datum *fetch;
};

/* Round a circle nothing clips a block: its region is all that it sees. */
static struct zoid_face all_seen(const struct zoid_shape *shape, const struct zoid *zoid)
{
    struct zoid_face own = zoid->dim[zoid_chain(shape)];
    long times = zoid->t1 - zoid->t0, lo, hi;

    zoid_chain_reach(shape, &lo, &hi);
    return (struct zoid_face){.lo = own.lo + zoid_min(own.dlo * times, 0) - lo,
                              .hi = own.hi + zoid_max(own.dhi * times, 0) + hi};
}

static int emit_one(const struct zoid_chain *chain, struct cursors *c, long pass,
                    const struct lists *lists, struct zoid_sink *sink)
{
    const struct zoid_shape *shape = &chain->graph->shape;
    struct zoid_block block = {
        .shape = shape,
        .pass = pass,
        .position = c->next[pass % c->lanes]++,
        .lane = (int)(pass % c->lanes),
        .access = lists->access,
        .fetch = lists->fetch,
    };

    block.zoid = chain->zoid(chain, pass, block.position);
    block.region = zoid_domain(shape, block.zoid.t0, block.zoid.t1);
    if (zoid_chain_periodic(shape))
        block.region.dim[zoid_chain(shape)] = all_seen(shape, &block.zoid);
    chain->block(chain, &block, lists->access, lists->fetch);
    zoid_chain_coefficients(chain, &block, lists->access, lists->fetch);
    return sink->block(sink, &block);
}

static int emit_all(const struct zoid_chain *chain, struct cursors *c, const struct lists *lists,
                    struct zoid_sink *sink)
{
    while (c->head < chain->passes) {
        long end = c->head + open_limit(chain, c);

        for (; c->opened < end; c->opened++)
            c->next[c->opened % c->lanes] = chain->first(chain, c->opened);
        for (long p = c->head; p < c->opened; p++) {
            int rc = 0;

            if (c->next[p % c->lanes] <= chain->last(chain, p) && may_emit(chain, c, p))
                rc = emit_one(chain, c, p, lists, sink);
            if (rc)
                return rc;
        }
        while (c->head < c->opened && c->next[c->head % c->lanes] > chain->last(chain, c->head))
            c->head++;
    }
    return 0;
}

static struct zoid_access end_access(struct zoid_datum datum, struct zoid_view view,
                                     enum zoid_mode mode)
{
    return (struct zoid_access){
        .datum = datum, .mode = mode, .in = view, .out = view, .next = ZOID_NEXT_RAM};
}

static int load_all(const struct zoid_chain *chain, struct zoid_sink *sink)
{
    struct zoid_datum datum;
    struct zoid_view view;
    int rc = 0;

    for (long i = 0; sink->load && !rc && chain->holds(chain, false, i, &datum, &view); i++) {
        struct zoid_access access = end_access(datum, view, ZOID_WRITE);

        rc = sink->load(sink, &access);
    }
    for (long i = 0; sink->load && !rc && zoid_chain_piece(chain, i, &datum, &view); i++) {
        struct zoid_access access = end_access(datum, view, ZOID_WRITE);

        rc = sink->load(sink, &access);
    }
    return rc;
}

static int store_all(const struct zoid_chain *chain, struct zoid_sink *sink)
{
    struct zoid_datum datum;
    struct zoid_view view;
    int rc = 0;

    for (long i = 0; sink->store && !rc && chain->holds(chain, true, i, &datum, &view); i++) {
        struct zoid_access access = end_access(datum, view, ZOID_READ);

        rc = sink->store(sink, &access);
    }
    return rc;
}

int zoid_chain_emit(const struct zoid_chain *chain, struct zoid_sink *sink)
{
    struct cursors c = {.lanes = zoid_chain_lanes(chain->graph)};
    struct zoid_census census = {.max_access = (long)chain->max_access};
    struct lists lists;
    int rc = ZOID_GRAPH_NO_MEMORY;

    zoid_chain_coefficient_census(chain, &census);
    lists.access = calloc((size_t)census.max_access, sizeof *lists.access);
    lists.fetch =
        calloc((size_t)census.max_coefficients + chain->max_fetch + 1, sizeof *lists.fetch);
    c.next = calloc((size_t)c.lanes, sizeof *c.next);
    if (lists.access && lists.fetch && c.next)
        rc = load_all(chain, sink);
    if (!rc)
        rc = emit_all(chain, &c, &lists, sink);
    if (!rc)
        rc = store_all(chain, sink);
    free(c.next);
    free(lists.fetch);
    free(lists.access);
    return rc;
}
