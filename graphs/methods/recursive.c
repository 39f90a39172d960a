/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive blocks [cache-oblivious trapezoidal decomposition]: a pass is cut in space if it is
 * wide for its height, else in time, and its parts likewise, until the working set of a block is
 * small.
 *
 *   t1    ________ 11 _______           One block per leaf, in the order of the recursion, so that
 *        /   10   \  /   9   \          blocks that are near in time work on the same planes: cache
 *   t   /__________\/_________\         reuse at every level of memory. Upright subzoids come
 *       \ 3 /  2  \ 6 /  5  \ 8 /       before the inverted ones between them.
 *   t0   \ /   1   \ /   4   \ / 7  ...
 *
 * Slabs do not drift, and every plane of one has the time at which a leaf last ended there. Planes
 * pass between two leaves through slabs if one is above the other, through slopes [skew buffers] if
 * they are side by side: the low + high reach planes along their face, at every time. Slopes in use
 * at the same time form a stack: a cut has its own, and its parts have theirs above. */
#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/cells.h"
#include "graphs/common/chain.h"
#include "graphs/common/pieces.h"
#include "graphs/method.h"
#include "graphs/methods/recursion.h"

struct recursive {
    struct zoid_chain chain;
    struct zoid_recursion *recursion;
    struct zoid_recursion_sum sum; /* of all passes */
    long open;                     /* slabs of a pass */
    long units;                    /* steps of a slope; 0: there are none */
    long slopes;                   /* maximum number that a leaf lists for a face */
    long rings;                    /* sets of slopes, one for each of that number of cells */
};

static const struct recursive *recursive_of(const struct zoid_chain *chain)
{
    return (const struct recursive *)chain;
}

static struct zoid_subzoid pass_of(const struct recursive *r, long pass)
{
    const struct zoid_graph *g = r->chain.graph;

    return zoid_recursion_pass(r->recursion, zoid_min(g->depth, g->steps - pass * g->depth));
}

static struct zoid_subzoid leaf_of(const struct recursive *r, long pass, long position)
{
    return zoid_recursion_leaf(r->recursion, pass_of(r, pass), position);
}

static long first(const struct zoid_chain *chain, long pass)
{
    (void)chain, (void)pass;
    return 0;
}

static long last(const struct zoid_chain *chain, long pass)
{
    const struct recursive *r = recursive_of(chain);
    struct zoid_subzoid whole = pass_of(r, pass);

    return zoid_recursion_sum(r->recursion, &whole).leaves - 1;
}

static struct zoid zoid(const struct zoid_chain *chain, long pass, long position)
{
    const struct recursive *r = recursive_of(chain);
    struct zoid_subzoid leaf = leaf_of(r, pass, position);
    long t0 = zoid_chain_start(r->chain.graph, pass) + leaf.t0 * r->recursion->stages;
    long times = leaf.height * r->recursion->stages;
    struct zoid_face face = {leaf.lo, leaf.hi,
                             (int)(zoid_recursion_move(r->recursion, &leaf, ZOID_LOW) / times),
                             (int)(zoid_recursion_move(r->recursion, &leaf, ZOID_HIGH) / times)};

    return zoid_chain_zoid(&r->chain.graph->shape, t0, t0 + times, face);
}

/* ---- accesses of a block ----------------------------------------------------------------- */

/* Range of planes along the chain axis. */
struct range {
    long lo, hi;
};

static struct range planes_at(const struct zoid_block *b, long t)
{
    struct zoid_box box = zoid_box_at(&b->zoid, t);
    int chain = zoid_chain(b->shape);

    return (struct range){box.lo[chain], box.hi[chain]};
}

/* Slabs of a zoid's first and last planes. */
static struct range slabs_of(const struct recursive *r, const struct zoid_block *b)
{
    struct range in = planes_at(b, b->zoid.t0), out = planes_at(b, b->zoid.t1);
    long block = r->chain.graph->block;

