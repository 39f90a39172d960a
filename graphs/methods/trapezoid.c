/* SPDX-License-Identifier: BSD-3-Clause */
/* Trapezoid [split] tiling: upright blocks shrink within their slabs, inverted ones then grow
 * between them. Nothing is computed redundantly, slabs do not drift, upright blocks of a pass are
 * independent.
 *
 *   t1    ________      I1      ______      I2      ________
 *                 \            /      \            /             U: its low face moves up by the
 *          U0      \o        o/   U1   \o        o/     U2       low reach a time, its high face
 *                   \oo    oo/          \oo    oo/               down by the high reach; not at the
 *   t0               \oo  oo/            \oo  oo/                ends of the domain
 *         |    0      |          1        |          2     |
 *               z ->
 *
 * Slabs are updated in place: U leaves its planes of t1 in the middle of its slab, I those around
 * the face of two slabs in both. The neighbours leave the planes that I reads in slopes (oo) [skew
 * buffers]: the low + high reach planes along their faces, at every time before t1.
 *
 * The order is U0, U1 I1, U2 I2, ..., so that slabs are finished early. Neighbouring inverted
 * blocks share a slab and cannot run concurrently; if a pass has several workers the order is U0,
 * U1 U2 I2 I1, U3 U4 I4 I3, ..., and only the blocks around odd faces wait.
 *
 * A slab in the middle must be at least as high as its block shrinks; one at an end may be lower,
 * since its block may vanish there. On a circular line the last slab meets the first, and planes
 * are distributed evenly. */
#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/cells.h"
#include "graphs/common/chain.h"
#include "graphs/common/grid.h"
#include "graphs/common/pieces.h"
#include "graphs/method.h"

enum { PAIR = 2 };

struct trapezoid {
    struct zoid_chain chain;
    long n, lo, hi;        /* extent and reach along the chain axis */
    long slabs, faces;     /* faces between slabs; face f is slab f's low one */
    long height, extra;    /* planes of a slab; the first `extra` have one more */
    long ring[ZOID_SIDES]; /* number of slopes of a lane below high faces, and above low ones */
    long rings;            /* of a rank's lanes */
    long group; /* number of upright blocks that precede the inverted ones between them */
};

static bool periodic(const struct trapezoid *t)
{
    return zoid_grid_round(t->chain.graph);
}

/* First plane of slab j; on a circular line slab `slabs` is slab 0 again. */
static long start(const struct trapezoid *t, long j)
{
    long plane = j * t->height + zoid_min(j, t->extra);

    return !periodic(t) ? zoid_min(plane, t->n) : j > t->slabs ? t->n + start(t, 1) : plane;
}

/* ---- positions of a pass ----------------------------------------------------------------- */

/* Block at a position: U0, then in groups the next upright blocks and the inverted ones below them,
 * from the highest downwards; on a circular line the one at the last face comes last. */
struct turn {
    bool upright;
    long index; /* of the slab, or of the face */
};

/* Number of slabs of a group that starts above slab `below`. */
static long group_of(const struct trapezoid *t, long below)
{
    return zoid_min(t->group, t->slabs - 1 - below);
}

static struct turn turn_at(const struct trapezoid *t, long position)
{
    long below = (position - 1) / (2 * t->group) * t->group, i = position - 1 - 2 * below;

    if (!t->faces || position == 0)
        return (struct turn){true, position};
    if (position == 2 * t->slabs - 1)
        return (struct turn){false, t->slabs};
    return i < group_of(t, below) ? (struct turn){true, below + 1 + i}
                                  : (struct turn){false, below + 2 * group_of(t, below) - i};
}

static long upright_at(const struct trapezoid *t, long j)
{
    return t->faces && j ? j + (j - 1) / t->group * t->group : j;
}

static long inverted_at(const struct trapezoid *t, long face)
{
    long below = (face - 1) / t->group * t->group;

    return face == t->slabs ? 2 * face - 1 : 1 + 3 * below + 2 * group_of(t, below) - face;
}

static long first(const struct zoid_chain *chain, long pass)
{
    (void)chain, (void)pass;
    return 0;
}

static long last(const struct zoid_chain *chain, long pass)
{
    const struct trapezoid *t = (const struct trapezoid *)chain;

    (void)pass;
    return t->slabs + t->faces - 1;
}

