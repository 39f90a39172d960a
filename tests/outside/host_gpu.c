/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of codelets/cuda/, on a core: each has done its work when it returns. Blocks run as
 * on a GPU without fused launches, in the scratch that they get; those in order, and those of band
 * matrices, run as on a core, in scratch of their own, as the kernels in their place lay theirs out
 * in another way. */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codelets/band/cuda.h"
#include "codelets/block/scratch.h"
#include "codelets/cpu/run.h"
#include "codelets/cuda/array.h"
#include "codelets/cuda/memory.h"
#include "codelets/cuda/run.h"
#include "codelets/cuda/timer.h"
#include "codelets/mlsor/cuda.h"
#include "codelets/op/traits.h"
#include "codelets/ops/lists.h"
#include "runtime/plan/alias.h"
#include "tests/outside/host_gpu.h"

/* ---- kernels, never launched --------------------------------------------------------------- */

static int nothing(void)
{
    return cudaSuccess;
}

static int never(const struct zoid_cuda_sweep *sweep)
{
    (void)sweep;
    return cudaErrorNotSupported;
}

#define KERNELS                                    \
    {                                              \
        .most = 1, .naive = never, .load = nothing \
    }

/* clang-format off */
#undef ZOID_FILL
#define ZOID_FILL(...)
#undef ZOID_STABILITY
#define ZOID_STABILITY(...)
#define ZOID_VARIANT(variant, ...)                                                                 \
    zoid_cuda_fn zoid_cuda_##variant;                                                              \
    int zoid_cuda_##variant(const struct zoid_cuda_sweep *sweep) { return never(sweep); }          \
    extern const struct zoid_cuda_kernels zoid_kernels_##variant;                                  \
    const struct zoid_cuda_kernels zoid_kernels_##variant = KERNELS;
#include ZOID_ROWS
#undef ZOID_VARIANT
/* clang-format on */

const struct zoid_cuda_kernels zoid_cuda_mlsor_kernels = KERNELS;

int zoid_cuda_mlsor(const struct zoid_cuda_sweep *sweep)
{
    return never(sweep);
}

int zoid_cuda_band(const struct zoid_cuda_sweep *sweep)
{
    return never(sweep);
}

struct zoid_cuda_kernels zoid_cuda_band_kernels(const struct zoid_band *band)
{
    (void)band;
    return zoid_cuda_mlsor_kernels;
}

int zoid_cuda_load(const struct zoid_op *op)
{
    return op->kernels->load();
}

/* ---- blocks -------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* True if all that a block accesses is in the memory of the current GPU. */
static bool is_near(const struct zoid_block_args *run)
{
    int device;

    cudaGetDevice(&device);
    for (size_t i = 0; i < run->nparts; i++)
        if (run->part[i].capacity > 0 && host_memory_owner(run->part[i].base) != device)
            return false;
    return !run->scratch || host_memory_owner(run->scratch) == device;
}

static int run_on_core(const struct zoid_block_args *given)
{
    const struct zoid_op *op = given->op;
    const struct zoid_cpu cpu = {.isa = zoid_isa_best(), .cache = 1 << 18};
    const long max_planes = zoid_block_max_planes(given);
    long planes = zoid_scratch_planes(given->shape, max_planes, zoid_cpu_batch(given->shape)) +
                  zoid_scratch_spare(op, given->shape);
    struct zoid_block_args run = *given;
    size_t bytes;

    run.runner = op->runner && !zoid_op_in_order(op) ? op->runner[0] : NULL;
    run.traversal = ZOID_TRAVERSAL_STEP;
    if (run.runner)
        planes = run.runner->scratch(op, run.shape, max_planes);
    bytes = (size_t)(planes * op->nstate) * zoid_layout_plane_bytes(run.layout);
    run.scratch = aligned_alloc(ZOID_LINE, (bytes + ZOID_LINE) / ZOID_LINE * ZOID_LINE);
    if (!run.scratch)
        return cudaErrorMemoryAllocation;
    memset(run.scratch, 0xff, bytes);
    zoid_cpu_run(&run, &cpu);
    free(run.scratch);
    return cudaSuccess;
}

