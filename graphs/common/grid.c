/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/common/grid.h"

#include <limits.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/reach.h"

/* ---- cells ------------------------------------------------------------------------------- */

long zoid_cells_along(const struct zoid_graph *g, int axis)
{
    return zoid_max(g->cut[axis].cells, 1);
}

bool zoid_axis_cut(const struct zoid_graph *g, int axis)
{
    return g->cut[axis].cells > 1;
}

long zoid_cells(const struct zoid_graph *g)
{
    return zoid_cells_along(g, 0) * zoid_cells_along(g, 1) * zoid_cells_along(g, 2);
}

/* ---- ranks ------------------------------------------------------------------------------- */

long zoid_ranks_along(const struct zoid_graph *g, int axis)
{
    return zoid_max(g->ranks[axis], 1);
}

long zoid_ranks(const struct zoid_graph *g)
{
    return zoid_ranks_along(g, 0) * zoid_ranks_along(g, 1) * zoid_ranks_along(g, 2);
}

long zoid_rank_cells(const struct zoid_graph *g)
{
    return zoid_cells(g) / zoid_ranks(g);
}

long zoid_rank_cells_along(const struct zoid_graph *g, int axis)
{
    return zoid_cells_along(g, axis) / zoid_ranks_along(g, axis);
}

struct zoid_range zoid_graph_cells(const struct zoid_graph *g)
{
    const long cells = zoid_rank_cells(g);

    return g->rank == ZOID_EVERY_RANK ? (struct zoid_range){0, zoid_cells(g)}
                                      : (struct zoid_range){g->rank * cells, (g->rank + 1) * cells};
}

int zoid_cell_rank(const struct zoid_graph *g, long cell)
{
    return (int)(cell / zoid_rank_cells(g));
}

/* Planes that a cell needs so that it can relay all that the cell above reads below its own. */
static long least_to_relay(const struct zoid_graph *g)
{
    long lo, hi;

    zoid_chain_reach(&g->shape, &lo, &hi);
    return zoid_grid_relays(g) ? lo + zoid_max(hi, 1) : 1;
}

long zoid_grid_least_planes(const struct zoid_graph *g)
{
    const struct zoid_range beside = zoid_grid_most_beside(g, zoid_chain(&g->shape));

    return zoid_max(zoid_max(beside.lo, beside.hi), least_to_relay(g));
}

long zoid_epoch_most(const struct zoid_graph *g)
{
    long most = LONG_MAX;

    for (int a = 0; a < ZOID_AXES; a++) {
        const struct zoid_range step = zoid_grid_beside(g, a, g->shape.stages);
        const long far = zoid_max(step.lo, step.hi);

        if (zoid_axis_cut(g, a) && far && (zoid_ranks(g) > 1 || a == zoid_chain(&g->shape)))
            most = zoid_min(most, zoid_grid_widths(g, a).lo / far);
    }
    return zoid_grid_widths(g, zoid_chain(&g->shape)).lo < least_to_relay(g) ? 0 : most;
}

/* ---- points of cells ------------------------------------------------------------------------ */

static bool periodic(const struct zoid_graph *g, int axis)
{
    return zoid_axis_periodic(&g->shape, axis);
}

static long border_of(const struct zoid_graph *g, int axis, long i, long epoch)
{
    const struct zoid_axis_cells *cut = &g->cut[axis];
    const long n = g->shape.n[axis], grain = zoid_max(g->shape.grain[axis], 1);

    if (!cut->border)
        return zoid_min(i * zoid_ceil_div(n, grain) / zoid_cells_along(g, axis) * grain, n);
    return cut->border[zoid_min(epoch, cut->epochs - 1) * (cut->cells + 1) + i];
}

static long border(const struct zoid_graph *g, int axis, long i, long epoch)
{
    if (!g->turned || axis != zoid_chain(&g->shape))
        return border_of(g, axis, i, epoch);
    return g->shape.n[axis] - border_of(g, axis, zoid_cells_along(g, axis) - i, epoch);
}

struct zoid_range zoid_grid_own(const struct zoid_graph *g, int axis, long i, long epoch)
{
    long cells = zoid_cells_along(g, axis), lap = zoid_floor_div(i, cells), s = i - lap * cells;
    long start = lap * g->shape.n[axis];

