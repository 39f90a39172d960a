/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/cells.h"

#include "graphs/cell.h"
#include "graphs/method.h"
#include "runtime/error.h"
#include "runtime/plan/parts.h"

/* The axis that strips are cut along; -1: planes are points. */
static int strip_axis(const struct zoid_shape *shape)
{
    return zoid_chain(shape) - 1;
}

static bool asks_for_more_than_one(const struct zoid_request *request)
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (request->cells[a] > 1)
            return true;
    return false;
}

bool zoid_cells_asked(const struct zoid_request *request)
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (request->cells[a])
            return true;
    return false;
}

bool zoid_cells_named(const struct zoid_request *request)
{
    return zoid_cells_asked(request) || request->strip > 0 || request->strip == ZOID_STRIP_NONE;
}

bool zoid_cells_wanted(const struct zoid_request *request)
{
    return asks_for_more_than_one(request) || request->strip > 0 ||
           request->strip == ZOID_STRIP_SOME;
}

static bool uncut(const struct zoid_shape *shape, int axis)
{
    return zoid_axis_grain(shape, axis) == ZOID_UNCUT;
}

bool zoid_cells_possible(const struct zoid_shape *shape)
{
    for (int a = 0; a < zoid_chain(shape); a++)
        if (!uncut(shape, a))
            return true;
    return false;
}

struct zoid_cell_grid zoid_cells_strips(const struct zoid_shape *shape, long rows)
{
    const int axis = strip_axis(shape);
    struct zoid_cell_grid grid = {{1, 1, 1}};

    if (axis >= 0 && rows > 0)
        grid.cells[axis] = (shape->n[axis] + rows - 1) / rows;
    return grid;
}

struct zoid_cell_grid zoid_cells_squares(const struct zoid_shape *shape, long cells)
{
    struct zoid_cell_grid grid = {{1, 1, 1}};

    for (int a = 0; a < zoid_chain(shape); a++)
        grid.cells[a] = uncut(shape, a) ? 1 : zoid_min(cells, shape->n[a]);
    return grid;
}

struct zoid_cell_grid zoid_cells_of(const struct zoid_request *request,
                                    const struct zoid_shape *shape)
{
    struct zoid_cell_grid grid = zoid_cells_strips(shape, request->strip);

    if (zoid_cells_asked(request))
        for (int a = 0; a < ZOID_AXES; a++)
            grid.cells[a] = request->cells[a] ? request->cells[a] : 1;
    return grid;
}

void zoid_cells_apply(const struct zoid_cell_grid *grid, const struct zoid_cell_grid *ranks,
                      struct zoid_graph *graph)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        const long n = ranks->cells[a], grain = zoid_max(graph->shape.grain[a], 1);
        const long most = (graph->shape.n[a] + grain - 1) / grain / n;

        graph->ranks[a] = n;
        graph->cut[a].cells =
            n > 1 ? n * zoid_max(zoid_min(grid->cells[a], most), 1) : grid->cells[a];
    }
}

long zoid_plan_strip(const struct zoid_plan *plan)
{
    const struct zoid_graph *g = &plan->graph;
    const int axis = strip_axis(&g->shape);

    return axis >= 0 && zoid_axis_cut(g, axis) ? zoid_cell_rim_most(g).of.axis[axis].hi : 0;
}

/* Return a method that can cut such planes; the last one is no worse than the others. */
static const char *able(const struct zoid_shape *shape)
{
    const char *name = NULL;

    for (size_t i = 0; zoid_methods[i]; i++)
        if (zoid_methods[i]->cells && !zoid_method_refuses(zoid_methods[i], shape))
            name = zoid_methods[i]->name;
    return name;
}

/* Refuse strips that a name stands for and the domain does not allow. */
static enum zoid_status check_name(const struct zoid_cells_check *c)
{
    const int axis = strip_axis(c->shape);
    const long rows = axis < 0 ? 1 : c->shape->n[axis], asked = c->request->strip;

