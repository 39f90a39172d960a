/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between main memory and arrays of callers in GPU memory. */
#ifndef ZOID_CODELETS_CUDA_ARRAY_H
#define ZOID_CODELETS_CUDA_ARRAY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of equal size, one in main memory and the other in GPU memory. */
struct zoid_cuda_rows {
    void *to;
    const void *from;
    size_t bytes, rows;      /* size of a row, and number of rows */
    size_t to_row, from_row; /* bytes from a row to the next one; from `bytes` to INT_MAX */
};

/* Weak: NULL in builds without CUDA. Thread-safe; return CUDA's error code. */

/* Waits until all work queued on a GPU so far is complete, and stores in *found the GPU that has
 * `memory`: `device` if it is memory that all have, -1 if it is no GPU's. Fails if there is no such
 * GPU. */
__attribute__((weak)) int zoid_cuda_array_open(int device, const void *memory, int *found);
/* Copies rows, and returns when that is complete. */
__attribute__((weak)) int zoid_cuda_array_copy(int device, const struct zoid_cuda_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