    return (struct zoid_range){start + border(g, axis, s, epoch),
                               start + border(g, axis, s + 1, epoch)};
}

long zoid_grid_index(const struct zoid_graph *g, long cell, int axis)
{
    const long cells = zoid_rank_cells(g);
    long rank = cell / cells, own = cell % cells;

    if (!zoid_axis_cut(g, axis))
        return 0;
    for (int a = 0; a < axis; a++) {
        rank /= zoid_ranks_along(g, a);
        own /= zoid_rank_cells_along(g, a);
    }
    return rank % zoid_ranks_along(g, axis) * zoid_rank_cells_along(g, axis) +
           own % zoid_rank_cells_along(g, axis);
}

long zoid_grid_cell(const struct zoid_graph *g, const long at[])
{
    long rank = 0, own = 0;

    for (int a = ZOID_AXES - 1; a >= 0; a--) {
        const long i = zoid_modulo(at[a], zoid_cells_along(g, a));

        rank = rank * zoid_ranks_along(g, a) + i / zoid_rank_cells_along(g, a);
        own = own * zoid_rank_cells_along(g, a) + i % zoid_rank_cells_along(g, a);
    }
    return rank * zoid_rank_cells(g) + own;
}

/* Index along an axis of the rank that owns the cells with index i. */
static long rank_along(const struct zoid_graph *g, int axis, long i)
{
    return zoid_modulo(i, zoid_cells_along(g, axis)) / zoid_rank_cells_along(g, axis);
}

int zoid_grid_apart(const struct zoid_graph *g, const long a[], const long b[], int *axis)
{
    int n = 0;

    if (zoid_ranks(g) == 1)
        return 0;
    for (int i = 0; i < ZOID_AXES; i++)
        if (rank_along(g, i, a[i]) != rank_along(g, i, b[i])) {
            *axis = i;
            n++;
        }
    return n;
}

struct zoid_patch zoid_grid_patch(const struct zoid_graph *g, const long at[], long epoch)
{
    struct zoid_patch own = {{{0, 0}}};

    for (int a = 0; a < zoid_chain(&g->shape); a++)
        if (zoid_axis_cut(g, a))
            own.axis[a] = zoid_grid_own(g, a, at[a], epoch);
    return own;
}

struct zoid_patch zoid_cell_own(const struct zoid_graph *g, long cell, long epoch)
{
    struct zoid_patch own = {{{0, 0}}};

    for (int a = 0; a < ZOID_AXES; a++)
        if (zoid_axis_cut(g, a))
            own.axis[a] = zoid_grid_own(g, a, zoid_grid_index(g, cell, a), epoch);
    return own;
}

long zoid_epochs(const struct zoid_graph *g)
{
    return zoid_cells(g) > 1 ? zoid_max(zoid_ceil_div(g->steps, g->epoch), 1) : 1;
}

/* Number of epochs with borders of their own: those of the whole run in any leg. If borders do not
 * move, the graph's epoch may still be unknown. */
static long border_epochs(const struct zoid_graph *g, int axis)
{
    if (!g->cut[axis].border || g->cut[axis].epochs == 1)
        return 1;
    return g->leg.is == ZOID_LEG_ONLY ? zoid_min(g->cut[axis].epochs, zoid_epochs(g))
                                      : g->cut[axis].epochs;
}

long zoid_grid_shift(const struct zoid_graph *g, int axis)
{
    long most = 0;

    for (long e = 1; e < border_epochs(g, axis); e++)
        for (long i = 0; i <= zoid_cells_along(g, axis); i++) {
            long by = border(g, axis, i, e) - border(g, axis, i, e - 1);

            most = zoid_max(most, by < 0 ? -by : by);
        }
    return most;
}

/* Widths of even cells. The last cell is one of those with an extra grain, if there are any, but
 * the domain may end inside its last grain. */
static struct zoid_range even_widths(const struct zoid_graph *g, int axis)
{
    const long n = g->shape.n[axis], grain = zoid_max(g->shape.grain[axis], 1);
    const long cells = zoid_cells_along(g, axis), grains = zoid_ceil_div(n, grain);
    const long least = grains / cells * grain, last = n - border_of(g, axis, cells - 1, 0);
    const long most = grains % cells > 1 ? least + grain : least;

