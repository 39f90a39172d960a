/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips of a chain: what they clip, and the sides that they leave and take. */
#ifndef ZOID_GRAPHS_COMMON_STRIP_H
#define ZOID_GRAPHS_COMMON_STRIP_H

#include "graphs/common/passes.h"

/* Planes that a block takes of a slab or its edges, with the slab's column, in slots as it has them. */
struct zoid_strip_slab {
    long col;
    struct zoid_view view;
};

/* Clips a block to the rows of its strip, and what later times of the pass look at. */
void zoid_strip_clip(const struct zoid_chain *chain, struct zoid_block *block);
/* The rows that are a strip's own in a view of what a pass before has left; what was loaded, or left by
 * this pass, is whole. */
struct zoid_rows zoid_strip_kept(const struct zoid_chain *chain, const struct zoid_block *block);
/* Adds to a block the sides that go with what it takes of a slab, if it begins with its pass: of that,
 * its own strip's rows lie elsewhere. The first pass has what was loaded, which is whole windows. */
void zoid_strip_take(const struct zoid_chain *chain, struct zoid_block *block,
                     struct zoid_access *access, const struct zoid_strip_slab *slab);
/* Adds to what a block fetches the sides that go with a slab that the next block takes. */
void zoid_strip_fetch(const struct zoid_chain *chain, struct zoid_block *block,
                      struct zoid_datum *fetch, long col);
/* Adds to a block the sides of what it leaves of a slab, if it ends with its pass and that is not the
 * last. Where several blocks leave planes of one, the block that takes it begins its sides for them. */
void zoid_strip_leave(const struct zoid_chain *chain, struct zoid_block *block,
                      struct zoid_access *access, const struct zoid_access *slab);
/* Makes the census of one strip that of all; comes last. */
void zoid_strip_census(const struct zoid_chain *chain, struct zoid_census *census);

#endif
