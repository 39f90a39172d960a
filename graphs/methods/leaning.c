/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaning blocks [parallelogram tiling, time skewing]: both chain faces move down by the high reach
 * h each time, so a block never depends on its right neighbour. The left neighbour leaves the
 * planes that the block reads in the reuse datum [skew buffer] of their lane, and the block leaves
 * its own in turn, over planes that were read.
 *
 *   t1        \  j-1 \   j   \  j+1 \            planes of slab j at the end of the pass
 *              \      \       \      \
 *               \    oo\     oo\      \          oo: the low + high reach planes left for j + 1,
 *   t0           \    oo\     oo\      \             at every time before t1
 *            z ->
 *
 * Slab j is updated in place: at the end of pass p its first plane has drifted to j B - O(p + 1),
 * where O(p) is h times the number of times since time 0, earlier legs included. Slabs vanish below
 * plane 0 and emerge at the top; their data are a circular list. Nothing is computed redundantly.
 *
 * In ascending order, planes below are read at the current time: a block needs the high reach of
 * the left neighbour's planes at the time before, the low reach of those at the same time, and the
 * last time's as well. The lowest block of a rank gets these from the rank below
 * (graphs/common/relays.c). */
#include <limits.h>
#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/cells.h"
#include "graphs/common/chain.h"
#include "graphs/common/grid.h"
#include "graphs/common/pieces.h"
#include "graphs/common/relays.h"
#include "graphs/method.h"
#include "graphs/reach.h"

struct leaning {
    struct zoid_chain chain;
    long n, lo, hi; /* extent and reach along the chain axis; blocks move by the high one */
    long width;     /* planes of a time that a block leaves for its right neighbour */
    bool last_time; /* also of the last time */
    long slots;     /* slab data in the circular list */
    long lanes;     /* of a rank, each with a reuse datum */
    struct ring {
        long rows; /* rows in the ring buffer, each `width` planes; a block leaves some of them */
        long step; /* distance in rows between those that a block reads and those that it leaves */
    } ring;
};

/* O(p): drift of the slabs when pass p starts. */
static long drift(const struct leaning *l, long pass)
{
    return l->hi * zoid_chain_start(l->chain.graph, pass);
}

/* Slabs that hold planes of the domain when pass p starts: lowest ... highest. */
static long lowest(const struct leaning *l, long pass)
{
    return drift(l, pass) / l->chain.graph->block;
}

static long highest(const struct leaning *l, long pass)
{
    return zoid_ceil_div(l->n + drift(l, pass), l->chain.graph->block) - 1;
}

/* A pass accesses the slabs that exist when it starts and those that emerge by its end. */
static long first(const struct zoid_chain *chain, long pass)
{
    return lowest((const struct leaning *)chain, pass);
}

static long last(const struct zoid_chain *chain, long pass)
{
    return highest((const struct leaning *)chain, pass + 1);
}

/* Drift of the slabs in a full pass. */
static long fall(const struct leaning *l)
{
    return drift(l, 1) - drift(l, 0);
}

/* Drift of the slabs when the first pass starts, modulo the height of a slab. */
static long offset(const struct leaning *l)
{
    return drift(l, 0) % l->chain.graph->block;
}

/* Maximum number of slabs that exist between two passes. It grows with the drift modulo the block;
 * full passes reach the offset and multiples of the common divisor, a shorter last pass its own
 * end. Legs together may reach any number of steps. */
static long most_slabs(const struct leaning *l)
{
    const struct zoid_graph *g = l->chain.graph;
    long passes = l->chain.passes, block = g->block;
    long step = passes > 1 ? zoid_gcd(block, fall(l)) : block;

    if (g->leg.is != ZOID_LEG_ONLY)
        return zoid_ceil_div(l->n + block - zoid_gcd(block, l->hi * g->shape.stages), block);
    return zoid_max(zoid_ceil_div(l->n + block - step + offset(l) % step, block),
                    highest(l, passes) - lowest(l, passes) + 1);
}

