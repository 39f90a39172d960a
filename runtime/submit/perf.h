/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_SUBMIT_PERF_H
#define ZOID_RUNTIME_SUBMIT_PERF_H

#include <starpu.h>

struct zoid_op;
struct zoid_perf; /* a list of models */

/* The history model of an operator variant, named like it; one more in the list if it is not there
 * yet; NULL when memory is out. Its samples are told apart by how many points and steps a block
 * really computes, so clipped and full blocks on equal handles do not share one. StarPU remembers
 * models until it shuts down: free the list after that. */
struct starpu_perfmodel *zoid_perf_model(struct zoid_perf **list, const struct zoid_op *op);
void zoid_perf_free(struct zoid_perf **list);

#endif
