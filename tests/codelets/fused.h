/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks on the CPU, also as on a device that takes several times at once: one level after the
 * other into planes of its own, which hold nothing but what the level before computed; and with
 * times that march, a few planes at a time. */
#ifndef ZOID_TESTS_CODELETS_FUSED_H
#define ZOID_TESTS_CODELETS_FUSED_H

#include "codelets/device.h"

/* How a block was run. */
struct fused_seen {
    int launches; /* that took several times */
    int back;     /* how often a time went on after one that is later */
    int in_slab;  /* sweeps between the first and the last times into a slab that is updated */
};

/* Runs a block on the core, or where `most` is above 0, in launches of up to that many times, or
 * where it is below, up to -most times march. Where a GPU is wanted, see gpu.h, it runs there, and
 * how is up to the GPU. */
struct fused_seen fused_run(const struct zoid_run *run, const struct zoid_cpu *cpu, int most);

#endif
