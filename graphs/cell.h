/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of a graph, and the ranks that own them. */
#ifndef ZOID_GRAPHS_CELL_H
#define ZOID_GRAPHS_CELL_H

#include "graphs/graph.h"

/* Number of cells, 1 or more; 1: uncut. Numbered rank by rank, x first within a rank. */
long zoid_cells(const struct zoid_graph *graph);
/* Number of cells along an axis; 1 if it is not cut. */
long zoid_cells_along(const struct zoid_graph *graph, int axis);
/* Return whether there is more than one. */
bool zoid_axis_cut(const struct zoid_graph *graph, int axis);
/* Number of epochs, of `epoch` steps each, the last one maybe fewer; 1 with one cell. Epochs are
 * numbered over all legs: the graph's first one is leg.epochs. */
long zoid_epochs(const struct zoid_graph *graph);
/* *Window* of a cell [owned and ghost points]: all points that its data hold, which are those that
 * its blocks read in any epoch. Windows have the same extents for all cells. They extend beyond the
 * domain along periodic axes only. */
struct zoid_patch zoid_cell_window(const struct zoid_graph *graph, long cell);
/* Domain plane at which the line of a cell starts. */
long zoid_cell_base(const struct zoid_graph *graph, long cell);
/* Mirror sum of a cell. Swap each plane of the cell's line with the one that makes this sum with
 * it, if the line has it: the data are then those of the cell at the same distance from the other
 * end of the mirrored graph. Its owned planes are complete and in place; its ghost planes belong to
 * other cells. */
long zoid_cell_image(const struct zoid_graph *graph, long cell);
/* Rim of the own patch of a cell: the points that other cells read, and that its halo holds. */
struct zoid_rim zoid_cell_rim(const struct zoid_graph *graph, const struct zoid_patch *own);
/* Rim of a patch that starts at 0 and has the largest width of any cell along every axis. */
struct zoid_rim zoid_cell_rim_most(const struct zoid_graph *graph);

/* ---- ranks ---------------------------------------------------------------------------------- */

/* Number of ranks, 1 or more, and their number along an axis. Each rank owns a box of cells; ranks
 * are numbered x first. */
long zoid_ranks(const struct zoid_graph *graph);
long zoid_ranks_along(const struct zoid_graph *graph, int axis);
/* Number of cells that each rank owns, and their number along an axis. */
long zoid_rank_cells(const struct zoid_graph *graph);
long zoid_rank_cells_along(const struct zoid_graph *graph, int axis);
/* Cells that a graph computes: one rank's, or all. */
struct zoid_range zoid_graph_cells(const struct zoid_graph *graph);
/* Rank that owns a cell. */
int zoid_cell_rank(const struct zoid_graph *graph, long cell);
/* Longest epoch, in steps, in which no block reads beyond the neighbouring cells where it must not:
 * along the chain axis, and with several ranks along any axis. LONG_MAX: unlimited; 0: a cell is
 * lower than the planes that have to be relayed from it. */
long zoid_epoch_most(const struct zoid_graph *graph);

#endif
