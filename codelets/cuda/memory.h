/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates and frees GPU memory in microseconds, from a pool per GPU that keeps what the driver
 * allocated once. The driver itself takes a hundred times as long, and synchronizes the GPU. */
#ifndef ZOID_CODELETS_CUDA_MEMORY_H
#define ZOID_CODELETS_CUDA_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Weak: NULL in builds without CUDA. zoid_cuda_take and _give are thread-safe and return CUDA's
 * error code. */

/* Allocates `bytes` on a GPU; the caller frees them with zoid_cuda_give. On failure *memory
 * is NULL. */
__attribute__((weak)) int zoid_cuda_take(int device, size_t bytes, void **memory);
/* Frees memory of zoid_cuda_take; no queued work may use it any more. */
__attribute__((weak)) int zoid_cuda_give(int device, void *memory);
/* Returns all free memory of the pools to the driver. No other thread may use them meanwhile. */
__attribute__((weak)) void zoid_cuda_close_pools(void);

#ifdef __cplusplus
}
#endif

#endif
