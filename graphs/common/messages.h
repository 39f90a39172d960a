/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages [MPI halo exchange]: points that a cell leaves for a neighbour across a side, an edge or
 * a corner that another rank owns. Without several ranks there are no messages. */
#ifndef ZOID_GRAPHS_COMMON_MESSAGES_H
#define ZOID_GRAPHS_COMMON_MESSAGES_H

#include "graphs/common/passes.h"

/* Directions from a cell to its neighbours; ZOID_MIDDLE: to itself. */
enum { ZOID_DIRECTIONS = 27, ZOID_MIDDLE = ZOID_DIRECTIONS / 2 };

/* Indices of a cell; beyond the grid for neighbours across a periodic face. */
struct zoid_cell_index {
    long axis[ZOID_AXES];
};
/* True if a direction follows cut axes only: there are no neighbours along other axes. */
bool zoid_direction_cut(const struct zoid_graph *graph, int direction);
/* Indices of a cell's neighbour in a direction. */
struct zoid_cell_index zoid_cell_beside(const struct zoid_graph *graph, long cell, int direction);
/* True if `from` leaves messages for `to`. The two are neighbours, or the same cell. */
bool zoid_message_goes(const struct zoid_graph *graph, const struct zoid_cell_index *from,
                       const struct zoid_cell_index *to);
/* Same along one axis, for cells with indices `from` and `to`. */
bool zoid_message_goes_along(const struct zoid_graph *graph, int axis, long from, long to);
/* True if two cells belong to different ranks. */
bool zoid_ranks_apart(const struct zoid_graph *graph, const struct zoid_cell_index *from,
                      const struct zoid_cell_index *to);
/* Message from one cell to another that `epoch` reads and the epoch before has left. */
struct zoid_datum zoid_message_datum(const struct zoid_graph *graph,
                                     const struct zoid_cell_index *from,
                                     const struct zoid_cell_index *to, long epoch, long col);
/* Patch of a message, in the coordinates of `from` or `to`, whichever lies inside the grid. */
struct zoid_patch zoid_message_whole(const struct zoid_graph *graph,
                                     const struct zoid_cell_index *from,
                                     const struct zoid_cell_index *to);
/* Part of that patch that the owner's blocks leave; joins add the remainder. */
struct zoid_patch zoid_message_own(const struct zoid_graph *graph,
                                   const struct zoid_cell_index *from,
                                   const struct zoid_cell_index *to);
/* True if that remainder has points that `from` receives from its neighbour along an axis. */
bool zoid_message_adds(const struct zoid_graph *graph, const struct zoid_cell_index *from,
                       const struct zoid_cell_index *to, int axis, int step);
/* Direction in which a message goes. */
int zoid_message_direction(const struct zoid_datum *message);
/* Axis along which two ranks exchange, if ranks exchange axis by axis. */
int zoid_message_axis(const struct zoid_graph *graph, const struct zoid_cell_index *from,
                      const struct zoid_cell_index *to);
/* Call `call` for each message that a cell leaves (`sends`) or reads, until it returns non-zero.
 * Returns its last value. */
struct zoid_message_pair {
    struct zoid_cell_index from, to;
    int rank, peer;
};
typedef int zoid_message_pair_fn(void *self, const struct zoid_message_pair *pair);
int zoid_message_pairs(const struct zoid_graph *graph, long cell, bool sends,
                       zoid_message_pair_fn *call, void *self);
/* Number of message rows in a graph's census. */
long zoid_message_rows(const struct zoid_graph *graph);

#endif
