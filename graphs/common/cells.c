/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells: what a method that cuts the chain axis does with whole planes, it does with those of one
 * cell after the other, for an epoch each.
 *
 *            |  c-1  |   c   |  c+1  |
 *   end of           |       |                 the cell's own points
 *   epoch           /         \
 *   begin         /             \              and as many beside them as its blocks look at: a
 * window y ->    |oo|           |oo|
 *
 * Slabs hold windows. An epoch leaves them with the cell's own points, and beside each of them a
 * *halo*, the rim of all the slab's planes (oo), which the blocks that begin the next epoch put
 * into the windows of the neighbours. Within an epoch planes have all points that are right at
 * their time. So a cell is to its neighbours what an overlapped slab is to its own: nothing within
 * an epoch waits for another cell, and points between two are computed twice. Where borders move
 * from one epoch to the next, rims are as much wider as they move. */
#include "graphs/common/cells.h"

#include <limits.h>

#include "graphs/common/arith.h"

/* ---- where cells are --------------------------------------------------------------------- */

long zoid_cells_along(const struct zoid_graph *g, int axis)
{
    return axis < ZOID_PLANE_AXES ? zoid_max(g->cut[axis].cells, 1) : 1;
}

bool zoid_axis_cut(const struct zoid_graph *g, int axis)
{
    return axis < ZOID_PLANE_AXES && g->cut[axis].cells > 1;
}

long zoid_cells(const struct zoid_graph *g)
{
    return zoid_cells_along(g, 0) * zoid_cells_along(g, 1);
}

static bool periodic(const struct zoid_graph *g, int axis)
{
    return zoid_axis_periodic(&g->shape, axis);
}

static long border(const struct zoid_graph *g, int axis, long i, long epoch)
{
    const struct zoid_axis_cells *cut = &g->cut[axis];
    const long n = g->shape.n[axis], grain = zoid_max(g->shape.grain[axis], 1);

    if (!cut->border)
        return zoid_min(i * zoid_ceil_div(n, grain) / zoid_cells_along(g, axis) * grain, n);
    return cut->border[zoid_min(epoch, cut->epochs - 1) * (cut->cells + 1) + i];
}

/* What cells with index i along an axis that is cut have as their own. Round a periodic axis the
 * indices go on: `cells` is 0 again. */
static struct zoid_range own_along(const struct zoid_graph *g, int axis, long i, long epoch)
{
    long cells = zoid_cells_along(g, axis), lap = zoid_floor_div(i, cells), s = i - lap * cells;
    long start = lap * g->shape.n[axis];

    return (struct zoid_range){start + border(g, axis, s, epoch),
                               start + border(g, axis, s + 1, epoch)};
}

static long index_of(const struct zoid_graph *g, long cell, int axis)
{
    return axis ? cell / zoid_cells_along(g, 0) : cell % zoid_cells_along(g, 0);
}

static struct zoid_patch own_at(const struct zoid_graph *g, const long at[], long epoch)
{
    struct zoid_patch own = {{{0, 0}, {0, 0}}};

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (zoid_axis_cut(g, a))
            own.axis[a] = own_along(g, a, at[a], epoch);
    return own;
}

struct zoid_patch zoid_cell_own(const struct zoid_graph *g, long cell, long epoch)
{
    return own_at(g, (const long[]){index_of(g, cell, 0), index_of(g, cell, 1)}, epoch);
}

long zoid_epochs(const struct zoid_graph *g)
{
    return zoid_cells(g) > 1 ? zoid_max(zoid_ceil_div(g->steps, g->epoch), 1) : 1;
}

/* Epochs of different borders: any leg has what all have. */
static long border_epochs(const struct zoid_graph *g, int axis)
{
    if (!g->cut[axis].border)
        return 1;
    return g->leg.is == ZOID_LEG_ONLY ? zoid_min(g->cut[axis].epochs, zoid_epochs(g))
                                      : g->cut[axis].epochs;
}

/* By how much a border moves at most from one epoch to the next. */
static long shift(const struct zoid_graph *g, int axis)
{
    long most = 0;

    for (long e = 1; e < border_epochs(g, axis); e++)
        for (long i = 0; i <= zoid_cells_along(g, axis); i++) {
            long by = border(g, axis, i, e) - border(g, axis, i, e - 1);

            most = zoid_max(most, by < 0 ? -by : by);
        }
    return most;
}

