/* SPDX-License-Identifier: BSD-3-Clause */
/* Scratch memory of GPUs, a buffer for each worker. StarPU's own scratch (STARPU_SCRATCH) would be
 * made for cores that take the same blocks, too. */
#ifndef ZOID_RUNTIME_MEMORY_GPU_SCRATCH_H
#define ZOID_RUNTIME_MEMORY_GPU_SCRATCH_H

#include <starpu.h>

struct zoid_gpu_scratch {
    void *own[STARPU_NMAXWORKERS]; /* by worker; NULL: no buffer */
    size_t bytes;                  /* of each */
};

/* Allocate `bytes` for each of n workers on GPUs. Returns CUDA's error code; give it back after a
 * failure, too. */
int zoid_gpu_scratch_take(struct zoid_gpu_scratch *scratch, const int worker[], int n,
                          size_t bytes);
/* Free all; no block may use it any more. */
void zoid_gpu_scratch_give(struct zoid_gpu_scratch *scratch);

#endif
