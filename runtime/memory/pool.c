/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/pool.h"

#include <errno.h>
#include <pthread.h>

#include "codelets/cuda/memory.h"

/* StarPU's vectors with other allocation on GPUs; `exact` is without StarPU's allocation cache. */
static struct starpu_data_interface_ops vectors, exact;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static starpu_ssize_t allocate(void *interface, unsigned node)
{
    struct starpu_vector_interface *v = interface;
    void *memory;

    if (starpu_node_get_kind(node) != STARPU_CUDA_RAM || !zoid_cuda_take)
        return starpu_interface_vector_ops.allocate_data_on_node(interface, node);
    if (starpu_memory_allocate(node, v->allocsize, 0))
        return -ENOMEM;
    if (zoid_cuda_take(starpu_memory_node_get_devid(node), v->allocsize, &memory)) {
        starpu_memory_deallocate(node, v->allocsize);
        return -ENOMEM;
    }
    v->ptr = v->dev_handle = (uintptr_t)memory;
    v->offset = 0;
    return (starpu_ssize_t)v->allocsize;
}

static void release(void *interface, unsigned node)
{
    struct starpu_vector_interface *v = interface;

    if (starpu_node_get_kind(node) != STARPU_CUDA_RAM || !zoid_cuda_give) {
        starpu_interface_vector_ops.free_data_on_node(interface, node);
        return;
    }
    zoid_cuda_give(starpu_memory_node_get_devid(node), (void *)v->dev_handle);
    starpu_memory_deallocate(node, v->allocsize);
    v->ptr = v->dev_handle = 0;
}

static void derive(void)
{
    vectors = starpu_interface_vector_ops;
    vectors.allocate_data_on_node = allocate;
    vectors.free_data_on_node = release;
    exact = vectors;
    exact.dontcache = 1;
}

/* One element: StarPU counts elements in 32 bits, and their bytes in 64. */
void zoid_pool_register(starpu_data_handle_t *handle, const struct zoid_pool_datum *d)
{
    struct starpu_vector_interface vector = {.id = STARPU_VECTOR_INTERFACE_ID,
                                             .ptr = d->at,
                                             .dev_handle = d->at,
                                             .nx = 1,
                                             .elemsize = d->bytes,
                                             .allocsize = d->bytes};

    pthread_once(&once, derive);
    starpu_data_register(handle, d->home, &vector, d->exact ? &exact : &vectors);
}

void zoid_pool_make(uint64_t bytes)
{
    void *memory;

    for (unsigned node = 0; node < starpu_memory_nodes_get_count() && zoid_cuda_take; node++) {
        const int gpu = starpu_memory_node_get_devid(node);
        uint64_t left;

        if (starpu_node_get_kind(node) != STARPU_CUDA_RAM)
            continue;
        left = (uint64_t)starpu_memory_get_available(node);
        if (!zoid_cuda_take(gpu, bytes < left ? bytes : left, &memory))
            zoid_cuda_give(gpu, memory);
    }
}
