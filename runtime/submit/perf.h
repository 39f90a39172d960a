/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_SUBMIT_PERF_H
#define ZOID_RUNTIME_SUBMIT_PERF_H

#include <starpu.h>

struct zoid_op;

/* The history model of an operator variant, named like it; NULL when memory is out. Its samples are
 * told apart by how many points and steps a block really computes, so clipped and full blocks on
 * equal handles do not share one. StarPU remembers models until it shuts down: free them all after
 * that. */
struct starpu_perfmodel *zoid_perf_model(const struct zoid_op *op);
void zoid_perf_free(void);

#endif
