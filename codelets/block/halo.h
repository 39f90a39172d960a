/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchange of points between the cells (subdomains) of a plane, on the block's side. A block that
 * begins an epoch has the patch of its cell's own (owned) points in its planes. Before it computes,
 * it copies the rest of the window (ghost points) into the same planes, so that no other code sees
 * that a plane arrived in parts. A block that ends an epoch writes the rim (boundary layer) of its
 * own patch to halos.
 *
 *     +-----------+       the window of a cell
 *     | h h h h h |       o  in the block's planes already
 *     | h o o o h |       h  from the halos of the neighbour cells
 *     | h h h h h |       m  beyond a mirrored face: filled last
 *     +-m-m-m-m-m-+ */
#ifndef ZOID_CODELETS_BLOCK_HALO_H
#define ZOID_CODELETS_BLOCK_HALO_H

#include "codelets/block/layer.h"
#include "codelets/block/list.h"

/* Completes the given planes of time t0 from the halos that the block reads. */
void zoid_halo_fill(struct zoid_runner *r);
/* Completes the memory of layers of the same planes, in the pieces that the block lists. */
void zoid_halo_fill_memory(struct zoid_runner *r);
/* Copies to the message that is written (part 0) the points of its planes that the other parts,
 * messages that are read, have. */
void zoid_halo_join(struct zoid_runner *r);
/* Copies from the planes of a list to a halo the points that the halo stores. The list has group g
 * of time t, or rows [now.from, now.to) of it. */
void zoid_halo_leave(struct zoid_runner *r, const struct zoid_part *halo, long t, int g,
                     const struct zoid_list *list);
/* Copies the memory of layers of the points that halos store from the pieces to all halos that are
 * written, when the block has computed its last time. */
void zoid_halo_leave_memory(struct zoid_runner *r);

/* Returns the memory of layers of a halo with that rim; `across`: with that of layers along the
 * chain axis. `layers` need no layout. */
struct zoid_tail zoid_halo_tail(const struct zoid_shape *shape, const struct zoid_layers *layers,
                                const struct zoid_rim *rim, bool across);
/* Returns the most that halos have whose rim is as large, wherever it lies. */
struct zoid_tail zoid_halo_tail_most(const struct zoid_shape *shape,
                                     const struct zoid_layers *layers, const struct zoid_rim *rim);
/* Copies the memory of layers of points that two messages have from one to the other. */
void zoid_halo_join_memory(struct zoid_runner *r, const struct zoid_part *into,
                           const struct zoid_part *part);

#endif
