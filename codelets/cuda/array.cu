/* SPDX-License-Identifier: BSD-3-Clause */
#include <cuda_runtime.h>

#include "codelets/cuda/array.h"
#include "codelets/cuda/device.cuh"

int zoid_cuda_array_open(int device, const void *memory, int *found)
{
    const at_device here(device);
    cudaPointerAttributes about = {};
    cudaError_t error = here.error;

    if (!error)
        error = cudaDeviceSynchronize();
    if (!error)
        error = cudaPointerGetAttributes(&about, memory);
    *found = about.type == cudaMemoryTypeDevice    ? about.device
             : about.type == cudaMemoryTypeManaged ? device
                                                   : -1;
    return tell(error);
}

/* On a stream of the calling thread, which waits for no kernel of a run. */
int zoid_cuda_array_copy(int device, const zoid_cuda_rows *r)
{
    const at_device here(device);
    cudaError_t error = here.error;

    if (!error)
        error = cudaMemcpy2DAsync(r->to, r->to_row, r->from, r->from_row, r->bytes, r->rows,
                                  cudaMemcpyDefault, cudaStreamPerThread);
    if (!error)
        error = cudaStreamSynchronize(cudaStreamPerThread);
    return tell(error);
}
