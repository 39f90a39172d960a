/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/coefficients.h"

#include "codelets/block/layer.h"
#include "codelets/op/traits.h"
#include "graphs/cell.h"
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

static struct zoid_layers layers_of(const struct zoid_plan *p)
{
    return zoid_layers_of(p->problem.op, &p->graph.shape, &p->problem.params, &p->layout);
}

static uint64_t memory_bytes(const struct zoid_plan *p, const struct zoid_layers *layers,
                             struct zoid_range planes)
{
    return (uint64_t)zoid_layers_elements(layers, planes.lo, planes.hi) *
           zoid_type_size(p->layout.type);
}

double zoid_memory_of_plane(const struct zoid_plan *p)
{
    const struct zoid_layers layers = layers_of(p);
    const long n = p->graph.shape.n[zoid_chain(&p->graph.shape)];

    return layers.any ? (double)memory_bytes(p, &layers, (struct zoid_range){0, n}) / (double)n : 0;
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
        const struct zoid_layers layers = layers_of(p);

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

/* Returns the number of pieces of memory from i on that are alike: planes have different sizes on
 * either side of a bound of a layer along the chain axis only, and the last piece may be lower. */
static long alike(const struct zoid_plan *p, const struct zoid_layers *layers, long i)
{
    const long planes = p->census.kind[ZOID_MEMORY].planes, lo = i * planes;
    long end = chain_planes(p);

    for (int side = 0; side < ZOID_SIDES; side++) {
        const struct zoid_layer_face *face = &layers->face[layers->chain][side];

        end = face->lo > lo ? zoid_min(end, face->lo) : end;
        end = face->hi > lo ? zoid_min(end, face->hi) : end;
    }
    return zoid_max((end - lo) / planes, 1);
}

struct zoid_byte_sums zoid_memory_sums(const struct zoid_plan *p)
{
    const struct zoid_layers layers = layers_of(p);
    struct zoid_byte_sums sums = {.all = 0};

    for (long i = 0, n; layers.any && i < p->census.kind[ZOID_MEMORY].cols; i += n) {
        const struct zoid_range planes = zoid_piece_planes(p, ZOID_MEMORY, 0, i);
        const uint64_t bytes = at_home(p, memory_bytes(p, &layers, planes));

        n = alike(p, &layers, i);
        sums.all = zoid_amount_plus(sums.all, zoid_amount_times(bytes, (uint64_t)n));
        sums.most = zoid_larger(sums.most, bytes);
    }
    return sums;
}
