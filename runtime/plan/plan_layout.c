/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory layout of a plan's planes, and the scratch planes of a worker. */
#include <limits.h>

#include "codelets/block/halo.h"
#include "codelets/block/layout.h"
#include "codelets/block/scratch.h"
#include "codelets/cuda/lanes.h"
#include "codelets/op/traits.h"
#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/common/messages.h"
#include "graphs/kinds.h"
#include "graphs/message.h"
#include "graphs/rim.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/plan.h"

/* Layout of planes that have such a patch. */
static struct zoid_layout layout_of(const struct zoid_problem *problem,
                                    const struct zoid_graph *graph, const struct zoid_patch *patch,
                                    int ways)
{
    const struct zoid_layout whole =
        zoid_layout_make(problem->op, problem->n, zoid_layout_ghost(&graph->shape));
    struct zoid_layout layout = zoid_layout_window(&whole, patch);

    zoid_layout_loosen(&layout, problem->op, ways);
    return layout;
}

long zoid_plan_leaf(const struct zoid_problem *problem, const struct zoid_graph *graph,
                    uint64_t bytes)
{
    struct zoid_patch own = zoid_cell_own(graph, zoid_cells(graph) - 1, 0);
    struct zoid_layout layout = layout_of(problem, graph, &own, 0);
    const uint64_t plane = zoid_layout_plane_bytes(&layout);
    uint64_t planes = bytes / (2 * (uint64_t)problem->op->nstate * plane +
                               (uint64_t)zoid_coefficients_of_plane(problem, plane));

    return planes > LONG_MAX ? LONG_MAX : planes < 1 ? 1 : (long)planes;
}

long zoid_plan_scratch(const struct zoid_plan *p)
{
    const struct zoid_op *op = p->problem.op;
    const struct zoid_shape *shape = &p->graph.shape;
    long planes;

    if (zoid_op_in_order(op) && zoid_plan_streams(p))
        return zoid_warp_scratch(op, shape, &p->layout,
                                 zoid_min(p->graph.block, zoid_cell_line(&p->graph)),
                                 zoid_min(p->graph.depth, p->graph.steps) * shape->stages);
    planes = zoid_scratch_planes(shape, p->census.box_planes, zoid_place_of(p)->batch(&p->graph)) +
             zoid_scratch_spare(op, shape);
    for (size_t i = 0; !zoid_plan_streams(p) && op->runner && op->runner[i]; i++)
        if (op->runner[i]->scratch)
            planes = zoid_max(planes, op->runner[i]->scratch(op, shape, p->census.box_planes));
    return planes;
}

struct zoid_layout zoid_plan_layout(const struct zoid_plan *plan, long cell)
{
    struct zoid_patch window = zoid_cell_window(&plan->graph, cell);

    return layout_of(&plan->problem, &plan->graph, &window, plan->ways);
}

size_t zoid_plan_halo(const struct zoid_plan *plan)
{
    struct zoid_rim rim = zoid_cell_rim_most(&plan->graph);

    return zoid_cells(&plan->graph) > 1 ? zoid_layout_rim(&plan->layout, &rim) : 0;
}

size_t zoid_plan_end(const struct zoid_plan *plan)
{
    const struct zoid_patch most = zoid_cell_rim_most(&plan->graph).of;
    const struct zoid_rim all = zoid_patch_rim(&most);

    return zoid_layout_rim(&plan->layout, &all);
}

size_t zoid_plan_message(const struct zoid_plan *plan, const struct zoid_datum *message)
{
    const struct zoid_patch patch = zoid_message_patch(&plan->graph, message);
    const struct zoid_rim all = zoid_patch_rim(&patch);

    return zoid_layout_rim(&plan->layout, &all);
}

/* ---- memory of layers ---------------------------------------------------------------------- */

/* The layers of a plan, without their layout. */
static struct zoid_layers layers_of(const struct zoid_plan *p)
{
    return zoid_layers_of(p->problem.op, &p->graph.shape, &p->problem.params, NULL);
}

struct zoid_tail zoid_plan_tail(const struct zoid_plan *plan, int kind)
{
    struct zoid_layers layers;
    struct zoid_rim rim;

    if (zoid_kinds[kind].planes == ZOID_PLANES_WHOLE || zoid_cells(&plan->graph) == 1 ||
        !zoid_remembers(&plan->graph.shape))
        return (struct zoid_tail){.plane = 0};
    layers = layers_of(plan);
    rim = zoid_cell_rim_most(&plan->graph);
    if (zoid_kinds[kind].planes == ZOID_PLANES_OWN)
        rim = zoid_patch_rim(&rim.of);
    return zoid_halo_tail_most(&plan->graph.shape, &layers, &rim);
}

/* Return whether a message may have planes in a layer along the chain axis. One for the cell above
 * or below has the same planes at each epoch, unless borders move. */
static bool is_across(const struct zoid_graph *g, const struct zoid_layers *layers,
                      const struct zoid_datum *message)
{
    const enum zoid_heading heading = zoid_message_heading(g, message);
    const long i = zoid_grid_index(g, zoid_message_from(message), layers->chain);
    const struct zoid_range planes =
        zoid_grid_part(g, i, heading == ZOID_UPWARD ? ZOID_PART_HIGH : ZOID_PART_LOW);

    return heading == ZOID_BESIDE || g->apart ||
           zoid_layers_across(layers, planes.lo, planes.hi) > 0;
}

struct zoid_tail zoid_plan_message_tail(const struct zoid_plan *plan,
                                        const struct zoid_datum *message)
{
    struct zoid_layers layers;
    struct zoid_patch patch;
    struct zoid_rim all;

    if (!zoid_remembers(&plan->graph.shape))
        return (struct zoid_tail){.plane = 0};
    layers = layers_of(plan);
    patch = zoid_message_patch(&plan->graph, message);
    all = zoid_patch_rim(&patch);
    return zoid_halo_tail(&plan->graph.shape, &layers, &all,
                          is_across(&plan->graph, &layers, message));
}
