/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks on the CPU, also as on a device that takes several times at once: one level after the
 * other into planes of its own, which hold nothing but what the level before computed. */
#ifndef ZOID_TESTS_CODELETS_FUSED_H
#define ZOID_TESTS_CODELETS_FUSED_H

#include "codelets/device.h"

/* Runs a block on the core, or where `most` is not 0, in launches of up to that many times. Returns
 * how many launches took several. Where a GPU is wanted, see gpu.h, it runs there, and how is up to
 * the GPU. */
int fused_run(const struct zoid_run *run, const struct zoid_cpu *cpu, int most);

#endif
