/* SPDX-License-Identifier: BSD-3-Clause */
/* Planes of scratch that blocks need. */
#ifndef ZOID_CODELETS_BLOCK_SCRATCH_H
#define ZOID_CODELETS_BLOCK_SCRATCH_H

#include "codelets/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the most planes of a run's box at any time between the first and the last. */
long zoid_block_max_planes(const struct zoid_block_args *run);
/* Returns the planes of scratch that suffice for any block whose boxes have at most box_planes
 * planes between their first and last time, on a device of that batch; those of zoid_scratch_spare
 * come on top. */
long zoid_scratch_planes(const struct zoid_shape *shape, long box_planes, long batch);
/* Returns the number of ghost planes at a boundary of the chain axis that are images with their
 * sign turned, for which blocks allocate planes of scratch (zoid_list_turn). */
long zoid_scratch_images(const struct zoid_shape *shape, int side);
/* Returns the planes of scratch besides those buffers: op->spare, and these ghost planes. */
long zoid_scratch_spare(const struct zoid_op *op, const struct zoid_shape *shape);

#ifdef __cplusplus
}
#endif
#endif