static struct zoid_datum slab(const struct leaning *l, long cell, long j)
{
    return (struct zoid_datum){.kind = ZOID_SLAB, .row = cell, .col = j % l->slots};
}

static struct zoid_view slab_view(const struct leaning *l, long j, long pass)
{
    const struct zoid_graph *g = l->chain.graph;
    long t = zoid_chain_start(g, pass), lo = j * g->block - drift(l, pass);

    return (struct zoid_view){.t0 = t, .t1 = t, .lo = lo, .hi = lo + g->block};
}

static struct zoid_datum reuse(const struct leaning *l, const struct zoid_block *b)
{
    return (struct zoid_datum){.kind = ZOID_REUSE, .row = b->owner * l->lanes + b->lane};
}

/* Planes along a face, at all times that other blocks read. */
static struct zoid_view along(const struct leaning *l, const struct zoid *z, long lo, long hi)
{
    return (struct zoid_view){.t0 = z->t0,
                              .t1 = z->t1 - !l->last_time,
                              .lo = lo,
                              .hi = hi,
                              .drift = -(int)l->hi,
                              .by_turns = l->chain.graph->shape.alternates,
                              .advance = hi - lo};
}

/* Planes that block j leaves for its right neighbour: those below their common face. */
static struct zoid_view reuse_view(const struct leaning *l, const struct zoid *z, long j, long face)
{
    struct zoid_view view = along(l, z, face - l->width, face);

    view.around = l->ring.rows * l->width;
    view.slot = zoid_modulo(-j * l->ring.step, l->ring.rows) * l->width;
    return view;
}

static struct zoid zoid(const struct zoid_chain *chain, long pass, long j)
{
    const struct leaning *l = (const struct leaning *)chain;
    struct zoid_view in = slab_view(l, j, pass);
    struct zoid_face face = {in.lo, in.hi, -(int)l->hi, -(int)l->hi};

    return zoid_chain_zoid(&chain->graph->shape, in.t0, zoid_chain_start(chain->graph, pass + 1),
                           face);
}

/* ---- relays ------------------------------------------------------------------------------ */

/* Planes that a pass of a cell relays to the cell above: those below their common face, in
 * coordinates of the line, split from the top downwards into one part per block that has some. */
struct relay {
    int parts;
    struct zoid_range part[ZOID_RELAY_PARTS];
};

static struct relay relay_of(const struct leaning *l, long cell, long pass)
{
    const struct zoid_graph *g = l->chain.graph;
    const long end = zoid_relay_faces(&l->chain, cell, pass, zoid_chain_start(g, pass)).hi;
    const long start = end - l->width, fallen = drift(l, pass);
    const long between = zoid_floor_div(end - 1 + fallen, g->block) * g->block - fallen;
    struct relay relay = {.parts = 1, .part = {{zoid_max(start, between), end}}};

    if (between > start)
        relay.part[relay.parts++] = (struct zoid_range){start, between};
    return relay;
}

static int relays(const struct zoid_chain *chain, long cell, long pass)
{
    const struct leaning *l = (const struct leaning *)chain;

    return l->width > 0 ? relay_of(l, cell, pass).parts : 0;
}

/* Append reads of the relays from the cell below, whose line has another base: for the lowest
 * blocks of a cell. */
static void take_relay(const struct leaning *l, struct zoid_block *b, struct zoid_access *access)
{
    const struct zoid_graph *g = l->chain.graph;
    const long up = zoid_cell_base(g, b->cell - 1) - zoid_cell_base(g, b->cell);
    const struct relay relay = relay_of(l, b->cell - 1, b->pass);

    for (int i = 0; i < relay.parts; i++)
        access[b->naccess++] = (struct zoid_access){
            .datum = zoid_relay_datum(&l->chain, b->cell - 1, b->pass, i),
            .mode = ZOID_READ,
            .in = along(l, &b->zoid, relay.part[i].lo + up, relay.part[i].hi + up),
            .next = ZOID_NEXT_RAM};
}

