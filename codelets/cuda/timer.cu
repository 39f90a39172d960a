/* SPDX-License-Identifier: BSD-3-Clause */
#include <cuda_runtime.h>

#include "codelets/cuda/timer.h"

namespace
{

int mark(void **event, void *stream)
{
    cudaEvent_t made = nullptr;
    cudaError_t error = cudaEventCreateWithFlags(&made, cudaEventDefault);

    *event = made;
    return error ? error : cudaEventRecord(made, static_cast<cudaStream_t>(stream));
}

void forget(void **event)
{
    if (*event)
        cudaEventDestroy(static_cast<cudaEvent_t>(*event));
    *event = nullptr;
}

} // namespace

int zoid_cuda_timer_begin(zoid_cuda_timer *timer, void *stream)
{
    *timer = {};
    return mark(&timer->begin, stream);
}

int zoid_cuda_timer_end(zoid_cuda_timer *timer, void *stream)
{
    return mark(&timer->end, stream);
}

int zoid_cuda_timer_read(const zoid_cuda_timer *timer, double *seconds)
{
    float ms = 0;
    cudaError_t error = cudaEventElapsedTime(&ms, static_cast<cudaEvent_t>(timer->begin),
                                             static_cast<cudaEvent_t>(timer->end));

    *seconds = 1e-3 * ms;
    return error;
}

void zoid_cuda_timer_close(zoid_cuda_timer *timer)
{
    forget(&timer->begin);
    forget(&timer->end);
}