    return (struct range){zoid_min(in.lo, out.lo) / block,
                          zoid_ceil_div(zoid_max(in.hi, out.hi), block)};
}

static struct zoid_datum slab(long cell, long j)
{
    return (struct zoid_datum){.kind = ZOID_SLAB, .row = cell, .col = j};
}

/* Part of some planes that slab j has. */
static struct zoid_view part_of(const struct recursive *r, long j, long t, struct range planes)
{
    long block = r->chain.graph->block, lo = zoid_max(planes.lo, j * block);

    return (struct zoid_view){.t0 = t,
                              .t1 = t,
                              .lo = lo,
                              .hi = zoid_max(zoid_min(planes.hi, (j + 1) * block), lo),
                              .slot = lo - j * block};
}

static long slab_end(const struct recursive *r, long j)
{
    return zoid_min((j + 1) * r->chain.graph->block, r->recursion->n);
}

/* Part of a block's initial planes that slab j has. */
static struct zoid_cell_slab taken(const struct recursive *r, const struct zoid_block *b, long j)
{
    return (struct zoid_cell_slab){j, part_of(r, j, b->zoid.t0, planes_at(b, b->zoid.t0))};
}

static void slabs(const struct recursive *r, struct zoid_block *b, struct zoid_access *access,
                  struct range coming)
{
    struct range own = slabs_of(r, b);

    for (long j = own.lo; j < own.hi; j++) {
        struct zoid_access *a = &access[b->naccess++];
        struct zoid_cell_slab in = taken(r, b, j);
        long lo = j * r->chain.graph->block, hi = slab_end(r, j);
        bool soon = j >= coming.lo && j < coming.hi;
        bool last = b->position == zoid_recursion_last(r->recursion, pass_of(r, b->pass), lo, hi);

        in.view.patch = zoid_cell_kept(&r->chain, b, &in.view);
        zoid_chain_slab(&r->chain, slab(b->cell, j), in.view,
                        part_of(r, j, b->zoid.t1, planes_at(b, b->zoid.t1)), a);
        a->keeps = a->mode & ZOID_WRITE && a->out.hi - a->out.lo < hi - lo;
        if (!soon && last)
            a->next = ZOID_NEXT_RAM;
        if (a->mode & ZOID_READ)
            zoid_cell_take(&r->chain, b, access, &in);
        zoid_cell_leave(&r->chain, b, access, a, last);
    }
}

/* The i-th slope along a face of a leaf. Its planes lie below the face if the subzoid below has
 * left it, above the face if the subzoid above has. */
static struct zoid_access slope(const struct recursive *r, const struct zoid_block *b,
                                const struct zoid_subzoid *leaf, int side, long i)
{
    const struct zoid_recursion *cuts = r->recursion;
    const long cells = zoid_rank_cells(r->chain.graph);
    bool in = leaf->face[side] == ZOID_FACE_IN, below = in == (side == ZOID_HIGH);
    long width = cuts->lo + cuts->hi, drift = below ? -cuts->hi : cuts->lo;
    long since = i * cuts->unit * cuts->stages, times = b->zoid.t1 - b->zoid.t0;
    long at = (side == ZOID_LOW ? leaf->lo : leaf->hi) + since * drift;
    struct zoid_view view = {.t0 = b->zoid.t0 + since,
                             .t1 = b->zoid.t0 + zoid_min(since + cuts->unit * cuts->stages, times) -
                                   1,
                             .lo = below ? at - width : at,
                             .hi = below ? at : at + width,
                             .drift = (int)drift,
                             .advance = width};

    return (struct zoid_access){
        .datum = {.kind = ZOID_REUSE,
                  .row = b->owner * r->rings + b->cell % cells % r->rings,
                  .col = leaf->slope[side] + i},
        .mode = in ? ZOID_WRITE : ZOID_READ,
        .in = view,
        .out = view,
        .next = in ? ZOID_NEXT_SAME : ZOID_NEXT_DEAD,
    };
}

