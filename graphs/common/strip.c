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
 * Slabs hold windows. A pass leaves them with the strip's own rows, and beside each of them *sides*, the
 * border rows of all the slab's planes (oo), which the blocks of the next pass put into the windows of
 * the neighbours. Between blocks of a pass planes have all rows that are right at their time. So a strip
 * is to its neighbours what an overlapped slab is to its own: nothing within a pass waits for another
 * strip, and rows between two are computed twice. */
#include "graphs/common/strip.h"

#include "graphs/common/arith.h"

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

/* Rows that blocks look at below and above their own in so many times. */
static struct zoid_rows beside(const struct zoid_graph *g, long times)
{
    struct zoid_rows rows = {0, 0};

    if (g->strip) {
        zoid_axis_reach(&g->shape, axis_of(g), &rows.lo, &rows.hi);
        rows.lo *= times;
        rows.hi *= times;
    }
    return rows;
}

/* In a full pass, and in one that may be shorter. */
static struct zoid_rows most_beside(const struct zoid_graph *g)
{
    return beside(g, g->depth * g->shape.stages);
}

static struct zoid_rows beside_of(const struct zoid_chain *chain, long pass)
{
    return beside(chain->graph, zoid_chain_end(chain, pass) - zoid_chain_begin(chain, pass));
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
    struct zoid_rows own = zoid_strip_own(g, strip), more = most_beside(g), window;
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
    struct zoid_rows more = most_beside(g);

    return zoid_min(zoid_max(more.lo, more.hi), g->strip);
}

void zoid_strip_clip(const struct zoid_chain *chain, struct zoid_block *b)
{
    const struct zoid_graph *g = chain->graph;
    struct zoid_rows own, more;
    long left = zoid_chain_end(chain, b->pass) - b->zoid.t0;

    if (!g->strip)
        return;
    own = zoid_strip_own(g, b->strip);
    more = beside(g, 1);
    b->region.dim[axis_of(g)] = (struct zoid_face){own.lo - left * more.lo, own.hi + left * more.hi,
                                                   (int)more.lo, -(int)more.hi};
    if (periodic(g))
        b->zoid.dim[axis_of(g)] = b->region.dim[axis_of(g)];
}

/* ---- sides --------------------------------------------------------------------------------- */

enum side { LOW, HIGH };

/* Whether a block takes what a pass before has left. */
static bool begins(const struct zoid_chain *chain, const struct zoid_block *b)
{
    return b->pass && b->zoid.t0 == zoid_chain_begin(chain, b->pass);
}

struct zoid_rows zoid_strip_kept(const struct zoid_chain *chain, const struct zoid_block *b)
{
    return chain->graph->strip && begins(chain, b) ? zoid_strip_own(chain->graph, b->strip)
                                                   : (struct zoid_rows){0, 0};
}

/* What a pass looks at of strip s, which may be one of another lap. */
static struct zoid_rows side_rows(const struct zoid_chain *chain, long pass, long s, enum side side)
{
    struct zoid_rows rows = zoid_strip_own(chain->graph, s), more = beside_of(chain, pass);

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

static void read_side(const struct zoid_chain *chain, struct zoid_block *b,
                      struct zoid_access *access, const struct zoid_strip_slab *slab, long s,
                      enum side side)
{
    struct zoid_view view = slab->view;

    view.rows = side_rows(chain, b->pass, s, side);
    access[b->naccess++] =
        (struct zoid_access){.datum = side_datum(chain->graph, b->pass, s, slab->col, side),
                             .mode = ZOID_READ,
                             .in = view};
}

/* The strips that have rows which a pass looks at from strip s: s itself, and those next to it. */
static struct zoid_rows strips_around(const struct zoid_chain *chain, long pass, long s)
{
    const struct zoid_graph *g = chain->graph;
    struct zoid_rows own = zoid_strip_own(g, s), more = beside_of(chain, pass), around = {s, s + 1};

    while ((periodic(g) || around.lo > 0) && zoid_strip_own(g, around.lo - 1).hi > own.lo - more.lo)
        around.lo--;
    while ((periodic(g) || around.hi < zoid_strips(g)) &&
           zoid_strip_own(g, around.hi).lo < own.hi + more.hi)
        around.hi++;
    return around;
}

void zoid_strip_take(const struct zoid_chain *chain, struct zoid_block *b,
                     struct zoid_access *access, const struct zoid_strip_slab *slab)
{
    struct zoid_rows around;

    if (!chain->graph->strip || !begins(chain, b))
        return;
    around = strips_around(chain, b->pass, b->strip);
    for (long i = around.lo; i < around.hi; i++)
        if (i != b->strip)
            read_side(chain, b, access, slab, i, i < b->strip ? HIGH : LOW);
}

void zoid_strip_fetch(const struct zoid_chain *chain, struct zoid_block *b,
                      struct zoid_datum *fetch, long col)
{
    const struct zoid_graph *g = chain->graph;
    struct zoid_rows around;

    if (!g->strip || b->pass == 0)
        return;
    around = strips_around(chain, b->pass, b->strip);
    /* Strips of another lap, whose sides are the same. */
    around.lo = zoid_max(around.lo, b->strip - zoid_strips(g));
    around.hi = zoid_min(around.hi, b->strip + zoid_strips(g) + 1);
    for (long i = around.lo; i < around.hi; i++)
        if (i != b->strip)
            fetch[b->nfetch++] = side_datum(g, b->pass, i, col, i < b->strip ? HIGH : LOW);
}

/* The block that takes a slab when its pass begins comes before all others that leave planes of it. It
 * writes the sides anew, also where it has none of their planes itself; the others keep the rest. */
void zoid_strip_leave(const struct zoid_chain *chain, struct zoid_block *b,
                      struct zoid_access *access, const struct zoid_access *slab)
{
    const struct zoid_graph *g = chain->graph;
    bool first = slab->mode & ZOID_READ && b->zoid.t0 == zoid_chain_begin(chain, b->pass);
    struct zoid_view view = slab->out;

    if (!g->strip || b->pass + 1 == chain->passes)
        return;
    if (b->zoid.t1 < zoid_chain_end(chain, b->pass) || view.hi < view.lo)
        view.hi = view.lo;
    for (int side = LOW; side <= HIGH; side++) {
        bool neighbour =
            periodic(g) || (side == LOW ? b->strip > 0 : b->strip + 1 < zoid_strips(g));

        view.rows = side_rows(chain, b->pass + 1, b->strip, (enum side)side);
        if (neighbour && zoid_view_some_rows(&view) && (first || view.lo < view.hi))
            access[b->naccess++] = (struct zoid_access){
                .datum = side_datum(g, b->pass + 1, b->strip, slab->datum.col, (enum side)side),
                .mode = ZOID_WRITE,
                .keeps = slab->keeps && !first,
                .out = view,
                .next = slab->next};
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
    struct zoid_rows more = most_beside(g);
    long strips = zoid_strips(g);

    if (!g->strip)
        return;
    c->max_sides =
        chain->max_slabs * (neighbours(g, more.lo) + neighbours(g, more.hi)) + 2 * chain->max_left;
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
