/* SPDX-License-Identifier: BSD-3-Clause */
/* What a request says of cells, and the cuts that the planner tries. */
#ifndef ZOID_RUNTIME_PLAN_CELLS_H
#define ZOID_RUNTIME_PLAN_CELLS_H

#include "runtime/zoid.h"

/* Cells along each axis, 1 where it is not cut. */
struct zoid_cell_grid {
    long cells[ZOID_AXES];
};

/* Whether a request has cells of its own, not those that --strip makes. */
bool zoid_cells_asked(const struct zoid_request *request);
/* Whether it leaves nothing of the cut to the planner. */
bool zoid_cells_named(const struct zoid_request *request);
/* Whether it wants the domain cut, in some way. */
bool zoid_cells_wanted(const struct zoid_request *request);
/* What it names; no cut where it leaves that to the planner. */
struct zoid_cell_grid zoid_cells_of(const struct zoid_request *request,
                                    const struct zoid_shape *shape);
/* Strips of at most so many rows, 0: one of them all; squares: as many cells along both axes, as
 * far as there are points. */
struct zoid_cell_grid zoid_cells_strips(const struct zoid_shape *shape, long rows);
struct zoid_cell_grid zoid_cells_squares(const struct zoid_shape *shape, long cells);
/* Cuts a graph for so many ranks along each axis, with so many cells to each; fewer where there are
 * not so many points. */
void zoid_cells_apply(const struct zoid_cell_grid *grid, const struct zoid_cell_grid *ranks,
                      struct zoid_graph *graph);

/* Why an operator wants an axis whole that its shape says may not be cut. */
const char *zoid_cells_uncut(const struct zoid_op *op, const struct zoid_shape *shape);
/* Whether some axis of planes may be cut. */
bool zoid_cells_possible(const struct zoid_shape *shape);

/* A request, with the method in place of an alias; method NULL: any. `name` is the name that it
 * asked for the method by; `strips`: that stands for strips. */
struct zoid_cells_check {
    const struct zoid_request *request;
    const struct zoid_op *op;
    const struct zoid_shape *shape;
    const struct zoid_method *method;
    const char *name;
    bool strips;
    bool ranks; /* there are several, and each has a cell at least */
};
/* ZOID_BAD_ARGUMENT, with a way out: a cut that the domain, the operator or the method cannot have,
 * --strip and --cells beside one another, an epoch without cells. */
enum zoid_status zoid_cells_check(const struct zoid_cells_check *check);

#endif
