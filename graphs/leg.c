/* SPDX-License-Identifier: BSD-3-Clause */
/* Succession of legs. A leg's slabs hold planes of a single time when it ends, hence also when the
 * next one begins: fixed slabs hold the same planes, drifting ones have moved down as far as their
 * time says. Cells have their owned points in slabs, and halos that the last epoch left for a next
 * one. */
#include <string.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/graph.h"
#include "graphs/leg.h"

static bool same_shape(const struct zoid_shape *a, const struct zoid_shape *b)
{
    if (a->dims != b->dims || a->stages != b->stages || memcmp(a->n, b->n, sizeof a->n) != 0 ||
        memcmp(a->face, b->face, sizeof a->face) != 0)
        return false;
    return memcmp(a->reach, b->reach, (size_t)a->stages * sizeof *a->reach) == 0 &&
           memcmp(a->order, b->order, (size_t)a->stages) == 0;
}

static bool same_cut(const struct zoid_axis_cells *a, const struct zoid_axis_cells *b)
{
    long cells = zoid_max(a->cells, 1);

    if (cells != zoid_max(b->cells, 1) || !a->border != !b->border)
        return false;
    if (cells == 1 || !a->border || a->border == b->border)
        return cells == 1 || !a->border || a->epochs == b->epochs;
    return a->epochs == b->epochs &&
           memcmp(a->border, b->border, (size_t)(a->epochs * (cells + 1)) * sizeof *a->border) == 0;
}

const char *zoid_graph_unlike(const struct zoid_graph *a, const struct zoid_graph *b)
{
    if (a->method != b->method)
        return "methods";
    if (!same_shape(&a->shape, &b->shape))
        return "shapes";
    if (a->block != b->block)
        return "slabs";
    for (int axis = 0; axis < ZOID_AXES; axis++)
        if (!same_cut(&a->cut[axis], &b->cut[axis]))
            return "cells";
    for (int axis = 0; axis < ZOID_AXES; axis++)
        if (zoid_ranks_along(a, axis) != zoid_ranks_along(b, axis) || a->rank != b->rank)
            return "ranks";
    if (a->apart != b->apart || (a->apart && a->line != b->line))
        return "lines";
    if (a->turned != b->turned)
        return "directions";
    if (zoid_ranks(a) > 1 && a->joined != b->joined)
        return "exchanges";
    if (a->epoch != b->epoch)
        return "epochs";
    return a->coefficients != b->coefficients ||
                   (a->coefficients == ZOID_COEFFICIENTS_NEAR &&
                    (a->coefficient_reach.lo != b->coefficient_reach.lo ||
                     a->coefficient_reach.hi != b->coefficient_reach.hi))
               ? "coefficients"
               : NULL;
}

/* Planes of a datum of coefficients; 0 if there are none. */
static long piece_of(const struct zoid_graph *g)
{
    struct zoid_census census;

    zoid_graph_census(g, &census);
    return census.kind[ZOID_COEFFICIENT].planes;
}

int zoid_graph_follow(struct zoid_graph *next, const struct zoid_graph *before, long done,
                      bool *clamped)
{
    long epochs = zoid_cells(before) > 1 ? zoid_ceil_div(done, before->epoch) : 0;
    int rc;

    next->start = before->start + done;
    next->epoch = before->epoch;
    next->leg = (struct zoid_leg){
        .is = ZOID_LEG_NEXT, .epochs = before->leg.epochs + epochs, .piece = piece_of(before)};
    rc = zoid_graph_init(next, clamped);
    if (rc)
        return rc;
    if (before->leg.is == ZOID_LEG_ONLY || zoid_graph_unlike(before, next))
        return ZOID_GRAPH_BAD_LEG;
    return 0;
}

struct zoid_gain zoid_graph_gain(const struct zoid_graph *before, const struct zoid_graph *next)
{
    const int chain = zoid_chain(&next->shape);
    const long i = zoid_grid_index(next, next->rank * zoid_rank_cells(next), chain);
    const struct zoid_range own = zoid_grid_own(before, chain, i, 0);
    const struct zoid_range seen = zoid_grid_seen(next, chain, i);

    if (zoid_cells(next) > zoid_cells_along(next, chain))
        return (struct zoid_gain){.below = seen};
    return (struct zoid_gain){.below = {seen.lo, zoid_max(zoid_min(own.lo, seen.hi), seen.lo)},
                              .above = {zoid_min(zoid_max(own.hi, seen.lo), seen.hi), seen.hi}};
}

void zoid_census_join(struct zoid_census *all, const struct zoid_census *one)
{
    for (int k = 0; k < ZOID_KINDS; k++) {
        struct zoid_census_row *a = &all->kind[k];
        const struct zoid_census_row *b = &one->kind[k];

        *a = (struct zoid_census_row){zoid_max(a->rows, b->rows), zoid_max(a->cols, b->cols),
                                      zoid_max(a->planes, b->planes)};
    }
    all->box_planes = zoid_max(all->box_planes, one->box_planes);
    all->max_access = zoid_max(all->max_access, one->max_access);
    all->max_halos = zoid_max(all->max_halos, one->max_halos);
    all->max_messages = zoid_max(all->max_messages, one->max_messages);
    all->max_coefficients = zoid_max(all->max_coefficients, one->max_coefficients);
    all->max_memory = zoid_max(all->max_memory, one->max_memory);
    all->open_slabs = zoid_max(all->open_slabs, one->open_slabs);
    all->block_slabs = zoid_max(all->block_slabs, one->block_slabs);
}
