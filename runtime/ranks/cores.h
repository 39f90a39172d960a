/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cores of a host are whose. */
#ifndef ZOID_RUNTIME_RANKS_CORES_H
#define ZOID_RUNTIME_RANKS_CORES_H

#include <hwloc.h>

#include "runtime/zoid.h"

/* Processors that this process may use: those that it is bound to; where its launcher bound it, and
 * nobody had asked for that, those that the launcher may use. The caller frees them; NULL: out of
 * memory. */
hwloc_bitmap_t zoid_cores_allowed(hwloc_topology_t topology);
/* Of a set, those of core i and the next n - 1, counted as they lie: neighbours follow each other.
 */
void zoid_cores_pick(hwloc_topology_t topology, hwloc_const_bitmap_t set, int i, int n,
                     hwloc_bitmap_t picked);
/* Cores of which the set has at least one processor. */
int zoid_cores_count(hwloc_topology_t topology, hwloc_const_bitmap_t set);
/* The number of the set's first core, as they lie. */
int zoid_cores_first(hwloc_topology_t topology, hwloc_const_bitmap_t set);
/* How many cores' time a control group of that name lets its processes take together, by the files
 * under `root`; INT_MAX: any. */
int zoid_cores_quota(const char *root, const char *group);
/* The same for this process. */
int zoid_cores_quota_here(void);

#endif
