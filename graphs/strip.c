/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips: what a method that cuts the chain axis does with all rows of its planes, it does with those of
 * one strip after the other.
 *
 *            |  s-1  |   s   |  s+1  |
 *   t1               |       |                 the strip's own rows
 *                   /         \
 *   t0             /           \               and as many beside them as its blocks look at: a window
 *       y ->    |oo|           |oo|
 *
 * Slabs hold windows. A block leaves its slab with the strip's own rows, and beside it *sides*, the
 * border rows of all the slab's planes (oo), which the blocks of the next pass put into the windows of
 * the neighbours. So a strip is to its neighbours what an overlapped slab is to its own: nothing within
 * a pass waits for another strip, and rows between two are computed twice. */
#include "graphs/chain.h"

static int axis_of(const struct zoid_graph *g)
{
    return zoid_chain(&g->shape) - 1;
}

long zoid_strips(const struct zoid_graph *g)
{
    return g->strip ? zoid_ceil_div(g->shape.n[axis_of(g)], g->strip) : 1;
}

static bool periodic(const struct zoid_graph *g)
{
    return zoid_axis_periodic(&g->shape, axis_of(g));
}

/* Rows that blocks look at below and above their own. */
static struct zoid_rows beside(const struct zoid_graph *g)
{
    struct zoid_rows rows = {0, 0};

    if (g->strip) {
        zoid_axis_reach(&g->shape, axis_of(g), &rows.lo, &rows.hi);
        rows.lo *= g->depth * g->shape.stages;
        rows.hi *= g->depth * g->shape.stages;
    }
    return rows;
}

/* Round a periodic axis strips go on: strip S is strip 0. */
struct zoid_rows zoid_strip_own(const struct zoid_graph *g, long strip)
{
    long strips = zoid_strips(g), n = g->strip ? g->shape.n[axis_of(g)] : 0;
    long lap = zoid_floor_div(strip, strips), s = strip - lap * strips;

    return (struct zoid_rows){lap * n + s * n / strips, lap * n + (s + 1) * n / strips};
}

struct zoid_rows zoid_strip_window(const struct zoid_graph *g, long strip)
{
    struct zoid_rows own = zoid_strip_own(g, strip), more = beside(g), window;
    long n = g->strip ? g->shape.n[axis_of(g)] : 0, rows = g->strip + more.lo + more.hi;

    if (!g->strip)
        return own;
    window = (struct zoid_rows){own.lo - more.lo, own.lo - more.lo + rows};
    if (periodic(g))
        return window;
    rows = zoid_min(rows, n);
    window.lo = zoid_min(zoid_max(window.lo, 0), n - rows);
    window.hi = window.lo + rows;
    return window;
}

long zoid_strip_side(const struct zoid_graph *g)
{
    struct zoid_rows more = beside(g);

    return zoid_min(zoid_max(more.lo, more.hi), g->strip);
}

void zoid_strip_clip(const struct zoid_graph *g, struct zoid_block *b)
{
    struct zoid_rows own;
    long times = b->zoid.t1 - b->zoid.t0, lo, hi;

    if (!g->strip)
        return;
    own = zoid_strip_own(g, b->strip);
    zoid_axis_reach(&g->shape, axis_of(g), &lo, &hi);
    b->region.dim[axis_of(g)] =
        (struct zoid_face){own.lo - times * lo, own.hi + times * hi, (int)lo, -(int)hi};
    if (periodic(g))
        b->zoid.dim[axis_of(g)] = b->region.dim[axis_of(g)];
}

/* ---- sides --------------------------------------------------------------------------------- */

enum side { LOW, HIGH };

/* Of strip s, which may be one of another lap. */
static struct zoid_rows side_rows(const struct zoid_graph *g, long s, enum side side)
{
    struct zoid_rows rows = zoid_strip_own(g, s), more = beside(g);

    if (side == LOW)
        rows.hi = zoid_min(rows.hi, rows.lo + more.hi);
    else
        rows.lo = zoid_max(rows.lo, rows.hi - more.lo);
    return rows;
}

/* The sides of a pass are kept apart from those of the next one. */
static struct zoid_datum side_datum(const struct zoid_graph *g, long pass, long s, long col,
                                    enum side side)
{
    return (struct zoid_datum){.kind = ZOID_SIDE,
                               .row = 2 * zoid_modulo(s, zoid_strips(g)) + pass % 2,
                               .col = 2 * col + side};
}

