/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MACHINE_CORE_H
#define ZOID_RUNTIME_MACHINE_CORE_H

#include "codelets/device.h"
#include "runtime/zoid.h"

/* A core of this machine as blocks run on it: with its share of the largest cache that it does not
 * share with all others, and of the largest that it shares. */
struct zoid_cpu zoid_machine_core(const struct zoid_machine *machine);

#endif