    if (cells == 1)
        return (struct zoid_range){n, n};
    return (struct zoid_range){zoid_min(least, last), zoid_max(most, last)};
}

struct zoid_range zoid_grid_widths(const struct zoid_graph *g, int axis)
{
    struct zoid_range width = {g->shape.n[axis], 0};

    if (!g->cut[axis].border)
        return even_widths(g, axis);
    for (long e = 0; e < border_epochs(g, axis); e++)
        for (long i = 0; i < zoid_cells_along(g, axis); i++) {
            struct zoid_range own = zoid_grid_own(g, axis, i, e);

            width.lo = zoid_min(width.lo, own.hi - own.lo);
            width.hi = zoid_max(width.hi, own.hi - own.lo);
        }
    return width;
}

bool zoid_grid_relays(const struct zoid_graph *g)
{
    return zoid_in_order(&g->shape) && zoid_ranks(g) > 1;
}

struct zoid_range zoid_grid_beside(const struct zoid_graph *g, int axis, long times)
{
    struct zoid_range points;

    zoid_axis_reach(&g->shape, axis, &points.lo, &points.hi);
    if (zoid_ranks(g) > 1 && (points.lo || points.hi)) {
        points.lo = zoid_max(points.lo, 1);
        points.hi = zoid_max(points.hi, 1);
    }
    if (zoid_grid_relays(g))
        points.lo = 0;
    points.lo *= times;
    points.hi *= times;
    return points;
}

struct zoid_range zoid_grid_most_beside(const struct zoid_graph *g, int axis)
{
    return zoid_grid_beside(g, axis, g->epoch * g->shape.stages);
}

/* Ghost points along an axis that a cell's data hold, as far as they exist. */
static struct zoid_range held_beside(const struct zoid_graph *g, int axis)
{
    struct zoid_range more = zoid_grid_most_beside(g, axis);
    long hi;

    /* Coefficients are not relayed. */
    if (zoid_grid_relays(g) && g->coefficients)
        zoid_axis_reach(&g->shape, axis, &more.lo, &hi);
    return more;
}

struct zoid_range zoid_grid_seen(const struct zoid_graph *g, int axis, long i)
{
    const struct zoid_range more = held_beside(g, axis);
    struct zoid_range seen = zoid_grid_own(g, axis, i, 0);

    for (long e = 1; e < border_epochs(g, axis); e++) {
        struct zoid_range own = zoid_grid_own(g, axis, i, e);

        seen.lo = zoid_min(seen.lo, own.lo);
        seen.hi = zoid_max(seen.hi, own.hi);
    }
    seen = (struct zoid_range){seen.lo - more.lo, seen.hi + more.hi};
    if (!periodic(g, axis))
        seen = (struct zoid_range){zoid_max(seen.lo, 0), zoid_min(seen.hi, g->shape.n[axis])};
    return seen;
}

/* True if a rank's cells have windows of their own along an axis. Those of ranks that relay are
 * alike. */
static bool own_windows(const struct zoid_graph *g, int axis)
{
    return g->apart && axis == zoid_chain(&g->shape) && g->rank != ZOID_EVERY_RANK &&
           !zoid_grid_relays(g);
}

/* Indices of the cells along an axis whose windows have the same width: all, or the owned ones. */
static struct zoid_range alike(const struct zoid_graph *g, int axis)
{
    const long cells = zoid_rank_cells_along(g, axis);
    long first;

    if (!own_windows(g, axis))
        return (struct zoid_range){0, zoid_cells_along(g, axis)};
    first = zoid_grid_index(g, g->rank * zoid_rank_cells(g), axis);
    return (struct zoid_range){first, first + cells};
}

/* Width of a window along an axis: the maximum over these cells. Relaying ranks may be mirrored, so
 * their lines have the same length either way, whichever cell lies at an end. */
static long points_along(const struct zoid_graph *g, int axis)
{
    const struct zoid_range more = held_beside(g, axis), cells = alike(g, axis);
    long points = 0;

    if (zoid_grid_relays(g) && axis == zoid_chain(&g->shape))
        return zoid_min(zoid_grid_widths(g, axis).hi + more.lo + more.hi, g->shape.n[axis]);
    for (long i = cells.lo; i < cells.hi; i++) {
        struct zoid_range seen = zoid_grid_seen(g, axis, i);

        points = zoid_max(points, seen.hi - seen.lo);
    }
    return points;
}