/* Append writes of the parts whose planes a block has. */
static void leave_relay(const struct leaning *l, struct zoid_block *b, struct zoid_range planes,
                        struct zoid_access *access)
{
    const struct relay relay = relay_of(l, b->cell, b->pass);

    for (int i = 0; i < relay.parts; i++)
        if (planes.lo <= relay.part[i].lo && relay.part[i].hi <= planes.hi)
            access[b->naccess++] =
                (struct zoid_access){.datum = zoid_relay_datum(&l->chain, b->cell, b->pass, i),
                                     .mode = ZOID_WRITE,
                                     .out = along(l, &b->zoid, relay.part[i].lo, relay.part[i].hi),
                                     .next = ZOID_NEXT_RAM};
}

/* Low and high face of a block's cell when its pass begins. */
static struct zoid_range faces(const struct leaning *l, const struct zoid_block *b)
{
    return zoid_grid_relays(l->chain.graph)
               ? zoid_relay_faces(&l->chain, b->cell, b->pass, b->zoid.t0)
               : (struct zoid_range){LONG_MIN, LONG_MAX};
}

static void relay(const struct leaning *l, struct zoid_block *b, struct zoid_range planes,
                  struct zoid_access *access)
{
    const struct zoid_range cell = faces(l, b);

    if (l->width == 0)
        return;
    if (cell.lo > LONG_MIN && planes.hi > cell.lo && planes.lo < cell.lo + l->width)
        take_relay(l, b, access);
    if (cell.hi < LONG_MAX)
        leave_relay(l, b, planes, access);
}

/* Restrict a view to the planes of the block's cell, if it has any. */
static struct zoid_view inside(const struct leaning *l, struct zoid_view view, long lowest)
{
    if (view.lo < lowest && lowest < zoid_min(view.hi, l->n)) {
        view.slot += lowest - view.lo;
        view.lo = lowest;
    }
    return view;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* Append the access to the reuse datum: reads from the left neighbour, writes for the right one.
 * There is nothing below a face that is not above the cell's low face. */
static void hand_on(const struct leaning *l, struct zoid_block *b, struct zoid_range planes,
                    struct zoid_access *access)
{
    const long p = b->pass, j = b->position, bottom = faces(l, b).lo;
    const bool reads = j > first(&l->chain, p) && planes.lo > bottom;
    const bool writes = j < last(&l->chain, p) && planes.hi > bottom;
    struct zoid_access *a = &access[b->naccess];

    if (l->width == 0 || !(reads || writes))
        return;
    *a = (struct zoid_access){.datum = reuse(l, b), .next = ZOID_NEXT_DEAD};
    b->naccess++;
    if (reads) {
        a->mode |= ZOID_READ;
        a->in = inside(l, reuse_view(l, &b->zoid, j - 1, planes.lo), bottom);
    }
    if (writes) {
        a->mode |= ZOID_WRITE;
        a->out = reuse_view(l, &b->zoid, j, planes.hi);
        a->next = ZOID_NEXT_SAME;
    }
}

static void block(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_access *access,
                  struct zoid_datum *fetch)
{
    const struct leaning *l = (const struct leaning *)chain;
    long p = b->pass, j = b->position;
    struct zoid_view in = slab_view(l, j, p), out = slab_view(l, j, p + 1);
    const struct zoid_range planes = {in.lo, in.hi};