/* Faces of slab j; 0 if there is none. */
static long low_face(const struct trapezoid *t, long j)
{
    return j && t->faces ? j : periodic(t) ? t->faces : 0;
}

static long high_face(const struct trapezoid *t, long j)
{
    return j < t->faces ? j + 1 : 0;
}

static struct zoid zoid(const struct zoid_chain *chain, long pass, long position)
{
    const struct trapezoid *t = (const struct trapezoid *)chain;
    struct turn turn = turn_at(t, position);
    long i = turn.index, at = start(t, i);
    struct zoid_face face = {at, at, -(int)t->hi, (int)t->lo};

    if (turn.upright)
        face = (struct zoid_face){at, start(t, i + 1), low_face(t, i) ? (int)t->lo : 0,
                                  high_face(t, i) ? -(int)t->hi : 0};
    return zoid_chain_zoid(&chain->graph->shape, zoid_chain_start(chain->graph, pass),
                           zoid_chain_start(chain->graph, pass + 1), face);
}

/* ---- accesses of a block ----------------------------------------------------------------- */

static struct zoid_datum slab(const struct trapezoid *t, long cell, long j)
{
    return (struct zoid_datum){.kind = ZOID_SLAB, .row = cell, .col = j % t->slabs};
}

/* All of slab j. */
static struct zoid_view slab_view(const struct trapezoid *t, long j, long time)
{
    return (struct zoid_view){.t0 = time, .t1 = time, .lo = start(t, j), .hi = start(t, j + 1)};
}

/* Planes [lo, hi) of slab j. */
static struct zoid_view part_of(const struct trapezoid *t, long j, long time, long lo, long hi)
{
    struct zoid_view whole = slab_view(t, j, time);

    lo = zoid_max(lo, whole.lo);
    return (struct zoid_view){
        .t0 = time, .t1 = time, .lo = lo, .hi = zoid_min(hi, whole.hi), .slot = lo - whole.lo};
}

/* Last block of a pass that accesses slab j. */
static long last_access(const struct trapezoid *t, long j)
{
    long last = upright_at(t, j);

    if (t->lo && low_face(t, j))
        last = zoid_max(last, inverted_at(t, low_face(t, j)));
    if (t->hi && high_face(t, j))
        last = zoid_max(last, inverted_at(t, high_face(t, j)));
    return last;
}

/* True if slab 0 is not accessed for a while: on a circular line the last block of a pass updates
 * it. */
static bool away(const struct trapezoid *t)
{
    return periodic(t) && t->lo && t->slabs > 2;
}

static enum zoid_next next_of(const struct trapezoid *t, const struct zoid_block *b, long j)
{
    j %= t->slabs;
    if (b->position == last_access(t, j))
        return zoid_chain_next(&t->chain, b);
    return !j && away(t) && b->position == (t->hi ? inverted_at(t, 1) : 0) ? ZOID_NEXT_RAM
                                                                           : ZOID_NEXT_SAME;
}

/* Slope along a face that starts at plane `at`: below it if it is a block's high face, above it if
 * it is a low one. On a circular line slab 0's low slope outlives the ring. */
static struct zoid_access slope(const struct trapezoid *t, const struct zoid_block *b, long face,
                                int side, long at)
{
    long width = t->lo + t->hi, col = face % t->ring[ZOID_HIGH];
    struct zoid_view view = {.t0 = b->zoid.t0,
                             .t1 = b->zoid.t1 - 1,
                             .lo = at - width,
                             .hi = at,
                             .drift = -(int)t->hi,
                             .advance = width};

    if (side == ZOID_LOW) {
        col = t->ring[ZOID_HIGH] + (face < t->slabs ? face % t->ring[ZOID_LOW] : t->ring[ZOID_LOW]);
        view.lo = at;
        view.hi = at + width;
        view.drift = (int)t->lo;
    }
    return (struct zoid_access){
        .datum = {.kind = ZOID_REUSE, .row = b->owner * t->rings + b->lane, .col = col},
        .in = view,
        .out = view};
}

