/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cpu/run.h"
#include "codelets/cpu/skew.h"

const struct zoid_block_runner *const zoid_cpu_runners[] = {
    &zoid_cpu_sweeps, &zoid_cpu_wavefront, &zoid_cpu_untiled, &zoid_cpu_skewed, NULL};