int zoid_cuda_run(const struct zoid_block_args *run, long block, void *stream)
{
    const struct zoid_device device = {
        .batch = block, .sweep = zoid_cpu.sweep, .copy = zoid_cpu.copy};
    const char *wanted = getenv("HOST_TRAVERSAL");
    const double start = now();
    enum zoid_isa isa = zoid_isa_best();
    int error;

    if (!is_near(run))
        return cudaErrorIllegalAddress;
    if (wanted && strcmp(zoid_traversal_name(run->traversal), wanted) != 0)
        return cudaErrorInvalidValue;
    error = run->op->runner || zoid_op_in_order(run->op) ? run_on_core(run)
                                                         : zoid_run_block(run, &device, &isa);
    host_gpu_worked(stream, now() - start);
    return error;
}

const char *zoid_cuda_error(int error)
{
    return error == cudaErrorIllegalAddress ? "a block's data are in other memory than its GPU's"
                                            : cudaGetErrorString((cudaError_t)error);
}

/* ---- GPUs, streams, memory, time ----------------------------------------------------------- */

struct zoid_cuda_gpu zoid_cuda_first(void)
{
    int processors = 0, shared = 0;

    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    return (struct zoid_cuda_gpu){processors, (size_t)shared};
}

bool zoid_cuda_find(int i, char *bus, int room, size_t *bytes)
{
    struct cudaDeviceProp properties;
    int gpus = 0;

    if (cudaGetDeviceCount(&gpus) || i >= gpus || cudaDeviceGetPCIBusId(bus, room, i) ||
        cudaGetDeviceProperties(&properties, i))
        return false;
    *bytes = properties.totalGlobalMem;
    return true;
}

int zoid_cuda_stream_create(void **stream)
{
    return cudaStreamCreateWithFlags((cudaStream_t *)stream, cudaStreamNonBlocking);
}

void zoid_cuda_stream_destroy(void **stream)
{
    if (*stream)
        cudaStreamDestroy(*stream);
    *stream = NULL;
}

int zoid_cuda_stream_wait(void *stream)
{
    return cudaStreamSynchronize(stream);
}

int zoid_cuda_copy(void *to, const void *from, size_t bytes, void *stream)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}

int zoid_cuda_take(int device, size_t bytes, void **memory)
{
    return host_memory_take(device, bytes, memory) ? cudaSuccess : cudaErrorMemoryAllocation;
}

int zoid_cuda_give(int device, void *memory)
{
    return host_memory_owner(memory) == device && host_memory_give(memory) ? cudaSuccess
                                                                           : cudaErrorInvalidValue;
}

void zoid_cuda_close_pools(void)
{
}

int zoid_cuda_array_open(int device, const void *memory, int *found)
{
    (void)device;
    *found = host_memory_owner(memory);
    return cudaSuccess;
}

int zoid_cuda_array_copy(int device, const struct zoid_cuda_rows *r)
{
    (void)device;
    return cudaMemcpy2D(r->to, r->to_row, r->from, r->from_row, r->bytes, r->rows,
                        cudaMemcpyDefault);
}

static int mark(void **event, void *stream)
{
    const int error = cudaEventCreateWithFlags((cudaEvent_t *)event, cudaEventDefault);

    return error ? error : (int)cudaEventRecord(*event, stream);
}

int zoid_cuda_timer_begin(struct zoid_cuda_timer *timer, void *stream)
{
    *timer = (struct zoid_cuda_timer){NULL, NULL};
    return mark(&timer->begin, stream);
}

int zoid_cuda_timer_end(struct zoid_cuda_timer *timer, void *stream)
{
    return mark(&timer->end, stream);
}

int zoid_cuda_timer_read(const struct zoid_cuda_timer *timer, double *seconds)
{
    float ms = 0;
    const int error = cudaEventElapsedTime(&ms, timer->begin, timer->end);

    *seconds = 1e-3 * ms;
    return error;
}

void zoid_cuda_timer_close(struct zoid_cuda_timer *timer)
{
    cudaEventDestroy(timer->begin);
    cudaEventDestroy(timer->end);
    *timer = (struct zoid_cuda_timer){NULL, NULL};
}