/* The most, or the least, points that are any cell's own along an axis. */
static struct zoid_range widths(const struct zoid_graph *g, int axis)
{
    struct zoid_range width = {g->shape.n[axis], 0};

    for (long e = 0; e < border_epochs(g, axis); e++)
        for (long i = 0; i < zoid_cells_along(g, axis); i++) {
            struct zoid_range own = own_along(g, axis, i, e);

            width.lo = zoid_min(width.lo, own.hi - own.lo);
            width.hi = zoid_max(width.hi, own.hi - own.lo);
        }
    return width;
}

/* Points that blocks look at below and above their own in so many times. */
static struct zoid_range beside(const struct zoid_graph *g, int axis, long times)
{
    struct zoid_range points;

    zoid_axis_reach(&g->shape, axis, &points.lo, &points.hi);
    points.lo *= times;
    points.hi *= times;
    return points;
}

/* In a full epoch, and in one that may be shorter. */
static struct zoid_range most_beside(const struct zoid_graph *g, int axis)
{
    return beside(g, axis, g->epoch * g->shape.stages);
}

static struct zoid_range beside_of(const struct zoid_chain *chain, int axis, long epoch)
{
    return beside(chain->graph, axis, zoid_chain_epoch_times(chain, epoch));
}

/* What is a cell's own in any epoch, with what is looked at beside it. */
static struct zoid_range seen_along(const struct zoid_graph *g, int axis, long i)
{
    struct zoid_range more = most_beside(g, axis), seen = own_along(g, axis, i, 0);

    for (long e = 1; e < border_epochs(g, axis); e++) {
        struct zoid_range own = own_along(g, axis, i, e);

        seen.lo = zoid_min(seen.lo, own.lo);
        seen.hi = zoid_max(seen.hi, own.hi);
    }
    return (struct zoid_range){seen.lo - more.lo, seen.hi + more.hi};
}

static struct zoid_range window_along(const struct zoid_graph *g, int axis, long i)
{
    struct zoid_range window = seen_along(g, axis, i);
    long n = g->shape.n[axis], points = 0;

    for (long j = 0; j < zoid_cells_along(g, axis); j++) {
        struct zoid_range seen = seen_along(g, axis, j);

        points = zoid_max(points, seen.hi - seen.lo);
    }
    if (!periodic(g, axis)) {
        points = zoid_min(points, n);
        window.lo = zoid_min(zoid_max(window.lo, 0), n - points);
    }
    window.hi = window.lo + points;
    return window;
}

struct zoid_patch zoid_cell_window(const struct zoid_graph *g, long cell)
{
    struct zoid_patch window = {{{0, 0}, {0, 0}}};

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (zoid_axis_cut(g, a))
            window.axis[a] = window_along(g, a, index_of(g, cell, a));
    return window;
}

struct zoid_rim zoid_cell_rim(const struct zoid_graph *g, const struct zoid_patch *own)
{
    struct zoid_rim rim = {.of = *own};

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (zoid_axis_cut(g, a)) {
            struct zoid_range more = most_beside(g, a);

            rim.lo[a] = more.hi + shift(g, a);
            rim.hi[a] = more.lo + shift(g, a);
        }
    return rim;
}

struct zoid_rim zoid_cell_rim_most(const struct zoid_graph *g)
{
    struct zoid_patch largest = {{{0, 0}, {0, 0}}};

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (zoid_axis_cut(g, a))
            largest.axis[a].hi = widths(g, a).hi;
    return zoid_cell_rim(g, &largest);
}

void zoid_cell_clip(const struct zoid_chain *chain, struct zoid_block *b)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const long left = zoid_chain_epoch_end(chain, epoch) - b->zoid.t0;
    const struct zoid_patch patch = zoid_cell_own(g, b->cell, epoch);

    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        const struct zoid_range own = patch.axis[a], more = beside(g, a, 1);

        if (!zoid_axis_cut(g, a))
            continue;
        b->region.dim[a] = (struct zoid_face){own.lo - left * more.lo, own.hi + left * more.hi,
                                              (int)more.lo, -(int)more.hi};
        if (periodic(g, a))
            b->zoid.dim[a] = b->region.dim[a];
    }
}

/* ---- halos --------------------------------------------------------------------------------- */

/* Indices of cells along both axes: [lo, hi) of each. */
struct partners {
    struct zoid_range axis[ZOID_PLANE_AXES];
};

