/* SPDX-License-Identifier: BSD-3-Clause */
/* Grid of cells [subdomains]: position, owned points and owner of each. */
#ifndef ZOID_GRAPHS_COMMON_GRID_H
#define ZOID_GRAPHS_COMMON_GRID_H

#include "graphs/graph.h"

/* Index of a cell along an axis. */
long zoid_grid_index(const struct zoid_graph *graph, long cell, int axis);
/* Cell with the given indices, modulo the number of cells along each axis. */
long zoid_grid_cell(const struct zoid_graph *graph, const long at[]);
/* Number of axes along which the cells with indices a and b belong to different ranks. *axis: the
 * last of these, if any. */
int zoid_grid_apart(const struct zoid_graph *graph, const long a[], const long b[], int *axis);
/* Owned range of cells with index i along an axis. */
struct zoid_range zoid_grid_own(const struct zoid_graph *graph, int axis, long i, long epoch);
/* Owned patch, of every plane, of the cell with indices `at`. */
struct zoid_patch zoid_grid_patch(const struct zoid_graph *graph, const long at[], long epoch);
/* Width of the ghost points that blocks read below (lo) and above (hi) owned ones over a number of
 * times, relayed planes excluded. With several ranks, a cell that reads on one side is given ghost
 * points on both: else the lower of two cells would await no message, and would send its own before
 * the other awaits it. */
struct zoid_range zoid_grid_beside(const struct zoid_graph *graph, int axis, long times);
/* Same for a full epoch. */
struct zoid_range zoid_grid_most_beside(const struct zoid_graph *graph, int axis);
/* Least owned planes of a cell, if the chain axis is cut among ranks: those that its neighbours
 * read in an epoch, and those that it relays. */
long zoid_grid_least_planes(const struct zoid_graph *graph);
/* True if ranks share a domain with in-order stages. The cells then lie one above the other, one on
 * each rank. Their faces move down as those of their blocks do, by the hi of zoid_grid_beside a
 * time, and the cell below relays the planes that a cell's lowest blocks read below it, at any
 * time. */
bool zoid_grid_relays(const struct zoid_graph *graph);
/* Union over all epochs of the owned range of cells with index i along an axis, plus ghost points,
 * clipped to the domain unless the axis is periodic. */
struct zoid_range zoid_grid_seen(const struct zoid_graph *graph, int axis, long i);
/* Window along an axis of cells with that index, if all have as many points. */
struct zoid_range zoid_grid_window(const struct zoid_graph *graph, int axis, long i, long points);
/* Maximum shift of a border from one epoch to the next. */
long zoid_grid_shift(const struct zoid_graph *graph, int axis);
/* Minimum (lo) and maximum (hi) number of points that a cell owns along an axis. */
struct zoid_range zoid_grid_widths(const struct zoid_graph *graph, int axis);

/* True if the chain axis is cut. */
bool zoid_grid_line_cut(const struct zoid_graph *graph);
/* Planes of each cell's line if the chain axis is cut. zoid_graph_init stores the result, since
 * this iterates over all cells along the axis. */
long zoid_grid_line(const struct zoid_graph *graph);
/* Returns the planes that the caller asks the lines of ranks that are apart to have, at least; 0:
 * as many as owned and ghost planes need. */
long zoid_grid_line_asked(const struct zoid_graph *graph);
/* True if lines are circular: the chain axis is periodic and not cut. */
bool zoid_grid_round(const struct zoid_graph *graph);
/* Part of the owned planes of cells with index i along the chain axis: all of them, or those that
 * the cells below (LOW) or above (HIGH) read. */
enum zoid_grid_part { ZOID_PART_LOW, ZOID_PART_HIGH, ZOID_PART_ALL };
struct zoid_range zoid_grid_part(const struct zoid_graph *graph, long i, enum zoid_grid_part part);

#endif