    if (c->strips && asked >= rows)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s stands for strips, and the domain has no more than %ld rows; use a "
                         "lower {strip}, or {method=%s}",
                         c->name, rows, c->method->name);
    if (asked == ZOID_STRIP_SOME && rows < 2 && !c->method)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "planes have no rows here that strips could be cut of; ask for none");
    if (asked == ZOID_STRIP_SOME && rows < 2)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s cuts planes into strips, and here they have no rows for that; use {method=%s}",
            c->name, c->method->name);
    return ZOID_OK;
}

/* Refuse cells along axes that the domain, or its planes, do not have. */
static enum zoid_status check_axes(const struct zoid_cells_check *c)
{
    const bool strip = c->request->strip > 0 || c->request->strip == ZOID_STRIP_SOME;

    if (!zoid_chain(c->shape) && strip)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "planes of one dimension are points, which {strip} cannot cut; drop it");
    for (int a = c->shape->dims; a < ZOID_AXES; a++)
        if (c->request->cells[a] > 1)
            return zoid_fail(ZOID_BAD_ARGUMENT, "in %d-D there is no %c that {cells} could cut",
                             c->shape->dims, "xyz"[a]);
    return ZOID_OK;
}

const char *zoid_cells_uncut(const struct zoid_op *op, const struct zoid_shape *shape)
{
    if (zoid_in_order(shape))
        return "it sweeps in order, and points beside a border would wait for those of another "
               "cell";
    return op->coefficient_bytes ? "its coefficients are pieces of whole planes" : op->grain_reason;
}

/* Refuse cells along an axis that the operator needs whole. */
static enum zoid_status check_uncut(const struct zoid_cells_check *c)
{
    const struct zoid_cell_grid grid = zoid_cells_of(c->request, c->shape);
    const char *option = zoid_cells_asked(c->request) ? "cells" : "strip";
    char way[64];

    /* Strips that an alias stands for come from no option. */
    if (c->strips && c->request->strip == ZOID_STRIP_SOME)
        zoid_failure_format(way, sizeof way, "use {method=%s}", c->method->name);
    else
        zoid_failure_format(way, sizeof way, "drop {%s}", option);
    for (int a = 0; a < c->shape->dims; a++)
        if (uncut(c->shape, a) && (grid.cells[a] > 1 || (c->request->strip == ZOID_STRIP_SOME &&
                                                         a == strip_axis(c->shape))))
            return zoid_fail(ZOID_BAD_ARGUMENT, "%s cannot be cut along %c: %s; %s", c->op->family,
                             "xyz"[a], zoid_cells_uncut(c->op, c->shape), way);
    return ZOID_OK;
}

static enum zoid_status check_request(const struct zoid_request *r, bool ranks)
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (r->cells[a] < 0)
            return zoid_fail(ZOID_BAD_ARGUMENT, "there is at least 1 cell along every axis");
    if (r->epoch < 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "an epoch has at least 1 step");
    if (zoid_cells_asked(r) && r->strip)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{strip} and {cells} both say what is cut; drop one of them");
    if (r->exchange && !ranks)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{exchange} says how ranks exchange what they need of one another, and "
                         "there is only one; start several with mpirun, or drop it");
    if (r->epoch && !ranks && !zoid_cells_wanted(r))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{epoch} says how often cells exchange what they need of one another, and "
                         "there is only one; add {cells} or {strip}, or drop it");
    return ZOID_OK;
}

enum zoid_status zoid_cells_check(const struct zoid_cells_check *c)
{
    enum zoid_status status = check_request(c->request, c->ranks);

    if (!status)
        status = check_name(c);
    if (!status)
        status = check_axes(c);
    if (!status)
        status = check_uncut(c);
    if (!status && zoid_cells_wanted(c->request) && c->method && !c->method->cells)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s cannot cut anything into cells; use {method=%s}",
                         c->name, able(c->shape));
    return status;
}
