/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells (subdomains) in a request, and the cuts of the domain that the planner tries. */
#ifndef ZOID_RUNTIME_PLAN_CELLS_H
#define ZOID_RUNTIME_PLAN_CELLS_H

#include "runtime/zoid_advanced.h"

/* Number of cells along each axis; 1: not cut. */
struct zoid_cell_grid {
    long cells[ZOID_AXES];
};

/* Return whether the request names cells, apart from those that --strip makes. */
bool zoid_cells_asked(const struct zoid_request *request);
/* Return whether the request determines the cut, so that the planner has no choice. */
bool zoid_cells_named(const struct zoid_request *request);
/* Return whether the request wants the domain cut, in any way. */
bool zoid_cells_wanted(const struct zoid_request *request);
/* Return the cells that the request names; no cut if it leaves that to the planner. */
struct zoid_cell_grid zoid_cells_of(const struct zoid_request *request,
                                    const struct zoid_shape *shape);
/* Return a grid of strips of at most `rows` rows (0: one strip), and a grid of `cells` cells along
 * each plane axis, at most one per point. */
struct zoid_cell_grid zoid_cells_strips(const struct zoid_shape *shape, long rows);
struct zoid_cell_grid zoid_cells_squares(const struct zoid_shape *shape, long cells);
/* Cut a graph for a grid of ranks with a grid of cells each; fewer cells along axes that have too
 * few points. */
void zoid_cells_apply(const struct zoid_cell_grid *grid, const struct zoid_cell_grid *ranks,
                      struct zoid_graph *graph);

/* Return why an operator needs an axis whole that its shape forbids to cut. */
const char *zoid_cells_uncut(const struct zoid_op *op, const struct zoid_shape *shape);
/* Return whether any plane axis may be cut. */
bool zoid_cells_possible(const struct zoid_shape *shape);

/* Input of zoid_cells_check. `request` has the method instead of an alias; `method` NULL: any.
 * `name`: the requested name of the method; `strips`: that name stands for strips. */
struct zoid_cells_check {
    const struct zoid_request *request;
    const struct zoid_op *op;
    const struct zoid_shape *shape;
    const struct zoid_method *method;
    const char *name;
    bool strips;
    bool ranks; /* there are several, each with at least one cell */
};
/* Validate the cells of a request. ZOID_BAD_ARGUMENT, with a remedy: a cut that the domain, the
 * operator or the method does not support, --strip together with --cells, an epoch or an exchange
 * without cells or ranks. */
enum zoid_status zoid_cells_check(const struct zoid_cells_check *check);

#endif
