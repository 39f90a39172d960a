/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_GRAPHS_REACH_H
#define ZOID_GRAPHS_REACH_H

#include "graphs/zoid.h"

/* Largest reach of any stage along an axis: plane p depends on planes [p - lo, p + hi], the sources
 * of mirrored planes included. */
void zoid_axis_reach(const struct zoid_shape *s, int axis, long *lo, long *hi);

#endif