static void upright_block(const struct trapezoid *t, long j, struct zoid_block *b,
                          struct zoid_access *access, struct zoid_datum *fetch)
{
    long faces[] = {[ZOID_HIGH] = high_face(t, j), [ZOID_LOW] = low_face(t, j)};
    long at[] = {[ZOID_HIGH] = start(t, j + 1), [ZOID_LOW] = start(t, j)};
    struct zoid_box end = zoid_box_at(&b->zoid, b->zoid.t1);
    struct zoid_cell_slab in = {j, slab_view(t, j, b->zoid.t0)};
    int chain = zoid_chain(b->shape);

    in.view.patch = zoid_cell_kept(&t->chain, b, &in.view);
    zoid_chain_slab(&t->chain, slab(t, b->cell, j), in.view,
                    part_of(t, j, b->zoid.t1, end.lo[chain], end.hi[chain]), access);
    access[b->naccess++].next = next_of(t, b, j);
    zoid_cell_take(&t->chain, b, access, &in);
    zoid_cell_leave(&t->chain, b, access, &access[0], b->position == last_access(t, j));
    for (int side = ZOID_HIGH; side >= ZOID_LOW; side--)
        if (faces[side]) {
            access[b->naccess] = slope(t, b, faces[side], side, at[side]);
            access[b->naccess++].mode = ZOID_WRITE;
        }
    /* The transfer of the next upright block's slab overlaps this block and an inverted one. */
    if (j + 1 < t->slabs && zoid_chain_from_ram(&t->chain, b)) {
        fetch[b->nfetch++] = slab(t, b->cell, j + 1);
        zoid_cell_fetch(&t->chain, b, fetch, j + 1);
    } else if (j + 1 == t->slabs && away(t)) {
        fetch[b->nfetch++] = slab(t, b->cell, 0);
    }
}

/* Append the write of planes `out` of the last time to slab j. */
static void leave(const struct trapezoid *t, struct zoid_block *b, struct zoid_access *access,
                  long j, struct zoid_view out)
{
    struct zoid_access *a = &access[b->naccess];

    if (out.lo >= out.hi)
        return;
    *a = (struct zoid_access){.datum = slab(t, b->cell, j),
                              .mode = ZOID_WRITE,
                              .keeps = true,
                              .out = out,
                              .next = next_of(t, b, j)};
    b->naccess++;
    zoid_cell_leave(&t->chain, b, access, a, b->position == last_access(t, j % t->slabs));
}

static void inverted_block(const struct trapezoid *t, long face, struct zoid_block *b,
                           struct zoid_access *access)
{
    long at = start(t, face), t1 = b->zoid.t1, times = t1 - b->zoid.t0;

    for (int side = ZOID_HIGH; side >= ZOID_LOW; side--) {
        access[b->naccess] = slope(t, b, face, side, at);
        access[b->naccess].mode = ZOID_READ;
        access[b->naccess++].next = ZOID_NEXT_DEAD;
    }
    leave(t, b, access, face - 1, part_of(t, face - 1, t1, at - times * t->hi, at));
    leave(t, b, access, face, part_of(t, face, t1, at, at + times * t->lo));
}

static void block(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_access *access,
                  struct zoid_datum *fetch)
{
    const struct trapezoid *t = (const struct trapezoid *)chain;
    struct turn turn = turn_at(t, b->position);

    if (turn.upright)
        upright_block(t, turn.index, b, access, fetch);
    else
        inverted_block(t, turn.index, b, access);
}

/* Whoever computes planes of a slab accesses it. */
static bool again(const struct zoid_chain *chain, const struct zoid_block *b, long lo, long hi)
{
    const struct trapezoid *t = (const struct trapezoid *)chain;
    bool later = false;

    for (long j = lo / (t->height + 1); j < t->slabs && start(t, j) < hi && !later; j++)
        later = start(t, j + 1) > lo && b->position < last_access(t, j);
    return later;
}

static struct zoid_view planes(const struct zoid_chain *chain, long pass, long col)
{
    return slab_view((const struct trapezoid *)chain, col, zoid_chain_begin(chain, pass));
}

static bool holds(const struct zoid_chain *chain, bool end, long i, struct zoid_datum *datum,
                  struct zoid_view *view)
{
    const struct trapezoid *t = (const struct trapezoid *)chain;

    *datum = slab(t, 0, i);
    *view = slab_view(t, i, zoid_chain_begin(chain, end ? chain->passes : 0));
    return i < t->slabs;
}

/* ---- census ------------------------------------------------------------------------------ */

