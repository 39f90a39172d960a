/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of cells: where each is, and whose. */
#ifndef ZOID_GRAPHS_COMMON_GRID_H
#define ZOID_GRAPHS_COMMON_GRID_H

#include "graphs/graph.h"

/* The index of a cell along an axis, and the cell with such indices. Round a periodic axis the
 * indices go on: as many as there are cells stand for 0 again. */
long zoid_grid_index(const struct zoid_graph *graph, long cell, int axis);
long zoid_grid_cell(const struct zoid_graph *graph, const long at[]);
/* Along how many axes two cells with such indices are of different ranks, and the last of these. */
int zoid_grid_apart(const struct zoid_graph *graph, const long a[], const long b[], int *axis);
/* What cells with index i along an axis have as their own, and what the cell with indices `at` has
 * of every plane. */
struct zoid_range zoid_grid_own(const struct zoid_graph *graph, int axis, long i, long epoch);
struct zoid_patch zoid_grid_patch(const struct zoid_graph *graph, const long at[], long epoch);
/* Points that blocks look at below and above their own in so many times, and in a full epoch, but
 * for what is relayed to them. Where there are several ranks, who looks below its own looks above,
 * too: else the lower of two would wait for nothing, and send before anybody awaits it. */
struct zoid_range zoid_grid_beside(const struct zoid_graph *graph, int axis, long times);
struct zoid_range zoid_grid_most_beside(const struct zoid_graph *graph, int axis);
/* Whether ranks share a domain whose stages take points in order. Then cells lie above one another,
 * one a rank; their faces move down as their blocks' do, by zoid_grid_beside's high end a time; and
 * what a cell's lowest blocks read below them, of any time, the cell below relays to them. */
bool zoid_grid_relays(const struct zoid_graph *graph);
/* What is the own of cells with index i along an axis in any epoch, with what is looked at beside
 * it, as far as it is there. */
struct zoid_range zoid_grid_seen(const struct zoid_graph *graph, int axis, long i);
/* By how much a border moves at most from one epoch to the next. */
long zoid_grid_shift(const struct zoid_graph *graph, int axis);
/* The least and the most points that are any cell's own along an axis. */
struct zoid_range zoid_grid_widths(const struct zoid_graph *graph, int axis);

/* Whether the chain axis is cut. Where it is not, lines go round if the axis is periodic. */
bool zoid_grid_line_cut(const struct zoid_graph *graph);
/* Planes of the line of every cell where it is: what zoid_graph_init finds once, since it looks at
 * all cells along the axis. */
long zoid_grid_line(const struct zoid_graph *graph);
bool zoid_grid_round(const struct zoid_graph *graph);
/* Of the planes that cells with index i along the chain axis have as their own: all; or those that
 * the cells below, or above, look at. */
enum zoid_grid_part { ZOID_PART_LOW, ZOID_PART_HIGH, ZOID_PART_ALL };
struct zoid_range zoid_grid_part(const struct zoid_graph *graph, long i, enum zoid_grid_part part);

#endif
