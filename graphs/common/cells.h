/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of a chain: clipping of blocks, and the halos, ends and messages that cells exchange. */
#ifndef ZOID_GRAPHS_COMMON_CELLS_H
#define ZOID_GRAPHS_COMMON_CELLS_H

#include "graphs/common/messages.h"

/* Planes that a block reads of a slab or its edges: the slab's column, and a view in the slab's
 * slots. */
struct zoid_cell_slab {
    long col;
    struct zoid_view view;
};

/* Clip a block to its cell's owned patch plus the ghost points read later in the epoch. */
void zoid_cell_clip(const struct zoid_chain *chain, struct zoid_block *block);
/* Patch in which the planes that a block reads are valid. If the block starts an epoch: the points
 * that the cell left in the epoch before. Otherwise unbounded: planes that were loaded, or left in
 * this epoch, are valid wherever the block reads. */
struct zoid_patch zoid_cell_kept(const struct zoid_chain *chain, const struct zoid_block *block,
                                 const struct zoid_view *view);
/* True if a slab has owned planes of the cell when a pass begins. */
bool zoid_cell_has(const struct zoid_chain *chain, long cell, long pass, long col);
/* True if a slab holds planes, when a block's pass begins, that a block of its cell reads. */
bool zoid_cell_holds(const struct zoid_chain *chain, const struct zoid_block *block, long col);
/* Append to a block's accesses the halos, ends and messages that complete the planes it reads of a
 * slab, if it starts an epoch: points beyond the cell's owned patch lie in these data. The first
 * epoch of all reads loaded data, which are whole windows. */
void zoid_cell_take(const struct zoid_chain *chain, struct zoid_block *block,
                    struct zoid_access *access, const struct zoid_cell_slab *slab);
/* Append to a block's prefetch list the halos and messages of a slab that the next block reads. */
void zoid_cell_fetch(const struct zoid_chain *chain, struct zoid_block *block,
                     struct zoid_datum *fetch, long col);
/* Append to a block's accesses the halo, ends and messages of the planes it leaves in a slab, if it
 * ends an epoch that another may follow. If several blocks leave planes of a slab, the block that
 * reads the slab starts these data for all of them. `done`: no later block of the lap accesses the
 * slab; its column is added to the block's `done` list. */
void zoid_cell_leave(const struct zoid_chain *chain, struct zoid_block *block,
                     struct zoid_access *access, const struct zoid_access *slab, bool done);
/* Restrict a view of a cell's slab, at the end of its lap, to the planes of a message to another
 * cell, in the slots of the message. Returns true if these are all owned planes, in the slots of
 * the slab. */
bool zoid_cell_clip_to(const struct zoid_graph *graph, struct zoid_view *view,
                       const struct zoid_cell_index *from, const struct zoid_cell_index *to);
/* Extend the census of one cell to all cells of the graph. Call last. */
void zoid_cell_census(const struct zoid_chain *chain, struct zoid_census *census);

#endif