/* Number of planes by which a block shrinks in a step. */
static long shrink(const struct zoid_shape *shape)
{
    long lo, hi;

    zoid_chain_reach(shape, &lo, &hi);
    return shape->stages * (lo + hi);
}

static void cut(struct trapezoid *t)
{
    const struct zoid_graph *g = t->chain.graph;
    long lowest = shrink(&g->shape);

    t->slabs = zoid_ceil_div(t->n, g->block);
    t->height = g->block;
    if (periodic(t)) {
        if (lowest)
            t->slabs = zoid_min(zoid_max(t->slabs, 2), t->n / lowest);
        t->height = t->n / t->slabs;
        t->extra = t->n % t->slabs;
    }
    t->faces = !lowest ? 0 : periodic(t) ? t->slabs : t->slabs - 1;
}

static long max_slab(const struct trapezoid *t)
{
    return start(t, 1);
}

/* Number of workers of a pass. If there are more workers than lanes, twice their share, since some
 * of them wait for the readers of slopes. */
static long workers_of_pass(const struct zoid_graph *g, long passes)
{
    const long all = zoid_max(g->workers, g->lanes), open = zoid_min(g->lanes, passes);

    return all > g->lanes ? zoid_min(zoid_ceil_div(2 * all, open), all)
                          : zoid_ceil_div(g->lanes, open);
}

/* Size the rings of slopes. U waits for the readers of the slopes that it overwrites. With pairs
 * that takes three blocks, one after the other; meanwhile one slab is processed for each slope of a
 * ring, with two blocks each. On a circular line passes follow one another. */
static void make_rings(struct trapezoid *t)
{
    const struct zoid_graph *g = t->chain.graph;
    long passes = periodic(t) ? 1 : zoid_max(t->chain.passes, 1);
    long workers = g->elastic ? workers_of_pass(g, passes) : 1;

    t->group = workers > 1 ? PAIR : 1;
    t->ring[ZOID_LOW] = workers > 1 ? PAIR * zoid_ceil_div(3 * workers, 2 * PAIR) : 1;
    t->ring[ZOID_LOW] = zoid_min(t->ring[ZOID_LOW], zoid_max(t->slabs - 1, 1));
    t->ring[ZOID_HIGH] = zoid_min(t->ring[ZOID_LOW] + 1, zoid_max(t->faces, 1));
}

static long times_of(const struct zoid_graph *g)
{
    return zoid_min(g->depth, g->steps) * g->shape.stages;
}

/* Coefficients of upright blocks are those of their slabs; those of inverted ones extend as far as
 * the blocks grow and read. */
static void find_spans(struct trapezoid *t)
{
    long times = times_of(t->chain.graph), lo, hi;

    zoid_chain_near(t->chain.graph, &lo, &hi);
    t->chain.span[0] = (struct zoid_chain_span){.width = max_slab(t), .grid = t->height};
    if (t->faces)
        t->chain.span[1] = (struct zoid_chain_span){.width = times * (t->lo + t->hi) + lo + hi,
                                                    .start = -times * t->hi - lo,
                                                    .grid = t->height};
}

static struct trapezoid make(const struct zoid_graph *g)
{
    struct trapezoid t = {
        .chain = {.graph = g,
                  .passes = zoid_chain_passes(g),
                  .first = first,
                  .last = last,
                  .zoid = zoid,
                  .block = block,
                  .again = again,
                  .max_access = 4,
                  .max_fetch = 1,
                  .max_slabs = 1,
                  .max_left = 2,
                  .planes = planes,
                  .holds = holds},
        .n = zoid_cell_line(g),
    };

    zoid_chain_reach(&g->shape, &t.lo, &t.hi);
    cut(&t);
    make_rings(&t);
    t.chain.cols = t.slabs;
    t.rings = zoid_min(zoid_chain_lanes(g), t.chain.passes * zoid_rank_cells(g));
    /* The last planes of a slab come from the inverted blocks at its faces, the higher of which is
     * in the next group; on a circular line slab 0's come from the last block. Halos from a
     * neighbouring cell are prefetched during the block of the slab below theirs. */
    t.chain.lead = periodic(&t) ? last(&t.chain, 0) : 3 * t.group + (zoid_cells(g) > 1 ? 2 : 0);
    find_spans(&t);
    return t;
}

