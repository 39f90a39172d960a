/* SPDX-License-Identifier: BSD-3-Clause */
/* Runners for the blocks of upwind (upwind.h), which know nothing of sweeps. */
#ifndef ZOID_TESTS_OUTSIDE_RUNNER_H
#define ZOID_TESTS_OUTSIDE_RUNNER_H

#include <zoid/runtime/zoid.h>

/* NULL at the end: one that is slow, one that fits nothing, and one that is fast and fits. */
extern const struct zoid_block_runner *const runners[];
/* How many blocks the last one has run; the others must not run any. */
long runner_blocks(void);

/* The arithmetic of an operator's type, on doubles. */
double fused(const struct zoid_op *op, double a, double b, double c);
double times(const struct zoid_op *op, double a, double b);
double less(const struct zoid_op *op, double a, double b);

#endif
