/* SPDX-License-Identifier: BSD-3-Clause */
/* A device that takes several times at once, as a GPU does, but on the CPU: one level after the
 * other into planes of its own, which hold nothing but what the level before computed. */
#ifndef ZOID_TESTS_CODELETS_FUSED_H
#define ZOID_TESTS_CODELETS_FUSED_H

#include "codelets/run.h"

/* Runs a block in launches of up to `most` times; returns how many launches took several. */
int fused_run(const struct zoid_run *run, enum zoid_isa isa, int most);

#endif
