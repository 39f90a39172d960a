/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlapped blocks: a block starts from its slab and enough planes of its neighbours to compute
 * its slab `depth` steps on, so neighbours compute the planes between them twice.
 *
 *   t1          |   j    |            the slab, updated in place
 *              /          \
 *             /            \
 *   t0       /   j, edges   \         the slab and the edges: its neighbours' border planes as of
 *         z ->                        t0, which they left in data of their own
 *
 * An edge reaches min(slab, depth x reach) planes deep; where that is not enough, it takes the
 * edges of several neighbours. The edges of a pass are written by the pass before and kept apart
 * from those of the next one; pass 0 computes nothing and writes the first edges.
 */
#include "graphs/overlapped.h"

#include "graphs/chain.h"

struct overlapped {
    struct zoid_chain chain;
    long n, lo, hi; /* extent and reach along the chain axis */
    long slabs;
};

enum side { LOW, HIGH };

/* Chain pass p > 0 computes graph pass p - 1 of the steps. */
static long start_of(const struct overlapped *o, long pass)
{
    return pass ? zoid_chain_start(o->chain.graph, pass - 1) : 0;
}

static long end_of(const struct overlapped *o, long pass)
{
    return pass ? zoid_chain_start(o->chain.graph, pass) : 0;
}

static long times_of(const struct overlapped *o, long pass)
{
    return end_of(o, pass) - start_of(o, pass);
}

static long first(const struct zoid_chain *chain, long pass)
{
    (void)chain, (void)pass;
    return 0;
}

static long last(const struct zoid_chain *chain, long pass)
{
    (void)pass;
    return ((const struct overlapped *)chain)->slabs - 1;
}

static struct zoid_view slab_view(const struct overlapped *o, long j, long t)
{
    long b = o->chain.graph->block;

    return (struct zoid_view){.t0 = t, .t1 = t, .lo = j * b, .hi = (j + 1) * b};
}

/* The border planes of slab j that pass p reads. */
static struct zoid_access edge(const struct overlapped *o, long pass, long j, enum side side)
{
    struct zoid_view view = slab_view(o, j, start_of(o, pass));
    long depth = times_of(o, pass);

    if (side == LOW)
        view.hi = zoid_min(view.hi, view.lo + depth * o->hi);
    else
        view.lo = zoid_max(view.lo, view.hi - depth * o->lo);
    return (struct zoid_access){.datum = {.kind = ZOID_EDGE, .row = pass % 2, .col = 2 * j + side},
                                .in = view,
                                .out = view};
}

static void read_edge(const struct overlapped *o, struct zoid_block *b, struct zoid_access *access,
                      long j, enum side side)
{
    struct zoid_access a = edge(o, b->pass, j, side);
    long reach = side == LOW ? o->hi : o->lo;
    long readers = zoid_ceil_div(times_of(o, b->pass) * reach, o->chain.graph->block);
    long last_reader = side == LOW ? j - 1 : zoid_min(j + readers, o->slabs - 1);

    a.mode = ZOID_READ;
    a.next = b->position == last_reader ? ZOID_NEXT_DEAD : ZOID_NEXT_SAME;
    access[b->naccess++] = a;
}

static void write_edge(const struct overlapped *o, struct zoid_block *b, struct zoid_access *access,
                       enum side side)
{
    struct zoid_access a = edge(o, b->pass + 1, b->position, side);

    a.mode = ZOID_WRITE;
    if (a.out.lo < a.out.hi)
        access[b->naccess++] = a;
}

static void block(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_access *access,
                  struct zoid_datum *fetch)
{
    const struct overlapped *o = (const struct overlapped *)chain;
    long p = b->pass, j = b->position, height = chain->graph->block, times = times_of(o, p);
    struct zoid_view in = slab_view(o, j, start_of(o, p)), out = slab_view(o, j, end_of(o, p));
    struct zoid_face face = {in.lo - times * o->lo, in.hi + times * o->hi, (int)o->lo, -(int)o->hi};

