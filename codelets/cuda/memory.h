/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a GPU that is taken and given back in microseconds, from a pool that keeps what the
 * driver gave it once: to ask the driver takes a hundred times as long, and waits for all that runs
 * on the GPU. */
#ifndef ZOID_CODELETS_CUDA_MEMORY_H
#define ZOID_CODELETS_CUDA_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Weak: NULL in builds without CUDA. Any thread may call them; those that return one, CUDA's error
 * code. */

/* NULL in *memory, and an error: the GPU has not so much left. */
__attribute__((weak)) int zoid_cuda_take(int device, size_t bytes, void **memory);
/* Nothing that was given to a stream uses it any more. */
__attribute__((weak)) int zoid_cuda_give(int device, void *memory);
/* The driver gets back what nobody has taken. */
__attribute__((weak)) void zoid_cuda_close_pools(void);

#ifdef __cplusplus
}
#endif

#endif
