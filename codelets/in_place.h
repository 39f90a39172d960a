/* SPDX-License-Identifier: BSD-3-Clause */
/* A single time of a block that overwrites what it reads. */
#ifndef ZOID_CODELETS_IN_PLACE_H
#define ZOID_CODELETS_IN_PLACE_H

#include "codelets/times.h"

/* Where the block's only time has no place in its slabs at once (r->in_slabs). */
void zoid_one_time_in_place(struct zoid_runner *r);
/* The most rows that are computed together, so that the ring and what is read stay in a cache of
 * that size, where a row of all state fields takes `row` bytes; 0: all rows of a plane. */
long zoid_in_place_rows(size_t cache, double row, const struct zoid_shape *shape, long batch);

#endif
