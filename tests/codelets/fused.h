/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs blocks on the CPU, optionally as a device does that fuses several steps: level by level into
 * buffers of their own, which hold only the previous level's results; or as a wavefront of
 * pipelined steps, a few planes at a time. */
#ifndef ZOID_TESTS_CODELETS_FUSED_H
#define ZOID_TESTS_CODELETS_FUSED_H

#include "codelets/block/device.h"

/* Counters of how a block was run. */
struct fused_seen {
    int launches; /* with several steps each */
    int back;     /* times that a step continued after a later one */
    int in_slab;  /* sweeps of intermediate steps into a slab that is updated in place */
};

/* Runs a block on a core: plainly if `most` is 0; in launches of up to `most` fused steps if it is
 * positive; as a wavefront of up to -most pipelined steps if it is negative, or of as many as suit
 * the run's team, if it has one. If a GPU is wanted
 * (gpu.h), runs it there, in the GPU's own way. */
struct fused_seen fused_run(const struct zoid_block_args *run, const struct zoid_cpu *cpu,
                            int most);

#endif
