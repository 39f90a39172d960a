/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/topology.h"

#include <stdlib.h>

enum zoid_status zoid_topology_load(bool devices, hwloc_topology_t *topology)
{
    hwloc_topology_t t;

    /* hwloc, StarPU's too, would ask every X display that might be there for its GPUs; on a host
     * without names that takes seconds. A set variable keeps its meaning. */
    setenv("HWLOC_COMPONENTS", "-gl", 0);
    /* Where /sys is missing hwloc, StarPU's too, says so on stderr, where only our one line
     * belongs, and asks the processor. Level 2 silences that; 1, its own default, does not. */
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