static void slopes(const struct recursive *r, struct zoid_block *b, struct zoid_access *access)
{
    struct zoid_subzoid leaf = leaf_of(r, b->pass, b->position);
    long units = zoid_ceil_div(leaf.height, r->recursion->unit);

    for (int side = ZOID_LOW; side <= ZOID_HIGH; side++)
        for (long i = 0; leaf.face[side] != ZOID_FACE_STILL && i < units; i++)
            access[b->naccess++] = slope(r, b, &leaf, side, i);
}

/* Prefetch slab j; also its halos, if the next block is the first of the pass to access it. */
static void fetch_slab(const struct recursive *r, struct zoid_block *b,
                       const struct zoid_block *next, struct zoid_datum *fetch, long j)
{
    struct zoid_cell_slab in = taken(r, next, j);

    fetch[b->nfetch++] = slab(b->cell, j);
    if (next->zoid.t0 == zoid_chain_begin(&r->chain, b->pass) && in.view.lo < in.view.hi)
        zoid_cell_fetch(&r->chain, b, fetch, j);
}

static void block(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_access *access,
                  struct zoid_datum *fetch)
{
    const struct recursive *r = recursive_of(chain);
    struct range own = slabs_of(r, b), coming = {0, 0};
    struct zoid_block next = *b;

    if (b->position < last(chain, b->pass)) {
        next.zoid = zoid(chain, b->pass, b->position + 1);
        coming = slabs_of(r, &next);
    }
    slabs(r, b, access, coming);
    slopes(r, b, access);
    for (long j = coming.lo; j < coming.hi; j++)
        if (j < own.lo || j >= own.hi)
            fetch_slab(r, b, &next, fetch, j);
}

static bool again(const struct zoid_chain *chain, const struct zoid_block *b, long lo, long hi)
{
    const struct recursive *r = recursive_of(chain);

    return b->position < zoid_recursion_last(r->recursion, pass_of(r, b->pass), lo, hi);
}

static struct zoid_view planes(const struct zoid_chain *chain, long pass, long col)
{
    const struct recursive *r = recursive_of(chain);

    return part_of(r, col, zoid_chain_begin(chain, pass), (struct range){0, r->recursion->n});
}

static bool holds(const struct zoid_chain *chain, bool end, long i, struct zoid_datum *datum,
                  struct zoid_view *view)
{
    const struct recursive *r = recursive_of(chain);
    long t = zoid_chain_begin(chain, end ? chain->passes : 0);

    *datum = slab(0, i);
    *view = part_of(r, i, t, (struct range){0, r->recursion->n});
    return i * r->chain.graph->block < r->recursion->n;
}

/* ---- census ------------------------------------------------------------------------------ */

/* Evaluate a full pass, and the last one if it is shorter. */
static void look(struct recursive *r)
{
    const struct zoid_graph *g = r->chain.graph;
    long steps[] = {g->depth, g->steps % g->depth}, passes[] = {g->steps / g->depth, steps[1] > 0};

    for (int i = 0; i < 2; i++) {
        struct zoid_subzoid pass = zoid_recursion_pass(r->recursion, steps[i]);
        struct zoid_recursion_sum sum;

        if (!passes[i])
            continue;
        sum = zoid_recursion_sum(r->recursion, &pass);
        zoid_recursion_add(&r->sum, &sum, passes[i]);
        r->sum.chain += sum.chain * (double)passes[i];
        r->open = zoid_max(r->open, zoid_recursion_open(r->recursion, steps[i]));
        if (!sum.frame)
            continue;
        r->units = zoid_max(r->units, zoid_min(r->recursion->unit, steps[i]));
        r->slopes = zoid_max(
            r->slopes, zoid_min(zoid_ceil_div(steps[i], r->recursion->unit), ZOID_RECURSION_UNITS));
    }
}

