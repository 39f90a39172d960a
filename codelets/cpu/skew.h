/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_CODELETS_CPU_SKEW_H
#define ZOID_CODELETS_CPU_SKEW_H

#include "codelets/block.h"

/* Runner of blocks of any operator in order by pipelined sweeps in SIMD lanes. */
extern const struct zoid_block_runner zoid_cpu_skewed;
/* Returns the points of an operator that it computes in a step; 1: it does not run the operator. */
int zoid_skewed_lanes(const struct zoid_op *op);

#endif
