/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of cells and halos, and the cache sets that rows meet. */
#ifndef ZOID_CODELETS_BLOCK_LAYOUT_H
#define ZOID_CODELETS_BLOCK_LAYOUT_H

#include "codelets/sweep.h"

/* Returns the layout of a cell's planes: the patch of planes of layout `whole`, with as wide ghost
 * layers. */
struct zoid_layout zoid_layout_window(const struct zoid_layout *whole,
                                      const struct zoid_patch *patch);
/* Returns the associativity (lines per set) of a first-level cache of `cache` bytes, in which
 * addresses 4096 bytes apart share a set. */
int zoid_layout_ways(size_t cache);
/* Increases the stride of rows if a column of a stencil would otherwise need more lines of a cache
 * set than `ways`, and this helps. Only before planes of this layout are allocated. ways 0: no-op.
 */
void zoid_layout_loosen(struct zoid_layout *layout, const struct zoid_op *op, int ways);
/* Returns the elements per plane of a halo with that rim, in whole cache lines. */
size_t zoid_layout_rim(const struct zoid_layout *layout, const struct zoid_rim *rim);

#endif
