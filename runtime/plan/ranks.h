/* SPDX-License-Identifier: BSD-3-Clause */
/* How a domain is dealt to ranks. */
#ifndef ZOID_RUNTIME_PLAN_RANKS_H
#define ZOID_RUNTIME_PLAN_RANKS_H

#include "runtime/plan/cells.h"
#include "runtime/plan/plan.h"

/* Ranks along each axis: as the request says, or for all that the site has, so that they exchange
 * as little as can be; of two grids as good, the one that leaves rows longer. The chain axis stays
 * whole where parts of planes are not thin, or for `planes`. ZOID_BAD_ARGUMENT, with a way out:
 * other ranks than there are, more along an axis than it has points, or an axis that stays whole.
 */
enum zoid_status zoid_ranks_deal(const struct zoid_site *site, const struct zoid_request *request,
                                 const struct zoid_op *op, const struct zoid_shape *shape,
                                 bool planes, struct zoid_cell_grid *grid);
/* Whether the request names more than one, or the site has more. */
bool zoid_ranks_several(const struct zoid_site *site, const struct zoid_request *request);
/* The shape of the largest part that a rank has. */
struct zoid_shape zoid_ranks_part(const struct zoid_shape *shape,
                                  const struct zoid_cell_grid *grid);
/* How the ranks of a graph exchange; AUTO: there is one. Where they are cut along one axis only,
 * both ways are the same. */
enum zoid_exchange zoid_ranks_exchange(const struct zoid_graph *graph);
/* Axes along which there are several. */
int zoid_ranks_axes(const struct zoid_graph *graph);
/* The rank of a graph that has others on all sides, where any has; of two that take turns the lower
 * one, which has more. */
int zoid_ranks_inner(const struct zoid_graph *graph);
/* Makes a plan for that rank one for another rank. */
void zoid_ranks_take(struct zoid_plan *plan, int rank);
/* Makes a plan that of a domain which is turned, or back; and which process a rank of such a
 * graph is: they count from the other end. */
void zoid_ranks_turn(struct zoid_plan *plan);
int zoid_ranks_process(const struct zoid_graph *graph, int rank);

#endif
