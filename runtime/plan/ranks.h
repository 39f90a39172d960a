/* SPDX-License-Identifier: BSD-3-Clause */
/* Decomposition of the domain among ranks. */
#ifndef ZOID_RUNTIME_PLAN_RANKS_H
#define ZOID_RUNTIME_PLAN_RANKS_H

#include "runtime/plan/cells.h"
#include "runtime/plan/plan.h"

/* Numbers of ranks along each axis to choose from, the usual one first. */
enum { ZOID_RANK_GRIDS = 4 };
struct zoid_rank_grids {
    int n;
    struct zoid_cell_grid grid[ZOID_RANK_GRIDS];
};

/* Return the number of ranks along each axis: as requested, or the grids of all ranks of the site
 * with the least surface between them and with up to 1.5 times that; of two equal grids, the one
 * with longer rows first. The chain axis is not cut unless the parts of planes would be thin, and
 * never if `planes`. ZOID_BAD_ARGUMENT,
 * with a remedy: another number of ranks than there are, more along an axis than it has points, or
 * along an axis that must stay whole. ZOID_RESOURCE: no grid of the ranks fits the domain. */
enum zoid_status zoid_ranks_deal(const struct zoid_site *site, const struct zoid_request *request,
                                 const struct zoid_op *op, const struct zoid_shape *shape,
                                 bool planes, struct zoid_rank_grids *grids);
/* Return whether the request names more than one rank, or the site has more. */
bool zoid_ranks_several(const struct zoid_site *site, const struct zoid_request *request);
/* Return the shape of the largest subdomain of a rank. */
struct zoid_shape zoid_ranks_part(const struct zoid_shape *shape,
                                  const struct zoid_cell_grid *grid);
/* Return how the ranks of a graph exchange halos; AUTO: there is one rank. With a cut along one
 * axis only, both ways are the same. */
enum zoid_exchange zoid_ranks_exchange(const struct zoid_graph *graph);
/* Return the number of axes along which there are several ranks. */
int zoid_ranks_axes(const struct zoid_graph *graph);
/* Return the rank with neighbours on all sides, if there is one; if ranks take turns, the lower one
 * of the two in the middle, which needs more memory. */
int zoid_ranks_inner(const struct zoid_graph *graph);
/* Turn a plan for the graph's rank into one for another rank. */
void zoid_ranks_take(struct zoid_plan *plan, int rank);
/* Turn a plan into one for the mirrored domain, or back. */
void zoid_ranks_turn(struct zoid_plan *plan);

/* Return the number of processes that run a graph: one for each rank or, if ranks are apart, for
 * all ranks above one another, which are its parts. */
int zoid_ranks_processes(const struct zoid_graph *graph);
/* Return the process that a rank is, and which of its parts. Ranks of a mirrored domain count from
 * the other end. */
int zoid_ranks_process(const struct zoid_graph *graph, int rank);
int zoid_ranks_part_of(const struct zoid_graph *graph, int rank);
/* Return the rank that a part of a process is; the graph's ranks are not turned. */
int zoid_ranks_of_part(const struct zoid_graph *graph, int part, int process);
/* Return whether the graph's rank and another are parts of one process. */
bool zoid_ranks_together(const struct zoid_graph *graph, int rank);
/* Return the rank that reads a message or a relay. */
int zoid_ranks_reader(const struct zoid_graph *graph, const struct zoid_datum *datum);

/* Return the name that --exchange accepts. */
const char *zoid_exchange_name(enum zoid_exchange exchange);

#endif