    in = inside(l, in, faces(l, b).lo);
    in.patch = zoid_cell_kept(chain, b, &in);
    if (zoid_chain_slab(chain, slab(l, b->cell, j), in, out, &access[b->naccess])) {
        const struct zoid_access *a = &access[b->naccess++];

        access[b->naccess - 1].next =
            a->mode & ZOID_WRITE ? zoid_chain_next(chain, b) : ZOID_NEXT_DEAD;
        if (a->mode & ZOID_READ)
            zoid_cell_take(chain, b, access, &(struct zoid_cell_slab){a->datum.col, in});
        if (a->mode & ZOID_WRITE)
            zoid_cell_leave(chain, b, access, a, true);
    }
    hand_on(l, b, planes, access);
    relay(l, b, planes, access);
    /* An emerging slab is written, not read: no prefetch. */
    if (j < highest(l, p) && zoid_chain_from_ram(chain, b)) {
        fetch[b->nfetch++] = slab(l, b->cell, j + 1);
        zoid_cell_fetch(chain, b, fetch, fetch[0].col);
    }
}

static struct zoid_view planes(const struct zoid_chain *chain, long pass, long col)
{
    const struct leaning *l = (const struct leaning *)chain;
    const long low = lowest(l, pass), j = low + zoid_modulo(col - low, l->slots);
    struct zoid_view view = slab_view(l, j, pass);

    view.slot = zoid_max(-view.lo, 0);
    view.lo += view.slot;
    view.hi = zoid_min(view.hi, l->n);
    return view;
}

static bool holds(const struct zoid_chain *chain, bool end, long i, struct zoid_datum *datum,
                  struct zoid_view *view)
{
    const struct leaning *l = (const struct leaning *)chain;
    long pass = end ? chain->passes : 0, j = lowest(l, pass) + i;

    *datum = slab(l, 0, j);
    *view = slab_view(l, j, pass);
    return j <= highest(l, pass);
}

/* Planes of the box at all times but the first, plus the reach of coefficients. */
static struct zoid_chain_span span(const struct leaning *l)
{
    const struct zoid_graph *g = l->chain.graph;
    long down = fall(l), lo, hi;

    zoid_chain_near(g, &lo, &hi);
    return (struct zoid_chain_span){.width = g->block + zoid_max(down - l->hi, 0) + lo + hi,
                                    .start = -offset(l) - down - lo,
                                    .grid =
                                        l->chain.passes > 1 ? zoid_gcd(g->block, down) : g->block};
}

/* Ring buffer of a lane. A block leaves one row for each time, or for each pair of alternating
 * times. A row may be overwritten when the launch that reads it last has ended, that of the next
 * time or pair; or, if launches may cover any number of times, when the block has ended. */
static struct ring ring_of(const struct leaning *l)
{
    const struct zoid_graph *g = l->chain.graph;
    const long times = zoid_min(g->depth, g->steps) * g->shape.stages;
    const long rows = (g->shape.alternates ? times / 2 + 1 : times) + l->last_time;
    const long behind = g->shape.alternates ? (g->at_once + 4) / 2 : g->at_once + 1;
    const long step = g->at_once && !l->last_time ? zoid_min(behind, rows) : rows;

    return (struct ring){rows + step, step};
}

static struct leaning make(const struct zoid_graph *g)
{
    struct leaning l = {
        .chain = {.graph = g,
                  .passes = zoid_chain_passes(g),
                  /* Blocks one above the other share pieces of memory. */
                  .lead = zoid_remembers(&g->shape) ? 2 : 1,
                  .first = first,
                  .last = last,
                  .zoid = zoid,
                  .block = block,
                  .relays = relays,
                  .max_access = 2,
                  .max_fetch = 1,
                  .max_slabs = 1,
                  .max_left = 1,
                  .planes = planes,
                  .alone = true,
                  .holds = holds},
        .n = zoid_cell_line(g),
        .last_time = g->shape.order[g->shape.stages - 1] == ZOID_ASCENDING,
    };

