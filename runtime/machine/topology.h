/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MACHINE_TOPOLOGY_H
#define ZOID_RUNTIME_MACHINE_TOPOLOGY_H

#include <hwloc.h>
#include <stdbool.h>

#include "runtime/zoid.h"

/* Loads this machine's hwloc topology, with I/O devices if `devices`. The caller destroys it with
 * hwloc_topology_destroy. Also sets HWLOC_COMPONENTS and HWLOC_HIDE_ERRORS if unset, for the whole
 * process: hwloc then queries no GL devices and writes no messages to stderr. ZOID_RESOURCE: hwloc
 * fails. */
enum zoid_status zoid_topology_load(bool devices, hwloc_topology_t *topology);

#endif
