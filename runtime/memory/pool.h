/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for data in the memory of GPUs, which StarPU counts and codelets/cuda/memory.h has. */
#ifndef ZOID_RUNTIME_MEMORY_POOL_H
#define ZOID_RUNTIME_MEMORY_POOL_H

#include <stddef.h>
#include <stdint.h>

#include <starpu.h>

/* Registers a datum of any number of bytes, as starpu_variable_data_register does. */
void zoid_pool_register(starpu_data_handle_t *handle, int home, uintptr_t at, size_t bytes);
/* So much is there on every GPU when it is first asked for, as far as StarPU lets us use it. */
void zoid_pool_make(uint64_t bytes);

#endif