    zoid_chain_reach(&g->shape, &l.lo, &l.hi);
    if (zoid_grid_relays(g))
        l.hi = zoid_grid_beside(g, zoid_chain(&g->shape), 1).hi;
    l.width = zoid_reach_below(&g->shape, l.lo, l.hi);
    l.slots = l.chain.cols = most_slabs(&l);
    l.lanes = zoid_min(zoid_chain_lanes(g), l.chain.passes * zoid_rank_cells(g));
    l.ring = ring_of(&l);
    l.chain.span[0] = span(&l);
    return l;
}

static long min_block(const struct zoid_shape *shape)
{
    long lo, hi;

    zoid_chain_reach(shape, &lo, &hi);
    return zoid_max(zoid_reach_below(shape, lo, zoid_in_order(shape) ? zoid_max(hi, 1) : hi), 1);
}

/* Sum of last - first + 1 over all passes, without iterating over them. */
static long blocks(const struct leaning *l)
{
    long passes = l->chain.passes, block = l->chain.graph->block, d;

    if (!passes)
        return 0;
    /* The last pass, which may be shorter, and the full ones before it. */
    d = fall(l);
    return last(&l->chain, passes - 1) - first(&l->chain, passes - 1) + 1 +
           zoid_floor_sum_between(passes - 1, block, d, offset(l),
                                  offset(l) + l->n + d + block - 1);
}

/* Critical path: one pass, and the lag of each further one, which is a slab plus the drift of
 * blocks. */
static double serial(const struct leaning *l, const struct zoid_graph *g)
{
    double slabs = (double)l->n / (double)zoid_min(g->block, l->n),
           passes = (double)l->chain.passes;
    double drift = (double)(g->depth * g->shape.stages * zoid_max(l->lo, l->hi));

    if (l->width == 0 || passes < 1)
        return 1 / slabs;
    return fmin((slabs + (passes - 1) * ((double)l->chain.lead + drift / (double)g->block)) /
                    (slabs * passes),
                1);
}

static void census(const struct zoid_graph *g, struct zoid_census *c)
{
    struct leaning l = make(g);
    long times = zoid_min(g->depth, g->steps) * g->shape.stages;

    *c = (struct zoid_census){.blocks = blocks(&l),
                              .max_access = (long)l.chain.max_access,
                              .open_slabs = 1,
                              .block_slabs = 1,
                              .planes = zoid_chain_planes(g),
                              .about.serial = serial(&l, g),
                              .about.abreast = l.width ? 1 : zoid_ceil_div(l.n, g->block),
                              .about.mean_planes = (double)zoid_min(g->block, l.n),
                              .about.mean_times = (double)(g->depth * g->shape.stages),
                              .box_planes = times > 1 ? zoid_min(g->block, l.n) : 0};
    c->kind[ZOID_SLAB] = (struct zoid_census_row){1, l.slots, g->block};
    if (c->blocks > l.chain.passes && l.width > 0)
        c->kind[ZOID_REUSE] = (struct zoid_census_row){l.lanes, 1, l.ring.rows * l.width};
    if (zoid_grid_relays(g) && l.width > 0)
        c->kind[ZOID_RELAY] =
            (struct zoid_census_row){1, g->epoch / g->depth * (l.width > 1 ? ZOID_RELAY_PARTS : 1),
                                     (l.ring.rows - l.ring.step) * l.width};
    zoid_chain_pieces_census(&l.chain, c);
    zoid_cell_census(&l.chain, c);
}

static int emit(const struct zoid_graph *g, struct zoid_sink *sink)
{
    struct leaning l = make(g);

    return zoid_chain_emit(&l.chain, sink);
}

/* Each block of a pass waits for the one below it; on a circular line that would be a cycle. */
static const char *refuses(const struct zoid_shape *shape)
{
    static const char *const words[ZOID_AXES] = {"a periodic x", "a periodic y", "a periodic z"};

    return zoid_chain_periodic(shape) ? words[zoid_chain(shape)] : NULL;
}

const struct zoid_method zoid_leaning = {
    .name = "leaning",
    .summary = "blocks lean against the chain axis; nothing is computed twice",
    .pipelined = true,
    .chained = true,
    .cells = true,
    .in_order = true,
    .min_block = min_block,
    .refuses = refuses,
    .census = census,
    .emit = emit,
};
