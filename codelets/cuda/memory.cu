/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdint>
#include <cuda_runtime.h>
#include <pthread.h>

#include "codelets/cuda/device.cuh"
#include "codelets/cuda/memory.h"

namespace
{

const int MOST = 64; /* devices */

/* Allocations and frees go to one stream, so that memory is reusable as soon as it is freed. */
struct pool {
    cudaMemPool_t memory; /* nullptr: no pool */
    cudaStream_t stream;  /* nullptr: not yet open */
};

pool pools[MOST];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Lets all other GPUs access the pool's memory, for peer copies. */
cudaError_t share(cudaMemPool_t memory, int device)
{
    int devices = 0, reaches = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);

    for (int peer = 0; peer < devices && !error; peer++) {
        cudaMemAccessDesc access = {};

        if (peer == device || cudaDeviceCanAccessPeer(&reaches, peer, device) || !reaches)
            continue;
        access.location.type = cudaMemLocationTypeDevice;
        access.location.id = peer;
        access.flags = cudaMemAccessFlagsProtReadWrite;
        error = cudaMemPoolSetAccess(memory, &access, 1);
    }
    return error;
}

cudaError_t keep(cudaMemPool_t *memory, int device)
{
    uint64_t all = UINT64_MAX;
    int supported = 0;
    cudaError_t error = cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device);

    if (error || !supported)
        return error ? error : cudaErrorNotSupported;
    error = cudaDeviceGetDefaultMemPool(memory, device);
    if (!error)
        error = cudaMemPoolSetAttribute(*memory, cudaMemPoolAttrReleaseThreshold, &all);
    return error ? error : share(*memory, device);
}

/* Without a pool that all GPUs can use, every call goes to the driver. */
cudaError_t open(pool *p, int device)
{
    if (tell(keep(&p->memory, device)))
        p->memory = nullptr;
    return cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking);
}

cudaError_t find(int device, pool **found)
{
    cudaError_t error = cudaSuccess;

    if (device < 0 || device >= MOST)
        return cudaErrorInvalidDevice;
    pthread_mutex_lock(&mutex);
    if (!pools[device].stream)
        error = open(&pools[device], device);
    pthread_mutex_unlock(&mutex);
    *found = &pools[device];
    return error;
}

} // namespace

int zoid_cuda_take(int device, size_t bytes, void **memory)
{
    const at_device here(device);
    pool *p = nullptr;
    cudaError_t error = here.error ? here.error : find(device, &p);

    *memory = nullptr;
    if (!error)
        error = p->memory ? cudaMallocAsync(memory, bytes, p->stream) : cudaMalloc(memory, bytes);
    if (!error)
        error = cudaStreamSynchronize(p->stream);
    return tell(error);
}

int zoid_cuda_give(int device, void *memory)
{
    const at_device here(device);
    pool *p = nullptr;
    cudaError_t error = here.error ? here.error : find(device, &p);

    if (!error)
        error = p->memory ? cudaFreeAsync(memory, p->stream) : cudaFree(memory);
    return tell(error);
}

void zoid_cuda_close_pools(void)
{
    for (int device = 0; device < MOST; device++) {
        pool *p = &pools[device];

        if (!p->stream)
            continue;
        const at_device here(device);

        cudaStreamSynchronize(p->stream);
        if (p->memory)
            cudaMemPoolTrimTo(p->memory, 0);
        cudaStreamDestroy(p->stream);
        *p = {};
    }
}
