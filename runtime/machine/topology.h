/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MACHINE_TOPOLOGY_H
#define ZOID_RUNTIME_MACHINE_TOPOLOGY_H

#include <hwloc.h>

#include "runtime/zoid.h"

/* This machine as hwloc sees it, with what is connected to it or without; the caller destroys it.
 * Also has hwloc say nothing on stderr from now on, where others use it. */
enum zoid_status zoid_topology_load(bool devices, hwloc_topology_t *topology);

#endif
