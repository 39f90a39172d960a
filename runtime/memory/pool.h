/* SPDX-License-Identifier: BSD-3-Clause */
/* Data in GPU memory: the pool of codelets/cuda/memory.h allocates it, StarPU counts it. */
#ifndef ZOID_RUNTIME_MEMORY_POOL_H
#define ZOID_RUNTIME_MEMORY_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <starpu.h>

/* Home of a datum, as in starpu_variable_data_register, and its size in bytes, of any magnitude. */
struct zoid_pool_datum {
    int home;
    uintptr_t at;
    size_t bytes;
    /* Without an allocation cache: freed memory is free at once, and not kept for data of its
     * size. */
    bool exact;
};
void zoid_pool_register(starpu_data_handle_t *handle, const struct zoid_pool_datum *datum);
/* Grow the pool of every GPU to `bytes` in advance, or to the part that StarPU still has
 * available. */
void zoid_pool_make(uint64_t bytes);

#endif