/* What cells with index i along an axis have left when an epoch begins, or need then. */
typedef struct zoid_range along_fn(const struct zoid_chain *chain, int axis, long i, long epoch);

static struct zoid_range left_along(const struct zoid_chain *chain, int axis, long i, long epoch)
{
    return own_along(chain->graph, axis, i, epoch - 1);
}

static struct zoid_range need_along(const struct zoid_chain *chain, int axis, long i, long epoch)
{
    struct zoid_range own = own_along(chain->graph, axis, i, epoch);
    struct zoid_range more = beside_of(chain, axis, epoch);

    return (struct zoid_range){own.lo - more.lo, own.hi + more.hi};
}

/* Which cells a cell exchanges points with: those whose points meet its own ones. */
struct exchange {
    along_fn *theirs, *own;
};
static const struct exchange givers = {left_along, need_along}, takers = {need_along, left_along};

static struct zoid_range partners_along(const struct zoid_chain *chain, int axis, long i,
                                        long epoch, const struct exchange *with)
{
    const bool circle = periodic(chain->graph, axis);
    const long first = circle ? LONG_MIN : 0;
    const long end = circle ? LONG_MAX : zoid_cells_along(chain->graph, axis);
    const struct zoid_range own = with->own(chain, axis, i, epoch);
    struct zoid_range p = {i, i};

    while (p.lo > first && with->theirs(chain, axis, p.lo - 1, epoch).hi > own.lo)
        p.lo--;
    while (p.lo < end && with->theirs(chain, axis, p.lo, epoch).hi <= own.lo)
        p.lo++;
    for (p.hi = p.lo; p.hi < end && with->theirs(chain, axis, p.hi, epoch).lo < own.hi;)
        p.hi++;
    return p;
}

static struct partners partners_of(const struct zoid_chain *chain, long cell, long epoch,
                                   const struct exchange *with)
{
    struct partners p = {{{0, 1}, {0, 1}}};

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (zoid_axis_cut(chain->graph, a))
            p.axis[a] = partners_along(chain, a, index_of(chain->graph, cell, a), epoch, with);
    return p;
}

/* The halos that an epoch takes are kept apart from those of the next one. */
static struct zoid_datum halo_datum(const struct zoid_graph *g, long epoch, const long at[],
                                    long col)
{
    long x = zoid_modulo(at[0], zoid_cells_along(g, 0)),
         y = zoid_modulo(at[1], zoid_cells_along(g, 1));

    return (struct zoid_datum){
        .kind = ZOID_HALO, .row = 2 * (y * zoid_cells_along(g, 0) + x) + epoch % 2, .col = col};
}

struct zoid_patch zoid_cell_kept(const struct zoid_chain *chain, const struct zoid_block *b)
{
    if (!zoid_chain_begins_epoch(chain, b))
        return (struct zoid_patch){{{0, 0}, {0, 0}}};
    return zoid_cell_own(chain->graph, b->cell, zoid_chain_epoch(chain, b->pass) - 1);
}

void zoid_cell_take(const struct zoid_chain *chain, struct zoid_block *b,
                    struct zoid_access *access, const struct zoid_cell_slab *slab)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const long own[] = {index_of(g, b->cell, 0), index_of(g, b->cell, 1)};
    struct partners p;
    long at[ZOID_PLANE_AXES];

    if (!zoid_chain_begins_epoch(chain, b))
        return;
    p = partners_of(chain, b->cell, epoch, &givers);
    for (at[1] = p.axis[1].lo; at[1] < p.axis[1].hi; at[1]++)
        for (at[0] = p.axis[0].lo; at[0] < p.axis[0].hi; at[0]++) {
            struct zoid_access *a = &access[b->naccess];

            if (at[0] == own[0] && at[1] == own[1])
                continue;
            *a = (struct zoid_access){
                .datum = halo_datum(g, epoch, at, slab->col), .mode = ZOID_READ, .in = slab->view};
            a->in.patch = own_at(g, at, epoch - 1);
            b->naccess++;
        }
}

/* Round a periodic axis, indices that stand for a cell that was there are left out. */
static struct zoid_range once(const struct zoid_graph *g, int axis, struct zoid_range p)
{
    return (struct zoid_range){p.lo, zoid_min(p.hi, p.lo + zoid_cells_along(g, axis))};
}

