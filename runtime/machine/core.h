/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MACHINE_CORE_H
#define ZOID_RUNTIME_MACHINE_CORE_H

#include "codelets/block/device.h"
#include "runtime/zoid_advanced.h"

/* Returns a core of this machine as blocks see it: `cache` is its share of the last of the caches
 * that are private or of level 1 or 2, `share` that of the last shared cache. */
struct zoid_cpu zoid_machine_core(const struct zoid_machine *machine);
/* Returns the most cores of a team: those that share the last cache and a memory node. */
int zoid_machine_team(const struct zoid_machine *machine);

#endif
