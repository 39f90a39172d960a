/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/ranks.h"

#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/message.h"
#include "graphs/reach.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/cells.h"

static bool asked(const struct zoid_request *r)
{
    return r->ranks[0] || r->ranks[1] || r->ranks[2];
}

static long ranks_asked(const struct zoid_request *r)
{
    long n = 1;

    for (int a = 0; a < ZOID_AXES; a++)
        n *= zoid_max(r->ranks[a], 1);
    return n;
}

bool zoid_ranks_several(const struct zoid_site *site, const struct zoid_request *r)
{
    return site->ranks > 1 || ranks_asked(r) > 1;
}

/* Cuts of an axis between ranks lie at multiples of this; ZOID_UNCUT: no cuts. If stages take
 * points in order, ranks take turns along the chain axis. */
static long grain_along(const struct zoid_shape *shape, int axis)
{
    return zoid_in_order(shape) && axis == zoid_chain(shape) ? 1 : zoid_axis_grain(shape, axis);
}

/* Most parts of an axis. */
static long most_along(const struct zoid_shape *shape, int axis)
{
    if (axis >= shape->dims || grain_along(shape, axis) == ZOID_UNCUT)
        return 1;
    return zoid_ceil_div(shape->n[axis], grain_along(shape, axis));
}

/* Area of all borders between ranks, in points. */
static double surface(const struct zoid_shape *shape, const struct zoid_cell_grid *grid)
{
    double points = 1, sum = 0;

    for (int a = 0; a < ZOID_AXES; a++)
        points *= (double)shape->n[a];
    for (int a = 0; a < ZOID_AXES; a++) {
        const long p = grid->cells[a], borders = p > 1 && zoid_axis_periodic(shape, a) ? p : p - 1;

        sum += (double)borders * points / (double)shape->n[a];
    }
    return sum;
}

/* Return whether every part is at least `times` reaches of a step wide. */
static bool wide(const struct zoid_shape *shape, const struct zoid_cell_grid *grid, long times)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        long lo, hi;

        zoid_axis_reach(shape, a, &lo, &hi);
        if (grid->cells[a] > most_along(shape, a) ||
            (grid->cells[a] > 1 &&
             shape->n[a] / grid->cells[a] < times * shape->stages * zoid_max(lo, hi)))
            return false;
    }
    return true;
}

/* Insert a grid into the list, which is sorted by surface. */
static void insert(const struct zoid_shape *shape, const struct zoid_cell_grid *grid,
                   struct zoid_rank_grids *list)
{
    int at = list->n;

    while (at && surface(shape, &list->grid[at - 1]) > surface(shape, grid))
        at--;
    if (at == ZOID_RANK_GRIDS)
        return;
    list->n = list->n < ZOID_RANK_GRIDS ? list->n + 1 : ZOID_RANK_GRIDS;
    for (int i = list->n - 1; i > at; i--)
        list->grid[i] = list->grid[i - 1];
    list->grid[at] = *grid;
}

/* Find the grids of `n` ranks with the least surfaces whose parts are that wide, with at most
 * `line` ranks along the chain axis; false: no such grid. */
static bool choose(const struct zoid_shape *shape, long n, long line, long times,
                   struct zoid_rank_grids *list)
{
    static const double WORSE = 1.5; /* than the least surface */

    list->n = 0;
    for (long x = 1; x <= n; x++)
        for (long y = 1; y <= n / x; y++) {
            const struct zoid_cell_grid grid = {{x, y, n / (x * y)}};

            if (x * y * grid.cells[2] == n && grid.cells[zoid_chain(shape)] <= line &&
                wide(shape, &grid, times))
                insert(shape, &grid, list);
        }
    while (list->n > 1 &&
           surface(shape, &list->grid[list->n - 1]) > WORSE * surface(shape, &list->grid[0]))
        list->n--;
    return list->n > 0;
}

/* Ranks above one another wait for each other's ends (boundary slabs), while those side by side
 * exchange slab by slab: the chain axis is cut only if the other parts would be thin. */
static bool choose_any(const struct zoid_shape *shape, long n, bool planes,
                       struct zoid_rank_grids *list)
{
    enum { THIN = 16 };
    const long line = planes ? 1 : n;

    return choose(shape, n, 1, THIN, list) || choose(shape, n, line, THIN, list) ||
           choose(shape, n, line, 0, list);
}

static enum zoid_status refuse_axis(const struct zoid_op *op, const struct zoid_shape *shape,
                                    int axis, long ranks)
{
    if (axis >= shape->dims)
        return zoid_fail(ZOID_BAD_ARGUMENT, "in %d-D there is no %c that %ld ranks could share",
                         shape->dims, "xyz"[axis], ranks);
    if (zoid_in_order(shape) && axis != zoid_chain(shape))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s cannot be cut along %c: it sweeps in order, and ranks take turns along "
            "%c only; use 1 rank along it, not %ld",
            op->family, "xyz"[axis], "xyz"[zoid_chain(shape)], ranks);
    if (grain_along(shape, axis) == ZOID_UNCUT)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s cannot be cut along %c: %s; use 1 rank along it, not %ld", op->family,
                         "xyz"[axis], zoid_cells_uncut(op, shape), ranks);
    return zoid_fail(ZOID_BAD_ARGUMENT, "%ld ranks along %c are more than it can be cut into, %ld",
                     ranks, "xyz"[axis], most_along(shape, axis));
}

