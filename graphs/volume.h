/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of points that zoids compute. */
#ifndef ZOID_GRAPHS_VOLUME_H
#define ZOID_GRAPHS_VOLUME_H

#include "graphs/zoid.h"

/* Number of points computed, at t0 + 1 ... t1, inside the region. */
long zoid_volume(const struct zoid *z, const struct zoid *region);
/* Number of points that both zoids compute, over the times they share. */
long zoid_common_volume(const struct zoid *a, const struct zoid *b);

#endif