static long min_block(const struct zoid_shape *shape)
{
    return zoid_max(shrink(shape), 1);
}

/* With two slabs no slab is in the middle. */
static long max_depth(const struct zoid_graph *g)
{
    struct trapezoid t = make(g);

    return t.faces && (periodic(&t) || t.slabs > 2) ? t.height / shrink(&g->shape) : g->depth;
}

/* Maximum number of planes at the times between the first and the last, of which there are
 * `between`. */
static long max_planes(const struct trapezoid *t, long between)
{
    long face = start(t, 1), above = t->n - start(t, t->slabs - 1);

    if (!between)
        return 0;
    if (!t->faces)
        return max_slab(t);
    if (periodic(t))
        return zoid_max(face - t->lo - t->hi, between * (t->lo + t->hi));
    return zoid_max(zoid_max(face - t->hi, above - t->lo),
                    zoid_min(between * t->hi, face) + zoid_min(between * t->lo, t->n - face));
}

/* A slab is finished when the blocks at its faces that update it are. */
static long open_slabs(const struct trapezoid *t)
{
    if (!t->faces)
        return 1;
    if (!t->hi && !(periodic(t) && t->slabs == 2))
        return zoid_min(t->group, t->slabs - 1);
    return zoid_min(t->group + 1, t->slabs);
}

/* Critical path of a pass: an upright block and an inverted one next to it, or the share of
 * concurrent blocks; and for each further pass the blocks that it lags behind. */
static double serial(const struct trapezoid *t)
{
    const double abreast = (double)zoid_max(2 * t->ring[ZOID_LOW] / 3, 1);
    const double blocks = (double)(t->slabs + t->faces);
    const double passes = (double)zoid_max(t->chain.passes, 1);
    const double pass = fmax(2 / blocks, 0.7 / abreast);
    const double behind = periodic(t) ? pass : fmin(3 / blocks, pass);

    return t->faces ? fmin((pass + (passes - 1) * behind) / passes, 1) : 1 / (double)t->slabs;
}

static void census(const struct zoid_graph *g, struct zoid_census *c)
{
    struct trapezoid t = make(g);
    long times = times_of(g);

    *c = (struct zoid_census){.blocks = t.chain.passes * (t.slabs + t.faces),
                              .max_access = (long)t.chain.max_access,
                              .open_slabs = open_slabs(&t),
                              .block_slabs = t.faces ? 2 : 1,
                              .planes = zoid_chain_planes(g),
                              .about.serial = serial(&t),
                              .about.abreast =
                                  t.faces ? zoid_max(2 * t.ring[ZOID_LOW] / 3, 1) : t.slabs,
                              .about.mean_planes = (double)t.n / (double)(t.slabs + t.faces),
                              .about.mean_times = (double)(g->depth * g->shape.stages),
                              .box_planes = max_planes(&t, zoid_max(times - 1, 0))};
    c->kind[ZOID_SLAB] = (struct zoid_census_row){1, t.slabs, max_slab(&t)};
    if (t.faces && times)
        c->kind[ZOID_REUSE] = (struct zoid_census_row){
            t.rings, t.ring[ZOID_HIGH] + t.ring[ZOID_LOW] + periodic(&t), times * (t.lo + t.hi)};
    zoid_chain_pieces_census(&t.chain, c);
    zoid_cell_census(&t.chain, c);
}

static int emit(const struct zoid_graph *g, struct zoid_sink *sink)
{
    struct trapezoid t = make(g);

    return zoid_chain_emit(&t.chain, sink);
}

/* On a circular line there are at least two slabs, none of them at an end. */
static const char *refuses(const struct zoid_shape *shape)
{
    static const char *const words[ZOID_AXES] = {"a periodic x of so few points",
                                                 "a periodic y of so few rows",
                                                 "a periodic z of so few planes"};
    int chain = zoid_chain(shape);

    return zoid_chain_periodic(shape) && shape->n[chain] < 2 * shrink(shape) ? words[chain] : NULL;
}

const struct zoid_method zoid_trapezoid = {
    .name = "trapezoid",
    .summary = "upright blocks shrink within their slabs, inverted ones grow between them",
    .pipelined = true,
    .wide = true,
    .cells = true,
    .min_block = min_block,
    .max_depth = max_depth,
    .refuses = refuses,
    .census = census,
    .emit = emit,
};
