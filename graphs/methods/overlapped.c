/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlapped blocks [overlapped or ghost-zone tiling]: a block starts from its slab plus the planes
 * of its neighbours that it needs to advance its slab by `depth` steps, so planes between
 * neighbours are computed redundantly.
 *
 *   t1          |   j    |            the slab, updated in place
 *              /          \
 *             /            \
 *   t0       /   j, edges   \         the slab and the edges: its neighbours' border planes as of
 *         z ->                        t0, which they left in data of their own
 *
 * An edge [overlap planes] is min(slab, depth x reach) planes deep; if that is not enough, a block
 * reads the edges of several neighbours. The edges of a pass are written by the pass before, and
 * kept apart from those of the next one; pass 0 computes nothing and writes the first edges. On a
 * circular line the first slab and the last are neighbours, and a slab may be its own. */
#include "graphs/methods/overlapped.h"

#include <math.h>

#include "graphs/common/arith.h"
#include "graphs/common/cells.h"
#include "graphs/common/chain.h"
#include "graphs/common/grid.h"
#include "graphs/common/pieces.h"
#include "graphs/method.h"

struct overlapped {
    struct zoid_chain chain;
    long n, lo, hi; /* extent and reach along the chain axis */
    long slabs;
};

/* Number of times of a pass. Chain pass p > 0 computes graph pass p - 1. */
static long times_of(const struct overlapped *o, long pass)
{
    return zoid_chain_end(&o->chain, pass) - zoid_chain_begin(&o->chain, pass);
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

static bool periodic(const struct overlapped *o)
{
    return zoid_grid_round(o->chain.graph);
}

/* Planes of slab j at time t. On a circular line slabs continue: slab `slabs` is slab 0. */
static struct zoid_view slab_view(const struct overlapped *o, long j, long t)
{
    long lap = zoid_floor_div(j, o->slabs), b = o->chain.graph->block;
    long lo = (j - lap * o->slabs) * b, start = lap * o->n;

    return (struct zoid_view){
        .t0 = t, .t1 = t, .lo = start + lo, .hi = start + zoid_min(lo + b, o->n)};
}

static struct zoid zoid(const struct zoid_chain *chain, long pass, long j)
{
    const struct overlapped *o = (const struct overlapped *)chain;
    long t0 = zoid_chain_begin(chain, pass), t1 = zoid_chain_end(chain, pass), times = t1 - t0;
    struct zoid_view in = slab_view(o, j, t0);
    struct zoid_face face = {in.lo - times * o->lo, in.hi + times * o->hi, (int)o->lo, -(int)o->hi};

    return zoid_chain_zoid(&chain->graph->shape, t0, t1, face);
}

/* Border planes of slab j that pass p reads. */
static struct zoid_access edge(const struct overlapped *o, const struct zoid_block *b, long pass,
                               long j, int side)
{
    struct zoid_view view = slab_view(o, j, zoid_chain_begin(&o->chain, pass));
    long depth = times_of(o, pass);

    if (side == ZOID_LOW)
        view.hi = zoid_min(view.hi, view.lo + depth * o->hi);
    else
        view.lo = zoid_max(view.lo, view.hi - depth * o->lo);
    return (struct zoid_access){.datum = {.kind = ZOID_EDGE,
                                          .row = 2 * b->cell + pass % 2,
                                          .col = 2 * zoid_modulo(j, o->slabs) + side},
                                .in = view,
                                .out = view};
}

/* Last block of a pass that reads an edge of slab j. Low edges are read by the slabs below, high
 * edges by the slabs above; on a circular line, low edges of the lowest slabs are also read at the
 * top, and high edges of the topmost slab from slab 0 on. */
static long last_reader(const struct overlapped *o, long pass, long j, int side)
{
    long b = o->chain.graph->block, top = o->slabs - 1, last;
    long depth = times_of(o, pass) * (side == ZOID_LOW ? o->hi : o->lo);

    if (side == ZOID_LOW)
        return periodic(o) && j * b < depth ? top : j - 1;
    last = (periodic(o) && j == top ? -1 : j) + zoid_ceil_div(depth, b);
    return zoid_min(last, top);
}

static void read_edge(const struct overlapped *o, struct zoid_block *b, struct zoid_access *access,
                      long j, int side)
{
    struct zoid_access a = edge(o, b, b->pass, j, side);
    bool last = b->position == last_reader(o, b->pass, zoid_modulo(j, o->slabs), side);
    struct zoid_cell_slab slab = {zoid_modulo(j, o->slabs), a.in};

    a.mode = ZOID_READ;
    a.next = last ? ZOID_NEXT_DEAD : ZOID_NEXT_SAME;
    a.in.patch = zoid_cell_kept(&o->chain, b, &a.in);
    a.fills = !zoid_patch_all(&a.in.patch);
    access[b->naccess++] = a;
    slab.view.slot = slab.view.lo - slab_view(o, j, 0).lo;
    zoid_cell_take(&o->chain, b, access, &slab);
}

/* Read the edges of all slabs that the block's first box overlaps. */
static void read_edges(const struct overlapped *o, struct zoid_block *b, struct zoid_access *access)
{
    struct zoid_face face = b->zoid.dim[zoid_chain(b->shape)];
    long j = b->position;

    for (long i = j - 1; (periodic(o) || i >= 0) && slab_view(o, i, 0).hi > face.lo; i--)
        read_edge(o, b, access, i, ZOID_HIGH);
    for (long i = j + 1; (periodic(o) || i < o->slabs) && slab_view(o, i, 0).lo < face.hi; i++)
        read_edge(o, b, access, i, ZOID_LOW);
}

static void write_edge(const struct overlapped *o, struct zoid_block *b, struct zoid_access *access,
                       int side)
{
    struct zoid_access a = edge(o, b, b->pass + 1, b->position, side);

    a.mode = ZOID_WRITE;
    /* The edge goes where its slab goes. */
    a.next = zoid_chain_next(&o->chain, b);
    if (a.out.lo < a.out.hi)
        access[b->naccess++] = a;
}

static void block(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_access *access,
                  struct zoid_datum *fetch)
{
    const struct overlapped *o = (const struct overlapped *)chain;
    long p = b->pass, j = b->position;
    struct zoid_cell_slab in = {j, slab_view(o, j, zoid_chain_begin(chain, p))};
    const struct zoid_access *slab = &access[b->naccess];

    in.view.patch = zoid_cell_kept(chain, b, &in.view);
    access[b->naccess++] =
        (struct zoid_access){.datum = {.kind = ZOID_SLAB, .row = b->cell, .col = j},
                             .mode = p ? ZOID_UPDATE : ZOID_READ,
                             .in = in.view,
                             .out = slab_view(o, j, zoid_chain_end(chain, p)),
                             .next = zoid_chain_next(chain, b)};
    zoid_cell_take(chain, b, access, &in);
    zoid_cell_leave(chain, b, access, slab, true);
    read_edges(o, b, access);
    if (p + 1 < chain->passes && (j > 0 || periodic(o)))
        write_edge(o, b, access, ZOID_LOW);
    if (p + 1 < chain->passes && (j + 1 < o->slabs || periodic(o)))
        write_edge(o, b, access, ZOID_HIGH);
    if (j + 1 < o->slabs && zoid_chain_from_ram(chain, b))
        fetch[b->nfetch++] = (struct zoid_datum){.kind = ZOID_SLAB, .row = b->cell, .col = j + 1};
}

static struct zoid_view planes(const struct zoid_chain *chain, long pass, long col)
{
    return slab_view((const struct overlapped *)chain, col, zoid_chain_begin(chain, pass));
}

static bool holds(const struct zoid_chain *chain, bool end, long i, struct zoid_datum *datum,
                  struct zoid_view *view)
{
    const struct overlapped *o = (const struct overlapped *)chain;

    *datum = (struct zoid_datum){.kind = ZOID_SLAB, .col = i};
    *view = slab_view(o, i, zoid_chain_begin(chain, end ? chain->passes : 0));
    return i < o->slabs;
}

/* Maximum number of slabs that `depth` planes next to a slab belong to. */
static long neighbours(const struct overlapped *o, long depth)
{
    long b = o->chain.graph->block, rest = depth % o->n, low = o->n - (o->slabs - 1) * b;

    if (!periodic(o))
        return zoid_min(zoid_ceil_div(depth, b), o->slabs - 1);
    /* The topmost slab may be lower than the others, and comes first below slab 0. */
    return depth / o->n * o->slabs + (rest ? 1 + zoid_ceil_div(zoid_max(rest - low, 0), b) : 0);
}

/* Planes of the box at the first computed time, plus the reach of coefficients. */
static struct zoid_chain_span span(const struct overlapped *o, long times)
{
    const struct zoid_graph *g = o->chain.graph;
    long lo = 0, hi = 0;

    if (times)
        zoid_chain_near(g, &lo, &hi);
    lo += zoid_max(times - 1, 0) * o->lo;
    hi += zoid_max(times - 1, 0) * o->hi;
    return (struct zoid_chain_span){.width = g->block + lo + hi, .start = -lo, .grid = g->block};
}

static struct overlapped make(const struct zoid_graph *g)
{
    long times = zoid_min(g->depth, g->steps) * g->shape.stages, below, above;
    struct overlapped o = {
        .chain = {.graph = g,
                  .passes = g->steps ? zoid_chain_passes(g) + 1 : 0,
                  .idle = 1,
                  .first = first,
                  .last = last,
                  .zoid = zoid,
                  .block = block,
                  .planes = planes,
                  .overlaps = true,
                  .alone = true,
                  .holds = holds},
        .n = zoid_cell_line(g),
    };

    zoid_chain_reach(&g->shape, &o.lo, &o.hi);
    o.slabs = zoid_ceil_div(o.n, g->block);
    below = neighbours(&o, times * o.lo);
    above = neighbours(&o, times * o.hi);
    /* On a circular line a pass waits for the whole previous one. */
    o.chain.lead = periodic(&o) ? o.slabs : zoid_max(zoid_max(below, above), 1);
    o.chain.max_access = (size_t)(3 + below + above);
    o.chain.max_fetch = 1;
    o.chain.max_slabs = 1 + below + above;
    o.chain.max_left = 1;
    o.chain.cols = o.slabs;
    o.chain.span[0] = span(&o, times);
    return o;
}

long zoid_overlapped_min_block(const struct zoid_shape *shape)
{
    (void)shape;
    return 1;
}

/* If a block wraps around the domain in a pass, shorter passes are cheaper. */
static long max_depth(const struct zoid_graph *g)
{
    long lo, hi, most = zoid_cell_line(g);

    zoid_chain_reach(&g->shape, &lo, &hi);
    most /= zoid_max(g->shape.stages * zoid_max(lo, hi), 1);
    return zoid_grid_round(g) ? zoid_max(most, 1) : g->depth;
}

/* Maximum height of an edge. On a line of two slabs only the upper one, which may be low, has a low
 * edge. */
static long edge_planes(const struct overlapped *o, long times)
{
    long b = o->chain.graph->block, low = b;

    if (!periodic(o) && o->slabs == 1)
        return 0;
    if (!periodic(o) && o->slabs == 2)
        low = o->n - b;
    return zoid_max(zoid_min(times * o->lo, b), zoid_min(times * o->hi, low));
}

/* Sum of min(most, first + i x step) over `count` values of i. */
static double sum_clipped(double most, double first, double step, double count)
{
    double below = most > first ? ceil((most - first) / step) : 0;

    below = below < count ? below : count;
    return below * first + step * below * (below - 1) / 2 + (count - below) * most;
}

/* Sum of min(most, i x step) over `count` values of i. */
static double sum_capped(double step, double most, double count)
{
    double below = step > 0 ? floor(most / step) + 1 : count;

    below = below < count ? below : count;
    return step * below * (below - 1) / 2 + (count - below) * most;
}

/* Redundant planes on one side of the slabs, in the last `times` times of a pass: with each time
 * left, blocks compute `reach` more, up to the domain's end, which is `first` planes from the first
 * slab that has any. Summed over times or over slabs, whichever are fewer. */
static double beside(const struct overlapped *o, long reach, double first, long times)
{
    const double b = (double)o->chain.graph->block;
    const long slabs = o->slabs - 1;
    double planes = 0;

    for (long left = 0; times <= slabs && left < times; left++)
        planes += sum_clipped((double)(left * reach), first, b, (double)slabs);
    for (long i = 0; slabs < times && i < slabs; i++)
        planes += sum_capped((double)reach, first + (double)i * b, (double)times);
    return planes;
}

/* Planes that a pass of `times` times computes: at each time the slabs, and the planes next to them
 * that later times read, up to the domain's ends. */
static double pass_planes(const struct overlapped *o, long times)
{
    const double b = (double)o->chain.graph->block, slabs = (double)o->slabs;
    const double top = (double)o->n - b * (slabs - 1);
    const long least = zoid_min(o->lo, o->hi);
    /* With more times left every block has all planes. */
    const long some = periodic(o) || least == 0 ? times : zoid_min(times, (o->n - 1) / least + 1);
    double planes = (double)some * (double)o->n + (double)(times - some) * (double)o->n * slabs;

    if (periodic(o))
        planes += slabs * (double)(o->lo + o->hi) * (double)some * (double)(some - 1) / 2;
    else
        planes += beside(o, o->lo, b, some) + beside(o, o->hi, top, some);
    return planes;
}

static double all_planes(const struct overlapped *o)
{
    const struct zoid_graph *g = o->chain.graph;
    long whole = g->steps / g->depth, rest = g->steps % g->depth;

    return (double)whole * pass_planes(o, g->depth * g->shape.stages) +
           pass_planes(o, rest * g->shape.stages);
}

void zoid_overlapped_census(const struct zoid_graph *g, struct zoid_census *c)
{
    struct overlapped o = make(g);
    long times = zoid_min(g->depth, g->steps) * g->shape.stages;
    long max_planes = g->block + (times - 1) * (o.lo + o.hi);
    long edges = edge_planes(&o, times);

    if (!periodic(&o))
        max_planes = zoid_min(max_planes, o.n);
    *c = (struct zoid_census){.blocks = o.chain.passes * o.slabs,
                              .max_access = (long)o.chain.max_access,
                              .open_slabs = 1,
                              .block_slabs = 1,
                              .planes = all_planes(&o),
                              .about.serial = 1 / (double)o.slabs,
                              .about.abreast = o.slabs,
                              .about.mean_planes =
                                  (double)(zoid_min(g->block, o.n) + max_planes) / 2,
                              .about.mean_times = (double)(g->depth * g->shape.stages),
                              .box_planes = times > 1 ? max_planes : 0,
                              .idle = o.chain.idle};
    c->kind[ZOID_SLAB] = (struct zoid_census_row){1, o.slabs, g->block};
    if (edges > 0)
        c->kind[ZOID_EDGE] = (struct zoid_census_row){2, 2 * o.slabs, edges};
    zoid_chain_pieces_census(&o.chain, c);
    zoid_cell_census(&o.chain, c);
}

int zoid_overlapped_emit(const struct zoid_graph *g, struct zoid_sink *sink)
{
    struct overlapped o = make(g);

    return zoid_chain_emit(&o.chain, sink);
}

static const char *refuses(const struct zoid_shape *shape)
{
    return zoid_remembers(shape)
               ? "a pml boundary, whose points have memory: it computes points twice"
               : NULL;
}

const char *zoid_overlapped_refuses(const struct zoid_shape *shape)
{
    return shape->stages > 1 ? refuses(shape) : NULL;
}

const struct zoid_method zoid_overlapped = {
    .name = "overlapped",
    .pipelined = true,
    .cells = true,
    .summary = "blocks compute their neighbours' border planes too, and wait for nothing else",
    .min_block = zoid_overlapped_min_block,
    .max_depth = max_depth,
    .refuses = refuses,
    .census = zoid_overlapped_census,
    .emit = zoid_overlapped_emit,
};