enum zoid_status zoid_ranks_deal(const struct zoid_site *site, const struct zoid_request *r,
                                 const struct zoid_op *op, const struct zoid_shape *shape,
                                 bool planes, struct zoid_rank_grids *grids)
{
    const long n = zoid_max(site->ranks, 1);

    *grids = (struct zoid_rank_grids){.n = 1, .grid = {{{1, 1, 1}}}};
    for (int a = 0; a < ZOID_AXES; a++) {
        if (r->ranks[a] < 0)
            return zoid_fail(ZOID_BAD_ARGUMENT, "there is at least 1 rank along every axis");
        if (r->ranks[a] > most_along(shape, a) && r->ranks[a] > 1)
            return refuse_axis(op, shape, a, r->ranks[a]);
    }
    if (asked(r) && n > 1 && ranks_asked(r) != n)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{ranks} names %ld ranks, and there are %ld; start it with mpirun -n %ld, "
                         "or drop {ranks}",
                         ranks_asked(r), n, ranks_asked(r));
    for (int a = 0; a < ZOID_AXES && asked(r); a++)
        grids->grid->cells[a] = zoid_max(r->ranks[a], 1);
    if (asked(r) || choose_any(shape, n, planes, grids))
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "the domain cannot be cut for %ld ranks; start fewer", n);
}

struct zoid_shape zoid_ranks_part(const struct zoid_shape *shape, const struct zoid_cell_grid *grid)
{
    struct zoid_shape part = *shape;

    for (int a = 0; a < ZOID_AXES; a++)
        part.n[a] = zoid_ceil_div(shape->n[a], grid->cells[a]);
    return part;
}

const char *zoid_exchange_name(enum zoid_exchange exchange)
{
    static const char *const names[] = {[ZOID_EXCHANGE_AUTO] = "auto",
                                        [ZOID_EXCHANGE_DIRECT] = "direct",
                                        [ZOID_EXCHANGE_JOINED] = "joined"};

    return names[exchange];
}

enum zoid_exchange zoid_ranks_exchange(const struct zoid_graph *g)
{
    if (zoid_ranks(g) == 1)
        return ZOID_EXCHANGE_AUTO;
    return g->joined ? ZOID_EXCHANGE_JOINED : ZOID_EXCHANGE_DIRECT;
}

int zoid_ranks_axes(const struct zoid_graph *g)
{
    int axes = 0;

    for (int a = 0; a < ZOID_AXES; a++)
        axes += zoid_ranks_along(g, a) > 1;
    return axes;
}

int zoid_ranks_inner(const struct zoid_graph *g)
{
    long rank = 0;

    /* Below the middle: of two ranks, the lower one begins each epoch with more planes, and
     * receives the other's messages, which have more names than those that are sent. */
    if (zoid_grid_relays(g))
        return (int)(zoid_ranks(g) - 1) / 2;
    for (int a = ZOID_AXES - 1; a >= 0; a--)
        rank = rank * zoid_ranks_along(g, a) + zoid_ranks_along(g, a) / 2;
    return (int)rank;
}

void zoid_ranks_take(struct zoid_plan *p, int rank)
{
    p->graph.rank = rank;
    zoid_graph_census(&p->graph, &p->census);
    zoid_budget_recount(p);
}

void zoid_ranks_turn(struct zoid_plan *p)
{
    p->graph.turned = !p->graph.turned;
    zoid_ranks_take(p, (int)zoid_ranks(&p->graph) - 1 - p->graph.rank);
}

int zoid_ranks_processes(const struct zoid_graph *g)
{
    const long parts = g->apart ? zoid_ranks_along(g, zoid_chain(&g->shape)) : 1;

    return (int)(zoid_ranks(g) / parts);
}

int zoid_ranks_process(const struct zoid_graph *g, int rank)
{
    return (g->turned ? (int)zoid_ranks(g) - 1 - rank : rank) % zoid_ranks_processes(g);
}

int zoid_ranks_part_of(const struct zoid_graph *g, int rank)
{
    return (g->turned ? (int)zoid_ranks(g) - 1 - rank : rank) / zoid_ranks_processes(g);
}

int zoid_ranks_of_part(const struct zoid_graph *g, int part, int process)
{
    return part * zoid_ranks_processes(g) + process;
}

bool zoid_ranks_together(const struct zoid_graph *g, int rank)
{
    return rank != g->rank && rank < zoid_ranks(g) &&
           zoid_ranks_process(g, rank) == zoid_ranks_process(g, g->rank);
}

int zoid_ranks_reader(const struct zoid_graph *g, const struct zoid_datum *d)
{
    return zoid_cell_rank(g, d->kind == ZOID_RELAY ? d->row + 1 : zoid_message_to(g, d));
}
