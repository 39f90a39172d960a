/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores of a host, and which of them a process may use. */
#ifndef ZOID_RUNTIME_RANKS_CORES_H
#define ZOID_RUNTIME_RANKS_CORES_H

#include <hwloc.h>
#include <stdbool.h>

#include "runtime/zoid.h"

/* Return the processors that this process may use: those that it is bound to, or, if its launcher
 * bound it by default, those of the launcher. The caller frees the bitmap; NULL: out of memory. */
hwloc_bitmap_t zoid_cores_allowed(hwloc_topology_t topology);
/* Select cores i ... i + n - 1 of a set, in logical order: adjacent indices are neighbours. */
void zoid_cores_pick(hwloc_topology_t topology, hwloc_const_bitmap_t set, int i, int n,
                     hwloc_bitmap_t picked);
/* Return the number of cores of which the set has at least one processor. */
int zoid_cores_count(hwloc_topology_t topology, hwloc_const_bitmap_t set);
/* Return the logical index of the set's first core. */
int zoid_cores_first(hwloc_topology_t topology, hwloc_const_bitmap_t set);
/* Return whether the user has StarPU leave workers unbound. */
bool zoid_cores_unbound(void);
/* Return the CPU time, in cores, that a control group grants to all its processes, by the files
 * under `root`; INT_MAX: no limit. */
int zoid_cores_quota(const char *root, const char *group);
/* Return the same for this process. */
int zoid_cores_quota_here(void);

#endif
