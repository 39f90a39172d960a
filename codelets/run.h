/* SPDX-License-Identifier: BSD-3-Clause */
/* Running one block: every stage of a clipped zoid, from the data that hold its input planes to
 * the data that want its output planes. One routine serves every method. */
#ifndef ZOID_CODELETS_RUN_H
#define ZOID_CODELETS_RUN_H

#include <stdbool.h>

#include "codelets/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zoid_device; /* codelets/device.h */

/* Runs a block on a device. What could be wrong with the block itself is proved before it runs.
 * Planes move whole; in planes that it computes, a run leaves points outside its box undefined. */
int zoid_run_block(const struct zoid_run *run, const struct zoid_device *device, void *self);
/* Completes the message that the run's first part is with what the others, which are read, have of
 * its planes of t0: what a struct zoid_join says. */
int zoid_run_join(const struct zoid_run *run, const struct zoid_device *device, void *self);
/* Whether a device that can may take several times of a block at once: not where planes must be
 * finished before the next time reads them, the next time reads planes that stand for others, or a
 * stage takes points in order. A block that meets taps takes one time after the other anyway. */
bool zoid_fuses(const struct zoid_op *op, const struct zoid_shape *shape);
/* Planes of a run's box at the busiest time between the first and the last. */
long zoid_run_tallest(const struct zoid_run *run);
/* Planes of scratch that any block of a graph needs whose boxes have at most box_planes planes
 * between their first and last time, on a device of that batch; beside those that the operator's
 * sweeps take for themselves. */
long zoid_scratch_planes(const struct zoid_shape *shape, long box_planes, long batch);

/* How often a block is brought to a device's cache again after the first time, and how many of its
 * rows (in 2-D, points) that goes over. */
struct zoid_brought {
    double again, rows;
};
/* Of a block of so many planes and times, where as many times march together as that is least for,
 * with all of the scratch that they ask for. Of the run only what is the same for all blocks is
 * looked at. */
struct zoid_brought zoid_run_brings(const struct zoid_run *run, const struct zoid_device *device,
                                    long planes, double times);

/* Whether planes of times that march may lie in the slabs that blocks of such an operator update,
 * so that next to nothing of the scratch is used. */
bool zoid_run_in_slabs(const struct zoid_op *op);

#ifdef __cplusplus
}
#endif
#endif