void zoid_cell_fetch(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_datum *fetch,
                     long col)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const long own[] = {index_of(g, b->cell, 0), index_of(g, b->cell, 1)};
    struct partners p;
    long at[ZOID_PLANE_AXES];

    if (!zoid_chain_first_of_epoch(chain, b->pass))
        return;
    p = partners_of(chain, b->cell, epoch, &givers);
    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        p.axis[a] = once(g, a, p.axis[a]);
    for (at[1] = p.axis[1].lo; at[1] < p.axis[1].hi; at[1]++)
        for (at[0] = p.axis[0].lo; at[0] < p.axis[0].hi; at[0]++)
            if (at[0] != own[0] || at[1] != own[1])
                fetch[b->nfetch++] = halo_datum(g, epoch, at, col);
}

/* Whether an epoch has anybody who takes points of a cell, beside itself. */
static bool wanted(const struct zoid_chain *chain, long epoch, long cell)
{
    struct partners p = partners_of(chain, cell, epoch, &takers);
    long takers = 1;
    bool itself = true;

    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        long own = index_of(chain->graph, cell, a);

        takers *= p.axis[a].hi - p.axis[a].lo;
        itself &= own >= p.axis[a].lo && own < p.axis[a].hi;
    }
    return takers > itself;
}

/* The block that takes a slab when its pass begins comes before all others that leave planes of it.
 * It writes the halo anew, also where it has none of its planes itself; the others keep the rest.
 */
void zoid_cell_leave(const struct zoid_chain *chain, struct zoid_block *b,
                     struct zoid_access *access, const struct zoid_access *slab)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const long at[] = {index_of(g, b->cell, 0), index_of(g, b->cell, 1)};
    bool first = slab->mode & ZOID_READ && b->zoid.t0 == zoid_chain_begin(chain, b->pass);
    struct zoid_view view = slab->out;

    if (!zoid_chain_leaves(chain, b->pass) || !wanted(chain, epoch + 1, b->cell))
        return;
    if (b->zoid.t1 < zoid_chain_end(chain, b->pass) || view.hi < view.lo)
        view.hi = view.lo;
    if (!first && view.lo == view.hi)
        return;
    view.patch = own_at(g, at, epoch);
    access[b->naccess++] =
        (struct zoid_access){.datum = halo_datum(g, epoch + 1, at, slab->datum.col),
                             .mode = ZOID_WRITE,
                             .keeps = slab->keeps && !first,
                             .out = view,
                             .next = slab->next};
}

/* ---- how many ------------------------------------------------------------------------------ */

/* The most cells that a cell takes points of along an axis, itself among them. */
static long most_partners(const struct zoid_graph *g, int axis)
{
    struct zoid_range more = most_beside(g, axis);
    long cells = zoid_cells_along(g, axis), moves = shift(g, axis), least = widths(g, axis).lo;
    long below = zoid_ceil_div(more.lo + moves, least),
         above = zoid_ceil_div(more.hi + moves, least);

    if (!zoid_axis_cut(g, axis))
        return 1;
    return 1 + (periodic(g, axis) ? below + above
                                  : zoid_min(below, cells - 1) + zoid_min(above, cells - 1));
}

static bool rims(const struct zoid_graph *g)
{
    struct zoid_rim rim = zoid_cell_rim_most(g);

    return zoid_rim_patches(&rim).n > 0;
}

void zoid_cell_census(const struct zoid_chain *chain, struct zoid_census *c)
{
    const struct zoid_graph *g = chain->graph;
    const long cells = zoid_cells(g);

    if (cells == 1)
        return;
    c->max_halos =
        chain->max_slabs * (most_partners(g, 0) * most_partners(g, 1) - 1) + chain->max_left;
    c->max_access += c->max_halos;
    c->blocks *= cells;
    c->planes *= (double)cells;
    c->about.serial /= (double)cells;
    c->kind[ZOID_SLAB].rows *= cells;
    c->kind[ZOID_EDGE].rows *= cells;
    c->kind[ZOID_COEFFICIENT].rows *= cells;
    if ((zoid_epochs(g) > 1 || g->leg.is != ZOID_LEG_ONLY) && rims(g))
        c->kind[ZOID_HALO] =
            (struct zoid_census_row){2 * cells, c->kind[ZOID_SLAB].cols, c->kind[ZOID_SLAB].planes};
}
