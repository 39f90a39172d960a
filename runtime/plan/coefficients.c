/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/coefficients.h"

#include <string.h>

#include "codelets/block/layer.h"
#include "codelets/op/traits.h"
#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/kinds.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"

bool zoid_kind_in_pieces(const struct zoid_op *op, int kind)
{
    return kind == ZOID_MEMORY || (zoid_kinds[kind].constant && op->coefficient_bytes);
}

void zoid_coefficients_apply(const struct zoid_op *op, struct zoid_graph *g)
{
    const struct zoid_reach reach = zoid_op_coefficient_reach(op);
    const int chain = zoid_chain(&g->shape);

    if (op->coefficient_bytes)
        g->coefficients = ZOID_COEFFICIENTS_NEAR;
    else
        g->coefficients = op->ncoef ? ZOID_COEFFICIENTS_ALL : ZOID_COEFFICIENTS_NONE;
    g->coefficient_reach.lo = reach.lo[chain];
    g->coefficient_reach.hi = reach.hi[chain];
}

double zoid_coefficients_of_plane(const struct zoid_problem *p, size_t plane_bytes)
{
    const struct zoid_op *op = p->op;
    const long n = p->n[op->dims - 1];

    return op->coefficient_bytes ? (double)op->coefficient_bytes(op, 0, n) / (double)n
                                 : (double)plane_bytes * op->ncoef;
}

/* The window along an axis of cells with that index. */
static struct zoid_range window_of(const struct zoid_plan *p, int axis, long i)
{
    const long points =
        axis == zoid_chain(&p->graph.shape)
            ? zoid_cell_line(&p->graph)
            : p->layout.hi[axis] - p->layout.lo[axis] - 2 * zoid_layout_ghost(&p->graph.shape);

    return zoid_grid_window(&p->graph, axis, i, points);
}

/* The layers of a plan as a cell has them. Planes of all cells have the same layout, but for where
 * their windows lie. */
static struct zoid_layers layers_of(const struct zoid_plan *p, long cell)
{
    struct zoid_layout layout = p->layout;

    for (int a = 0; a < layout.dims - 1; a++)
        if (layout.window[a]) {
            const struct zoid_range window = window_of(p, a, zoid_grid_index(&p->graph, cell, a));
            const long ghost = zoid_layout_ghost(&p->graph.shape);

            layout.lo[a] = window.lo - ghost;
            layout.hi[a] = window.hi + ghost;
        }
    return zoid_layers_of(p->problem.op, &p->graph.shape, &p->problem.params, &layout);
}

static uint64_t memory_bytes(const struct zoid_plan *p, const struct zoid_layers *layers,
                             struct zoid_range planes)
{
    return (uint64_t)zoid_layers_elements(layers, planes.lo, planes.hi) *
           zoid_type_size(p->layout.type);
}

/* Bytes of a piece at its home, where an empty piece is a datum as well. */
static uint64_t at_home(const struct zoid_plan *p, uint64_t bytes)
{
    const uint64_t grain = p->home == ZOID_RAM ? ZOID_LINE : p->tier[p->home].grain;

    return zoid_whole(zoid_larger(bytes, 1), grain);
}

static long chain_planes(const struct zoid_plan *p)
{
    return p->graph.shape.n[zoid_chain(&p->graph.shape)];
}

struct zoid_range zoid_piece_planes(const struct zoid_plan *p, int kind, long cell, long i)
{
    const long planes = p->census.kind[kind].planes;
    const long base = zoid_cell_base(&p->graph, cell), line = zoid_cell_line(&p->graph);

    return (struct zoid_range){base + i * planes, base + zoid_min((i + 1) * planes, line)};
}

uint64_t zoid_piece_bytes(const struct zoid_plan *p, int kind, long cell, long i)
{
    const struct zoid_op *op = p->problem.op;
    const struct zoid_range planes = zoid_piece_planes(p, kind, cell, i);

    if (kind == ZOID_MEMORY) {
        const struct zoid_layers layers = layers_of(p, cell);

        return at_home(p, memory_bytes(p, &layers, planes));
    }
    return at_home(p, op->coefficient_bytes(op, planes.lo, planes.hi));
}

/* Sums over the cells of a rank. */
static struct zoid_byte_sums sum_of(const struct zoid_plan *p, struct zoid_range cells)
{
    struct zoid_byte_sums sums = {.all = 0};

    for (long c = cells.lo; c < cells.hi; c++)
        for (long i = 0; i < p->census.kind[ZOID_COEFFICIENT].cols; i++) {
            const uint64_t bytes = zoid_piece_bytes(p, ZOID_COEFFICIENT, c, i);

            sums.all = zoid_amount_plus(sums.all, bytes);
            sums.most = zoid_larger(sums.most, bytes);
        }
    return sums;
}

