/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU as a device: every sweep and copy goes to one stream, in order. */
#include <cuda_runtime.h>

#include "codelets/cuda/run.h"

static int sweep(void *stream, const struct zoid_sweep *given, size_t nout,
                 const struct zoid_piece *out)
{
    struct zoid_cuda_sweep order = {};

    order.sweep = given;
    order.nout = nout;
    order.out = out;
    order.stream = stream;
    return given->op->cuda(&order);
}

static int copy(void *stream, void *to, const void *from, size_t bytes)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice,
                           static_cast<cudaStream_t>(stream));
}

int zoid_cuda_run(const struct zoid_run *run, long block, void *stream)
{
    /* A launch pays when it has work for the whole GPU: all planes at once, also in place. */
    const struct zoid_device gpu = {block, 0, sweep, copy, nullptr, nullptr};

    return zoid_run_block(run, &gpu, stream);
}

const char *zoid_cuda_error(int error)
{
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

int zoid_cuda_stream_create(void **stream)
{
    cudaStream_t made = nullptr;
    cudaError_t error = cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);

    *stream = made;
    return error;
}

void zoid_cuda_stream_destroy(void **stream)
{
    if (*stream)
        cudaStreamDestroy(static_cast<cudaStream_t>(*stream));
    *stream = nullptr;
}

int zoid_cuda_stream_wait(void *stream)
{
    return cudaStreamSynchronize(static_cast<cudaStream_t>(stream));
}

int zoid_cuda_copy(void *to, const void *from, size_t bytes, void *stream)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream));
}
