/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_GRAPHS_REACH_H
#define ZOID_GRAPHS_REACH_H

#include "graphs/zoid.h"

/* Largest reach of any stage along an axis: plane p depends on planes [p - lo, p + hi], the sources
 * of mirrored planes included. */
void zoid_axis_reach(const struct zoid_shape *s, int axis, long *lo, long *hi);

/* Number of planes of a time, below a face that moves down by hi a time, that the blocks above the
 * face read; lo, hi: reach along the chain axis. For the next time, the low plus the high reach; in
 * ascending order the high reach for the next time, and the low reach for the same time. Planes of
 * the time before that are read at the point itself, where the next time is computed. */
long zoid_reach_below(const struct zoid_shape *shape, long lo, long hi);

#endif