static struct zoid_byte_sums sum(const struct zoid_plan *p)
{
    const long cells = zoid_rank_cells(&p->graph);
    struct zoid_byte_sums most = {.all = 0};

    if (p->graph.apart)
        return sum_of(p, zoid_graph_cells(&p->graph));
    for (long r = 0; r < zoid_ranks(&p->graph); r++) {
        const struct zoid_byte_sums sums =
            sum_of(p, (struct zoid_range){r * cells, (r + 1) * cells});

        most.all = zoid_larger(most.all, sums.all);
        most.most = zoid_larger(most.most, sums.most);
    }
    return most;
}

struct zoid_byte_sums zoid_piece_sums(struct zoid_pieces_known *known, const struct zoid_plan *p,
                                      uint64_t capacity)
{
    const struct zoid_op *op = p->problem.op;
    const struct zoid_census_row *row = &p->census.kind[ZOID_COEFFICIENT];
    const long line = zoid_cell_line(&p->graph), cells = zoid_cells(&p->graph);
    const size_t at = (size_t)row->planes % ZOID_PIECES_KNOWN;

    if (zoid_budget_handles((uint64_t)(row->rows * row->cols)) > capacity) {
        const double part = (double)line * (double)row->rows / (double)chain_planes(p);
        const uint64_t all =
            (uint64_t)((double)op->coefficient_bytes(op, 0, chain_planes(p)) * part);

        return (struct zoid_byte_sums){.all = all,
                                       .most = at_home(p, all / (uint64_t)(row->rows * row->cols))};
    }
    if (known->at[at].planes != row->planes || known->at[at].line != line ||
        known->at[at].cells != cells || known->at[at].home != p->home) {
        known->at[at].planes = row->planes;
        known->at[at].line = line;
        known->at[at].cells = cells;
        known->at[at].home = p->home;
        known->at[at].sums = sum(p);
    }
    return known->at[at].sums;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Returns the number of pieces of a cell's memory from i on that are alike: planes have different
 * sizes on either side of a bound of a layer along the chain axis only, and the last piece may be
 * lower. */
static long alike(const struct zoid_plan *p, const struct zoid_layers *layers, long cell, long i)
{
    const long planes = p->census.kind[ZOID_MEMORY].planes;
    const long base = zoid_cell_base(&p->graph, cell), lo = base + i * planes;
    long end = base + zoid_cell_line(&p->graph);

    for (int side = 0; side < ZOID_SIDES; side++) {
        const struct zoid_layer_face *face = &layers->face[layers->chain][side];

        end = face->lo > lo ? zoid_min(end, face->lo) : end;
        end = face->hi > lo ? zoid_min(end, face->hi) : end;
    }
    return zoid_max((end - lo) / planes, 1);
}

/* Adds the pieces of so many cells that are alike, one of which is given. */
static void add_memory(const struct zoid_plan *p, long cell, uint64_t cells,
                       struct zoid_byte_sums *sums)
{
    const struct zoid_layers layers = layers_of(p, cell);

    for (long i = 0, n; i < p->census.kind[ZOID_MEMORY].cols; i += n) {
        const struct zoid_range planes = zoid_piece_planes(p, ZOID_MEMORY, cell, i);
        const uint64_t bytes = at_home(p, memory_bytes(p, &layers, planes));

        n = alike(p, &layers, cell, i);
        sums->all = zoid_amount_plus(
            sums->all, zoid_amount_times(bytes, zoid_amount_times((uint64_t)n, cells)));
        sums->most = zoid_larger(sums->most, bytes);
    }
}

/* Returns the number of cells from index i of an axis on, below `end`, whose windows and the ghost
 * points around have no point of a layer of the axis. */
static long without_layers(const struct zoid_plan *p, const struct zoid_layers *layers, int axis,
                           long i, long end)
{
    const long ghost = axis == layers->chain ? 0 : zoid_layout_ghost(&p->graph.shape);
    const struct zoid_layer_face *faces = layers->face[axis];

    if (!faces[ZOID_LOW].there && !faces[ZOID_HIGH].there)
        return end - i;
    for (long at = i; at < end; at++) {
        const struct zoid_range window = window_of(p, axis, at);

        for (int side = 0; side < ZOID_SIDES; side++) {
            const struct zoid_layer_face *face = &faces[side];

            if (face->there && window.lo - ghost < face->hi && window.hi + ghost > face->lo)
                return at - i;
        }
    }
    return end - i;
}

/* Lists indices of ranks along an axis: those that have layers, and one without, which stands
 * for the others. Returns their number. */
static long list_ranks(const struct zoid_plan *p, const struct zoid_layers *layers, int axis,
                       long *index)
{
    const long ranks = zoid_ranks_along(&p->graph, axis);
    const long cells = zoid_rank_cells_along(&p->graph, axis);
    bool none = false;
    long n = 0;

    for (long i = 0; i < ranks; i++) {
        const bool meets =
            ranks > 1 && without_layers(p, layers, axis, i * cells, (i + 1) * cells) < cells;

        if (meets || !none)
            index[n++] = i;
        none = none || !meets;
    }
    return n;
}

/* Cells without a layer of an axis that follow one another along it are alike. */
static struct zoid_byte_sums memory_of_rank(const struct zoid_plan *p,
                                            const struct zoid_layers *layers, long rank)
{
    const struct zoid_graph *g = &p->graph;
    struct zoid_byte_sums sums = {.all = 0};
    long first[ZOID_AXES], end[ZOID_AXES], at[ZOID_AXES], n[ZOID_AXES];

    for (int a = 0; a < ZOID_AXES; a++) {
        first[a] = zoid_grid_index(g, rank * zoid_rank_cells(g), a);
        end[a] = first[a] + zoid_rank_cells_along(g, a);
    }
    for (at[2] = first[2]; at[2] < end[2]; at[2] += n[2]) {
        n[2] = zoid_max(without_layers(p, layers, 2, at[2], end[2]), 1);
        for (at[1] = first[1]; at[1] < end[1]; at[1] += n[1]) {
            n[1] = zoid_max(without_layers(p, layers, 1, at[1], end[1]), 1);
            for (at[0] = first[0]; at[0] < end[0]; at[0] += n[0]) {
                n[0] = zoid_max(without_layers(p, layers, 0, at[0], end[0]), 1);
                add_memory(p, zoid_grid_cell(g, at), (uint64_t)(n[0] * n[1] * n[2]), &sums);
            }
        }
    }
    return sums;
}

/* Ranks plan for the one that has the most; ranks that are apart, each for itself. */
struct zoid_byte_sums zoid_memory_sum(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_layers layers =
        zoid_layers_of(p->problem.op, &g->shape, &p->problem.params, NULL);
    const long along[ZOID_AXES] = {zoid_ranks_along(g, 0), zoid_ranks_along(g, 1),
                                   zoid_ranks_along(g, 2)};
    struct zoid_byte_sums most = {.all = 0};
    long x[along[0]], y[along[1]], z[along[2]], nx, ny, nz;

    if (g->apart)
        return memory_of_rank(p, &layers, g->rank);
    nx = list_ranks(p, &layers, 0, x);
    ny = list_ranks(p, &layers, 1, y);
    nz = list_ranks(p, &layers, 2, z);
    for (long i = 0; i < nx * ny * nz; i++) {
        const long rank = (z[i / nx / ny] * along[1] + y[i / nx % ny]) * along[0] + x[i % nx];
        const struct zoid_byte_sums sums = memory_of_rank(p, &layers, rank);

        most.all = zoid_larger(most.all, sums.all);
        most.most = zoid_larger(most.most, sums.most);
    }
    return most;
}

struct zoid_byte_sums zoid_memory_sums(struct zoid_memory_known *known, const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const long planes = p->census.kind[ZOID_MEMORY].planes, line = zoid_cell_line(g);
    const long cells[ZOID_AXES] = {zoid_cells_along(g, 0), zoid_cells_along(g, 1),
                                   zoid_cells_along(g, 2)};
    const long spread = planes + 31 * g->epoch + 7 * cells[0] + 13 * cells[1] + 17 * cells[2];
    const size_t at = (size_t)spread % ZOID_PIECES_KNOWN;

    if (!p->census.kind[ZOID_MEMORY].cols)
        return (struct zoid_byte_sums){.all = 0};
    if (known->at[at].planes != planes || known->at[at].line != line ||
        known->at[at].epoch != g->epoch || known->at[at].home != p->home ||
        memcmp(known->at[at].cells, cells, sizeof cells) != 0) {
        known->at[at].planes = planes;
        known->at[at].line = line;
        known->at[at].epoch = g->epoch;
        known->at[at].home = p->home;
        memcpy(known->at[at].cells, cells, sizeof cells);
        known->at[at].sums = zoid_memory_sum(p);
    }
    return known->at[at].sums;
}

double zoid_memory_of_plane(const struct zoid_plan *p)
{
    const long planes = zoid_rank_cells(&p->graph) * zoid_cell_line(&p->graph);

    return (double)p->memory.all / (double)planes;
}