static void make(const struct zoid_graph *g, struct zoid_recursion *cuts, struct recursive *r)
{
    *r = (struct recursive){.chain = {.graph = g,
                                      .first = first,
                                      .last = last,
                                      .zoid = zoid,
                                      .block = block,
                                      .again = again,
                                      .planes = planes,
                                      .holds = holds},
                            .recursion = cuts,
                            .open = 1};
    zoid_recursion_init(cuts, g);
    r->rings = zoid_recursion_rings(cuts, g->depth, zoid_rank_cells(g));
    cuts->laps = zoid_ceil_div(zoid_rank_cells(g), r->rings);
    look(r);
    r->chain.passes = zoid_chain_passes(g);
    r->chain.cols = zoid_ceil_div(cuts->n, g->block);
    r->chain.max_access = (size_t)(r->sum.slabs + 2 * r->slopes);
    r->chain.max_fetch = (size_t)r->sum.slabs;
    r->chain.max_slabs = r->chain.max_left = r->sum.slabs;
    r->chain.span[0] = (struct zoid_chain_span){.width = r->sum.looked, .grid = 1};
}

static long min_block(const struct zoid_shape *shape)
{
    (void)shape;
    return 1;
}

static long max_depth(const struct zoid_graph *g)
{
    struct zoid_recursion cuts;

    zoid_recursion_measure(&cuts, g);
    return zoid_recursion_max_depth(&cuts);
}

/* Fraction of one cell's work on the critical path. */
static double serial(const struct recursive *r)
{
    return fmin(r->sum.chain / fmax(zoid_chain_planes(r->chain.graph), 1),
                (double)zoid_rank_cells(r->chain.graph));
}

static void census(const struct zoid_graph *g, struct zoid_census *c)
{
    struct zoid_recursion cuts;
    struct recursive r;

    make(g, &cuts, &r);
    *c = (struct zoid_census){
        .blocks = r.sum.leaves,
        .max_access = (long)r.chain.max_access,
        .open_slabs = r.open,
        .block_slabs = r.sum.slabs,
        .planes = zoid_chain_planes(g),
        .about.serial = serial(&r),
        .about.abreast = r.sum.chain > 0 ? lround((double)zoid_rank_cells(g) / serial(&r)) : 1,
        .about.mean_planes =
            r.sum.steps ? (double)cuts.n * (double)g->steps / (double)r.sum.steps : (double)cuts.n,
        .about.mean_times = r.sum.leaves
                                ? (double)(r.sum.steps * cuts.stages) / (double)r.sum.leaves
                                : (double)cuts.stages,
        .box_planes = r.sum.between};
    c->kind[ZOID_SLAB] =
        (struct zoid_census_row){1, zoid_ceil_div(cuts.n, g->block), zoid_min(g->block, cuts.n)};
    if (r.units)
        c->kind[ZOID_REUSE] = (struct zoid_census_row){r.rings, r.sum.frame,
                                                       r.units * cuts.stages * (cuts.lo + cuts.hi)};
    zoid_chain_pieces_census(&r.chain, c);
    zoid_cell_census(&r.chain, c);
}

static int emit(const struct zoid_graph *g, struct zoid_sink *sink)
{
    struct zoid_recursion cuts;
    struct recursive r;

    make(g, &cuts, &r);
    return zoid_chain_emit(&r.chain, sink);
}

/* The recursion starts from the ends of the domain. */
static const char *refuses(const struct zoid_shape *shape)
{
    static const char *const words[ZOID_AXES] = {"a periodic x", "a periodic y", "a periodic z"};

    return zoid_chain_periodic(shape) ? words[zoid_chain(shape)] : NULL;
}

const struct zoid_method zoid_recursive = {
    .name = "recursive",
    .summary = "cuts in space or in time, again and again, until blocks are small",
    .min_block = min_block,
    .spans = true,
    .chained = true,
    .revisits = true,
    .cells = true,
    .leaf = zoid_recursion_leaf_planes,
    .max_depth = max_depth,
    .refuses = refuses,
    .census = census,
    .emit = emit,
};
