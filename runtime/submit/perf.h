/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_SUBMIT_PERF_H
#define ZOID_RUNTIME_SUBMIT_PERF_H

#include <starpu.h>

struct zoid_op;

/* StarPU's history-based performance model of an operator variant, with its name; NULL: out of
 * memory. Samples are keyed by the numbers of points and steps that a block really computes, so
 * that clipped and full blocks with equal handles are kept apart. StarPU uses models until it shuts
 * down: call zoid_perf_free after that. */
struct starpu_perfmodel *zoid_perf_model(const struct zoid_op *op);
/* The model of blocks that any worker takes, by the costs of their work's dealer; NULL: out of
 * memory. */
struct starpu_perfmodel *zoid_perf_dealt(void);
void zoid_perf_free(void);

#endif
