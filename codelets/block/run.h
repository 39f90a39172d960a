/* SPDX-License-Identifier: BSD-3-Clause */
/* Execution of one block: every stage of a clipped zoid, from the data that hold its input planes
 * to the data that want its output planes. One routine serves every method. */
#ifndef ZOID_CODELETS_BLOCK_RUN_H
#define ZOID_CODELETS_BLOCK_RUN_H

#include <stdbool.h>

#include "codelets/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zoid_device; /* codelets/block/device.h */

/* Runs a block on a device; returns 0 or the device's error code. The block must have been proved
 * valid. Planes are copied whole; in planes that it computes, points outside the block's box become
 * undefined. */
int zoid_run_block(const struct zoid_block_args *run, const struct zoid_device *device, void *self);
/* Executes a join (aggregated, axis-by-axis exchange; struct zoid_join): copies to the run's first
 * part, a message, the points of its planes of t0 that the other parts have. Returns 0 or the
 * device's error code. */
int zoid_run_join(const struct zoid_block_args *run, const struct zoid_device *device, void *self);
/* True if a device may fuse several times of a block. False if planes need finishing before the
 * next time reads them, if the next time reads planes that stand for others, or if a stage takes
 * points in order. A block with sample points never fuses. */
bool zoid_fuses(const struct zoid_op *op, const struct zoid_shape *shape);

/* Cache traffic of a block: reloads into the device's cache after the first load, and the number of
 * rows (in 2-D, points) that a reload covers. */
struct zoid_cache_traffic {
    double again, rows;
};
/* Predicts the cache traffic of a block of that many planes and times, in a wavefront of the depth
 * that minimises it and with all the scratch that this needs. Reads only members of the run that
 * all blocks share. again is INFINITY if no wavefront fits. */
struct zoid_cache_traffic zoid_run_cache_traffic(const struct zoid_block_args *run,
                                                 const struct zoid_device *device, long planes,
                                                 double times);

/* True if a wavefront may store planes of all times in the slabs that blocks of such an operator
 * update, so that the scratch is almost unused. */
bool zoid_run_in_slabs(const struct zoid_op *op);

#ifdef __cplusplus
}
#endif
#endif