static void read_side(const struct zoid_graph *g, struct zoid_block *b, struct zoid_access *access,
                      const struct zoid_strip_slab *slab, long s, enum side side)
{
    struct zoid_view view = slab->view;

    view.rows = side_rows(g, s, side);
    access[b->naccess++] = (struct zoid_access){
        .datum = side_datum(g, b->pass, s, slab->col, side), .mode = ZOID_READ, .in = view};
}

/* The strips that have rows which blocks of strip s look at: s itself, and those next to it. */
static struct zoid_rows strips_around(const struct zoid_graph *g, long s)
{
    struct zoid_rows own = zoid_strip_own(g, s), more = beside(g), around = {s, s + 1};

    while ((periodic(g) || around.lo > 0) && zoid_strip_own(g, around.lo - 1).hi > own.lo - more.lo)
        around.lo--;
    while ((periodic(g) || around.hi < zoid_strips(g)) &&
           zoid_strip_own(g, around.hi).lo < own.hi + more.hi)
        around.hi++;
    return around;
}

void zoid_strip_take(const struct zoid_graph *g, struct zoid_block *b, struct zoid_access *access,
                     const struct zoid_strip_slab *slab)
{
    struct zoid_rows around;

    if (!g->strip || b->pass == 0)
        return;
    around = strips_around(g, b->strip);
    for (long i = around.lo; i < around.hi; i++)
        if (i != b->strip)
            read_side(g, b, access, slab, i, i < b->strip ? HIGH : LOW);
}

void zoid_strip_fetch(const struct zoid_graph *g, struct zoid_block *b, struct zoid_datum *fetch,
                      long col)
{
    struct zoid_rows around;

    if (!g->strip || b->pass == 0)
        return;
    around = strips_around(g, b->strip);
    /* Strips of another lap, whose sides are the same. */
    around.lo = zoid_max(around.lo, b->strip - zoid_strips(g));
    around.hi = zoid_min(around.hi, b->strip + zoid_strips(g) + 1);
    for (long i = around.lo; i < around.hi; i++)
        if (i != b->strip)
            fetch[b->nfetch++] = side_datum(g, b->pass, i, col, i < b->strip ? HIGH : LOW);
}

void zoid_strip_leave(const struct zoid_chain *chain, struct zoid_block *b,
                      struct zoid_access *access, const struct zoid_strip_slab *slab)
{
    const struct zoid_graph *g = chain->graph;

    if (!g->strip || b->pass + 1 == chain->passes)
        return;
    for (int side = LOW; side <= HIGH; side++) {
        bool neighbour =
            periodic(g) || (side == LOW ? b->strip > 0 : b->strip + 1 < zoid_strips(g));
        struct zoid_view view = slab->view;

        view.rows = side_rows(g, b->strip, (enum side)side);
        if (neighbour && zoid_view_some_rows(&view))
            access[b->naccess++] = (struct zoid_access){
                .datum = side_datum(g, b->pass + 1, b->strip, slab->col, (enum side)side),
                .mode = ZOID_WRITE,
                .out = view,
                .next = ZOID_NEXT_RAM};
    }
}

/* The most strips that so many rows next to one belong to. */
static long neighbours(const struct zoid_graph *g, long rows)
{
    long strips = zoid_strips(g), low = g->shape.n[axis_of(g)] / strips;
    long most = zoid_ceil_div(rows, low);

    return periodic(g) ? most : zoid_min(most, strips - 1);
}

void zoid_strip_census(const struct zoid_chain *chain, struct zoid_census *c)
{
    const struct zoid_graph *g = chain->graph;
    struct zoid_rows more = beside(g);
    long strips = zoid_strips(g);

    if (!g->strip)
        return;
    c->max_sides = chain->max_slabs * (neighbours(g, more.lo) + neighbours(g, more.hi)) + 2;
    c->max_access += c->max_sides;
    c->blocks *= strips;
    c->planes *= (double)strips;
    c->serial /= (double)strips;
    c->kind[ZOID_SLAB].rows *= strips;
    c->kind[ZOID_EDGE].rows *= strips;
    c->kind[ZOID_COEFFICIENT].rows *= strips;
    if (chain->passes > 1 && more.lo + more.hi > 0)
        c->kind[ZOID_SIDE] = (struct zoid_census_row){2 * strips, 2 * c->kind[ZOID_SLAB].cols,
                                                      c->kind[ZOID_SLAB].planes};
}
