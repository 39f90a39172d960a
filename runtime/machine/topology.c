/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/topology.h"

#include <stdlib.h>

enum zoid_status zoid_topology_load(bool devices, hwloc_topology_t *topology)
{
    hwloc_topology_t t;

    /* hwloc, in StarPU as well, would query every possible X display for GPUs, which takes seconds
     * on a host without name resolution. A variable that is set stays. */
    setenv("HWLOC_COMPONENTS", "-gl", 0);
    /* Without /sys hwloc, in StarPU as well, reports that on stderr and asks the processor; but
     * stderr is for one line of this program. Level 2 silences it; hwloc's default, 1, does not. */
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
    if (hwloc_topology_init(&t))
        return zoid_fail(ZOID_RESOURCE, "hwloc cannot start; reinstall libhwloc");
    if (devices)
        hwloc_topology_set_io_types_filter(t, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load(t)) {
        hwloc_topology_destroy(t);
        return zoid_fail(ZOID_RESOURCE,
                         "hwloc cannot read this machine's topology; is /sys there?");
    }
    *topology = t;
    return ZOID_OK;
}
