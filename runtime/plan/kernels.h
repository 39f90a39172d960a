/* SPDX-License-Identifier: BSD-3-Clause */
/* GPU kernels of the operators in ops.def, by their numbers alone: for plans of runs on GPUs in
 * builds that have no code for them. */
#ifndef ZOID_RUNTIME_PLAN_KERNELS_H
#define ZOID_RUNTIME_PLAN_KERNELS_H

#include <stdio.h>

#include "codelets/cuda/run.h"

/* Return a static copy of the operator with the numbers of its kernels, which cannot be launched;
 * or the operator itself, if it has kernels or is in no row of codelets/cuda/kernels.def. */
const struct zoid_op *zoid_kernels_with(const struct zoid_op *op);
/* Print rows of kernels.def: those of this build's kernels, or without CUDA those of the file. */
void zoid_kernels_print(FILE *out);

#endif