    b->zoid = zoid_chain_zoid(b->shape, in.t0, out.t0, face);
    b->region = zoid_domain(b->shape, in.t0, out.t0);
    access[0] = (struct zoid_access){.datum = {.kind = ZOID_SLAB, .col = j},
                                     .mode = p ? ZOID_UPDATE : ZOID_READ,
                                     .in = in,
                                     .out = out,
                                     .next = zoid_chain_next(chain, p)};
    b->naccess = 1;
    for (long i = zoid_max(j - zoid_ceil_div(times * o->lo, height), 0); i < j; i++)
        read_edge(o, b, access, i, HIGH);
    for (long i = j + 1; i <= zoid_min(j + zoid_ceil_div(times * o->hi, height), o->slabs - 1); i++)
        read_edge(o, b, access, i, LOW);
    if (p + 1 < chain->passes && j > 0)
        write_edge(o, b, access, LOW);
    if (p + 1 < chain->passes && j + 1 < o->slabs)
        write_edge(o, b, access, HIGH);
    if (j + 1 < o->slabs && zoid_chain_from_ram(chain, p)) {
        *fetch = (struct zoid_datum){.kind = ZOID_SLAB, .col = j + 1};
        b->fetch = fetch;
    }
}

static bool holds(const struct zoid_chain *chain, bool end, long i, struct zoid_datum *datum,
                  struct zoid_view *view)
{
    const struct overlapped *o = (const struct overlapped *)chain;
    const struct zoid_graph *g = chain->graph;

    *datum = (struct zoid_datum){.kind = ZOID_SLAB, .col = i};
    *view = slab_view(o, i, end ? g->steps * g->shape.stages : 0);
    return i < o->slabs;
}

static struct overlapped make(const struct zoid_graph *g)
{
    long times = zoid_min(g->depth, g->steps) * g->shape.stages, below, above;
    struct overlapped o = {
        .chain = {.graph = g,
                  .passes = g->steps ? zoid_chain_passes(g) + 1 : 0,
                  .first = first,
                  .last = last,
                  .block = block,
                  .holds = holds},
        .n = g->shape.n[zoid_chain(&g->shape)],
    };

    zoid_chain_reach(&g->shape, &o.lo, &o.hi);
    o.slabs = zoid_ceil_div(o.n, g->block);
    below = zoid_min(zoid_ceil_div(times * o.lo, g->block), o.slabs - 1);
    above = zoid_min(zoid_ceil_div(times * o.hi, g->block), o.slabs - 1);
    o.chain.lead = zoid_max(zoid_max(below, above), 1);
    o.chain.max_access = (size_t)(3 + below + above);
    return o;
}

long zoid_overlapped_min_block(const struct zoid_shape *shape)
{
    (void)shape;
    return 1;
}

void zoid_overlapped_census(const struct zoid_graph *g, struct zoid_census *c)
{
    struct overlapped o = make(g);
    long times = zoid_min(g->depth, g->steps) * g->shape.stages;
    long tallest = zoid_min(o.n, g->block + (times - 1) * (o.lo + o.hi));
    long edge_planes = zoid_min(times * zoid_max(o.lo, o.hi), g->block);

    *c = (struct zoid_census){.blocks = o.chain.passes * o.slabs,
                              .max_access = (long)o.chain.max_access,
                              .box_planes = times > 1 ? tallest : 0};
    c->kind[ZOID_SLAB] = (struct zoid_census_row){1, o.slabs, g->block};
    if (o.slabs > 1 && edge_planes > 0)
        c->kind[ZOID_EDGE] = (struct zoid_census_row){2, 2 * o.slabs, edge_planes};
}

int zoid_overlapped_emit(const struct zoid_graph *g, struct zoid_sink *sink)
{
    struct overlapped o = make(g);

    return zoid_chain_emit(&o.chain, sink);
}

const struct zoid_method zoid_overlapped = {
    .name = "overlapped",
    .summary = "blocks compute their neighbours' border planes too, and wait for nothing else",
    .min_block = zoid_overlapped_min_block,
    .census = zoid_overlapped_census,
    .emit = zoid_overlapped_emit,
};
