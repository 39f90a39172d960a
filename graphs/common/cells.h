/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of a chain: what they clip, and the halos and messages that they leave and take. */
#ifndef ZOID_GRAPHS_COMMON_CELLS_H
#define ZOID_GRAPHS_COMMON_CELLS_H

#include "graphs/common/messages.h"

/* Planes that a block takes of a slab or its edges, with the slab's column, in slots as it has
 * them. */
struct zoid_cell_slab {
    long col;
    struct zoid_view view;
};

/* Clips a block to its cell's own patch and to what later times of the epoch look at beside it. */
void zoid_cell_clip(const struct zoid_chain *chain, struct zoid_block *block);
/* The patch of the planes that a block takes that has right values. Where the block begins an
 * epoch, that is what the cell left in the epoch before. What was loaded, or left in this epoch, is
 * right wherever the block looks: then the patch leaves nothing out. */
struct zoid_patch zoid_cell_kept(const struct zoid_chain *chain, const struct zoid_block *block,
                                 const struct zoid_view *view);
/* Whether a slab has planes of its cell's own when a pass begins. */
bool zoid_cell_has(const struct zoid_chain *chain, long cell, long pass, long col);
/* Whether a slab holds planes of a block's cell when its pass begins, that a block of it takes. */
bool zoid_cell_holds(const struct zoid_chain *chain, const struct zoid_block *block, long col);
/* Adds to a block the halos, ends and messages that go with what it takes of a slab, if it begins
 * an epoch: beyond the cell's own patch points lie elsewhere. The very first epoch has what was
 * loaded, which is whole windows. */
void zoid_cell_take(const struct zoid_chain *chain, struct zoid_block *block,
                    struct zoid_access *access, const struct zoid_cell_slab *slab);
/* Adds to what a block fetches the halos and messages that go with a slab that the next block
 * takes. */
void zoid_cell_fetch(const struct zoid_chain *chain, struct zoid_block *block,
                     struct zoid_datum *fetch, long col);
/* Adds to a block the halo, the ends and the messages of what it leaves of a slab, if it ends an
 * epoch and another may come. Where several blocks leave planes of a slab, the block that takes the
 * slab begins these for all of them. `done`: no block of the lap accesses the slab after this one.
 */
void zoid_cell_leave(const struct zoid_chain *chain, struct zoid_block *block,
                     struct zoid_access *access, const struct zoid_access *slab, bool done);
/* Leaves of what a cell's slab has when its lap has ended what goes into a message to another cell,
 * in the slots of the message; true where that is as good as all, in slots as the slab has them. */
bool zoid_cell_clip_to(const struct zoid_graph *graph, struct zoid_view *view,
                       const struct zoid_cell_index *from, const struct zoid_cell_index *to);
/* Makes the census of one cell that of all; comes last. */
void zoid_cell_census(const struct zoid_chain *chain, struct zoid_census *census);

#endif