/* The window of the highest of cells that are apart ends where the domain does, ghost planes
 * included: it stays if the cell's border moves. */
struct zoid_range zoid_grid_window(const struct zoid_graph *g, int axis, long i, long points)
{
    struct zoid_range window = zoid_grid_seen(g, axis, i);

    if (own_windows(g, axis) && i == zoid_cells_along(g, axis) - 1)
        window.lo = window.hi - points;
    else if (!periodic(g, axis))
        window.lo = zoid_min(window.lo, g->shape.n[axis] - points);
    window.hi = window.lo + points;
    return window;
}

struct zoid_patch zoid_cell_window(const struct zoid_graph *g, long cell)
{
    struct zoid_patch window = {{{0, 0}}};

    for (int a = 0; a < ZOID_AXES; a++)
        if (zoid_axis_cut(g, a))
            window.axis[a] =
                zoid_grid_window(g, a, zoid_grid_index(g, cell, a), points_along(g, a));
    return window;
}

struct zoid_rim zoid_cell_rim(const struct zoid_graph *g, const struct zoid_patch *own)
{
    struct zoid_rim rim = {.of = *own};

    for (int a = 0; a < zoid_chain(&g->shape); a++)
        if (zoid_axis_cut(g, a)) {
            struct zoid_range more = zoid_grid_most_beside(g, a);

            rim.lo[a] = more.hi + zoid_grid_shift(g, a);
            rim.hi[a] = more.lo + zoid_grid_shift(g, a);
        }
    return rim;
}

struct zoid_rim zoid_cell_rim_most(const struct zoid_graph *g)
{
    struct zoid_patch largest = {{{0, 0}}};

    for (int a = 0; a < zoid_chain(&g->shape); a++)
        if (zoid_axis_cut(g, a))
            largest.axis[a].hi = zoid_grid_widths(g, a).hi;
    return zoid_cell_rim(g, &largest);
}

/* ---- lines ---------------------------------------------------------------------------------- */

bool zoid_grid_line_cut(const struct zoid_graph *g)
{
    return zoid_axis_cut(g, zoid_chain(&g->shape));
}

bool zoid_grid_round(const struct zoid_graph *g)
{
    return zoid_chain_periodic(&g->shape) && !zoid_grid_line_cut(g);
}

long zoid_grid_line(const struct zoid_graph *g)
{
    return points_along(g, zoid_chain(&g->shape));
}

/* A window round a circle may hold planes twice. */
long zoid_grid_line_asked(const struct zoid_graph *g)
{
    const int chain = zoid_chain(&g->shape);
    const struct zoid_range more = held_beside(g, chain);
    const long twice = periodic(g, chain) ? more.lo + more.hi : 0;

    return g->apart ? zoid_min(g->line, g->shape.n[chain] + twice) : 0;
}

long zoid_cell_line(const struct zoid_graph *g)
{
    if (!zoid_grid_line_cut(g))
        return g->shape.n[zoid_chain(&g->shape)];
    return g->line ? g->line : zoid_grid_line(g);
}

long zoid_cell_base(const struct zoid_graph *g, long cell)
{
    const int chain = zoid_chain(&g->shape);

    return zoid_grid_line_cut(g)
               ? zoid_grid_window(g, chain, zoid_grid_index(g, cell, chain), zoid_cell_line(g)).lo
               : 0;
}

long zoid_cell_image(const struct zoid_graph *g, long cell)
{
    struct zoid_graph turned = *g;

    turned.turned = !g->turned;
    return g->shape.n[zoid_chain(&g->shape)] - 1 + zoid_cell_base(g, cell) -
           zoid_cell_base(&turned, zoid_cells(g) - 1 - cell);
}

struct zoid_range zoid_grid_part(const struct zoid_graph *g, long i, enum zoid_grid_part part)
{
    const int chain = zoid_chain(&g->shape);
    const struct zoid_range more = zoid_grid_most_beside(g, chain);
    struct zoid_range own = zoid_grid_own(g, chain, i, 0);

    if (part == ZOID_PART_LOW)
        own.hi = zoid_min(own.hi, own.lo + more.hi);
    if (part == ZOID_PART_HIGH)
        own.lo = zoid_max(own.lo, own.hi - more.lo);
    return own;
}
