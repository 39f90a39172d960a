/* SPDX-License-Identifier: BSD-3-Clause */
/* One time of a running block: the sweep of its stage, and its computation. */
#ifndef ZOID_CODELETS_BLOCK_STAGE_H
#define ZOID_CODELETS_BLOCK_STAGE_H

#include "codelets/block/list.h"

/* Returns the sweep of time t for group g, or for all groups (g < 0), without its inputs. */
struct zoid_sweep zoid_sweep_of(struct zoid_runner *r, long t, int g);
/* Returns the group that time t writes; -1, all groups, at the first time of a block whose slab is
 * carried. */
int zoid_written_at(const struct zoid_runner *r, long t);
/* Begins time t, which computes group g: sets r->now and returns the sweep, cut to the tile. */
struct zoid_sweep zoid_stage_begin(struct zoid_runner *r, long t, int g);
/* Fills the ghost planes of a sweep that has its inputs, and has the device execute it. No-op if
 * its box is empty. */
void zoid_stage_sweep(struct zoid_runner *r, const struct zoid_sweep *sweep,
                      const struct zoid_list *out);
/* Computes the planes of a sweep's box that go to the segments of `out`; no-op after an error. */
void zoid_stage_compute(struct zoid_runner *r, struct zoid_sweep *sweep,
                        const struct zoid_list *out);

#endif
