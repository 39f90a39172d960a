/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs blocks on a core: the core as a device, and its runners. */
#ifndef ZOID_CODELETS_CPU_RUN_H
#define ZOID_CODELETS_CPU_RUN_H

#include "codelets/block/device.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct zoid_device zoid_cpu;
/* zoid_device.batch of a core for blocks of this shape. */
long zoid_cpu_batch(const struct zoid_shape *shape);
/* Runners that every core has, NULL at the end: sweeps, one time after another, then the others. An
 * operator may list more (zoid_op.runner). */
extern const struct zoid_block_runner zoid_cpu_sweeps, zoid_cpu_wavefront, zoid_cpu_untiled;
extern const struct zoid_block_runner *const zoid_cpu_runners[];
/* Runs a block on the calling core, by run->runner or, if NULL, by sweeps. Cannot fail. */
void zoid_cpu_run(const struct zoid_block_args *run, const struct zoid_cpu *cpu);

#ifdef __cplusplus
}
#endif
#endif
