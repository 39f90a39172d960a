/* SPDX-License-Identifier: BSD-3-Clause */
/* Block runners for upwind (upwind.h) that do not use sweeps. */
#ifndef ZOID_TESTS_OUTSIDE_RUNNER_H
#define ZOID_TESTS_OUTSIDE_RUNNER_H

#include <zoid/zoid_advanced.h>

/* A slow one, one that fits no block, and a fast one that fits; ends with NULL. */
extern const struct zoid_block_runner *const runners[];
/* Number of blocks that the last one has run; the others must not run any. */
long runner_blocks(void);

/* The arithmetic of an operator's type, on doubles. */
double fused(const struct zoid_op *op, double a, double b, double c);
double times(const struct zoid_op *op, double a, double b);
double less(const struct zoid_op *op, double a, double b);

#endif
