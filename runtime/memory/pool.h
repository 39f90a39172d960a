/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for data in the memory of GPUs, which StarPU counts and codelets/cuda/memory.h has. */
#ifndef ZOID_RUNTIME_MEMORY_POOL_H
#define ZOID_RUNTIME_MEMORY_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <starpu.h>

/* Where a datum is at home, as starpu_variable_data_register has it, and how many bytes it has, any
 * number. */
struct zoid_pool_datum {
    int home;
    uintptr_t at;
    size_t bytes;
    bool exact; /* what is freed is free at once, and no room kept for later data of its size */
};
void zoid_pool_register(starpu_data_handle_t *handle, const struct zoid_pool_datum *datum);
/* So much is there on every GPU when it is first asked for, as far as StarPU lets us use it. */
void zoid_pool_make(uint64_t bytes);

#endif
