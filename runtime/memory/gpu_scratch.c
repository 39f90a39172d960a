/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/gpu_scratch.h"

#include "codelets/cuda/memory.h"

static int device_of(int worker)
{
    return starpu_memory_node_get_devid(starpu_worker_get_memory_node((unsigned)worker));
}

int zoid_gpu_scratch_take(struct zoid_gpu_scratch *s, const int worker[], int n, size_t bytes)
{
    int error = 0;

    s->bytes = bytes;
    for (int i = 0; i < n && bytes && zoid_cuda_take && !error; i++) {
        error = zoid_cuda_take(device_of(worker[i]), bytes, &s->own[worker[i]]);
        /* Of what StarPU may fill with data. */
        if (!error)
            starpu_memory_allocate(starpu_worker_get_memory_node((unsigned)worker[i]), bytes,
                                   STARPU_MEMORY_OVERFLOW);
    }
    return error;
}

void zoid_gpu_scratch_give(struct zoid_gpu_scratch *s)
{
    for (int i = 0; i < STARPU_NMAXWORKERS; i++)
        if (s->own[i]) {
            zoid_cuda_give(device_of(i), s->own[i]);
            starpu_memory_deallocate(starpu_worker_get_memory_node((unsigned)i), s->bytes);
        }
    *s = (struct zoid_gpu_scratch){.bytes = 0};
}
