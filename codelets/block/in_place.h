/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of a single time that overwrites its input. */
#ifndef ZOID_CODELETS_BLOCK_IN_PLACE_H
#define ZOID_CODELETS_BLOCK_IN_PLACE_H

#include "codelets/block/runner.h"

/* Computes the block's only time via the scratch; for blocks that cannot compute directly in their
 * slabs (r->in_slabs is false). */
void zoid_one_time_in_place(struct zoid_runner *r);
/* Returns the most rows computed together such that the ring and the input stay in a cache of
 * `cache` bytes; 0: all rows of a plane. `row` is the bytes of a row of all state fields. */
long zoid_in_place_rows(size_t cache, double row, const struct zoid_shape *shape, long batch);

#endif
