/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes between the cells of a plane while a block runs. A block that begins an epoch has in
 * its planes the patch that was its cell's own; before it computes, the rest of its window is put
 * beside that, where the planes lie, so that nothing else knows that a plane was in parts. One
 * that ends an epoch leaves the rim of its own patch.
 *
 *     +-----------+       the window of a cell
 *     | h h h h h |       o  what its planes have
 *     | h o o o h |       h  from the halos of the cells around
 *     | h h h h h |       m  beyond a mirrored face: what was put in last
 *     +-m-m-m-m-m-+
 */
#ifndef ZOID_CODELETS_HALO_H
#define ZOID_CODELETS_HALO_H

#include "codelets/list.h"

/* Completes the planes that were given of time t0, from the halos that are read. */
void zoid_halo_fill(struct zoid_runner *r);
/* Copies to the one that is written what those that are read have of its planes, where it has none
 * of its own. */
void zoid_halo_join(struct zoid_runner *r);
/* Copies to a halo what it wants of the planes of a list, which has group g of time t, or
 * [now.from, now.to) of them. */
void zoid_halo_leave(struct zoid_runner *r, const struct zoid_part *halo, long t, int g,
                     const struct zoid_list *list);

#endif
