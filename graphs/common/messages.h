/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: what a cell leaves for one that is next to it, across a side, an edge or a corner, and
 * belongs to another rank. Where all cells are one rank's there are none. */
#ifndef ZOID_GRAPHS_COMMON_MESSAGES_H
#define ZOID_GRAPHS_COMMON_MESSAGES_H

#include "graphs/common/passes.h"

/* Directions from a cell to those around it, and in the middle to itself. */
enum { ZOID_DIRECTIONS = 27, ZOID_MIDDLE = ZOID_DIRECTIONS / 2 };

/* Indices of a cell's neighbour in a direction. */
struct zoid_cell_index {
    long axis[ZOID_AXES];
};
/* Whether a direction goes along axes that are cut only: along others there is nobody. */
bool zoid_direction_cut(const struct zoid_graph *graph, int direction);
struct zoid_cell_index zoid_cell_beside(const struct zoid_graph *graph, long cell, int direction);
/* Whether one leaves the other messages. They are next to one another, or the same. */
bool zoid_message_goes(const struct zoid_graph *graph, const struct zoid_cell_index *from,
                       const struct zoid_cell_index *to);
/* The same along an axis, of cells with such indices. */
bool zoid_message_goes_along(const struct zoid_graph *graph, int axis, long from, long to);
/* Whether two cells are of different ranks. */
bool zoid_ranks_apart(const struct zoid_graph *graph, const struct zoid_cell_index *from,
                      const struct zoid_cell_index *to);
/* The message that an epoch takes of what the one before it has left, its patch, as `from` or `to`
 * counts points, whichever has indices that are those of a cell, and how much of that patch is its
 * owner's: joins add the rest. */
struct zoid_datum zoid_message_datum(const struct zoid_graph *graph,
                                     const struct zoid_cell_index *from,
                                     const struct zoid_cell_index *to, long epoch, long col);
struct zoid_patch zoid_message_whole(const struct zoid_graph *graph,
                                     const struct zoid_cell_index *from,
                                     const struct zoid_cell_index *to);
struct zoid_patch zoid_message_own(const struct zoid_graph *graph,
                                   const struct zoid_cell_index *from,
                                   const struct zoid_cell_index *to);
/* Whether the rest has some of what comes to `from` from its neighbour a step along an axis. */
bool zoid_message_adds(const struct zoid_graph *graph, const struct zoid_cell_index *from,
                       const struct zoid_cell_index *to, int axis, int step);
/* The direction that a message goes in, and the axis that one of two ranks goes along that exchange
 * axis by axis. */
int zoid_message_direction(const struct zoid_datum *message);
int zoid_message_axis(const struct zoid_graph *graph, const struct zoid_cell_index *from,
                      const struct zoid_cell_index *to);
/* Calls for the messages that a cell leaves others, or takes from them, until that returns another
 * value than 0. */
struct zoid_message_pair {
    struct zoid_cell_index from, to;
    int rank, peer;
};
typedef int zoid_message_pair_fn(void *self, const struct zoid_message_pair *pair);
int zoid_message_pairs(const struct zoid_graph *graph, long cell, bool sends,
                       zoid_message_pair_fn *call, void *self);
/* Rows of messages in a graph's census. */
long zoid_message_rows(const struct zoid_graph *graph);

#endif
