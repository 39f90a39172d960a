/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU as a device: every sweep and copy goes to one stream, in order. */
#include <climits>
#include <cuda_runtime.h>

#include "codelets/cuda/run.h"

namespace
{

struct gpu {
    void *stream;
    zoid_finish finish;
    zoid_cuda_gpu itself;
    zoid_traversal traversal;
};

zoid_cuda_fn *kernel_of(const gpu *g, const zoid_op *op)
{
    if (g->traversal == ZOID_TRAVERSAL_NAIVE)
        return op->kernels->naive;
    return zoid_cuda_one(op, g->traversal, &g->itself) ? op->kernels->one : op->cuda;
}

int sweep(void *self, const zoid_sweep *given, size_t nout, const zoid_piece *out)
{
    const gpu *g = static_cast<const gpu *>(self);
    const zoid_cuda_sweep order = {given, nout, out, g->stream};
    const int error = kernel_of(g, given->op)(&order);

    if (error || !(g->finish.sponges || g->finish.ghosts))
        return error;
    return zoid_cuda_finish(&g->finish, &order);
}

struct lines {
    char *to;
    const char *from;
    size_t bytes;
    long count;
    size_t to_step, from_step;
};

int copy_lines(const lines &l, cudaStream_t stream)
{
    const size_t most = INT_MAX; /* bytes from one to the next */
    int error = 0;

    if (l.count == 1)
        return cudaMemcpyAsync(l.to, l.from, l.bytes, cudaMemcpyDeviceToDevice, stream);
    if (l.to_step > most || l.from_step > most) {
        for (long i = 0; i < l.count && !error; i++)
            error = cudaMemcpyAsync(l.to + i * l.to_step, l.from + i * l.from_step, l.bytes,
                                    cudaMemcpyDeviceToDevice, stream);
        return error;
    }
    return cudaMemcpy2DAsync(l.to, l.to_step, l.from, l.from_step, l.bytes, l.count,
                             cudaMemcpyDeviceToDevice, stream);
}

int copy(void *self, const zoid_copy *c)
{
    const gpu *g = static_cast<const gpu *>(self);
    const cudaStream_t stream = static_cast<cudaStream_t>(g->stream);
    lines l = {static_cast<char *>(c->to),
               static_cast<const char *>(c->from),
               c->bytes,
               c->planes,
               c->to_plane,
               c->from_plane};
    int error = 0;

    if (c->rows == 1)
        return copy_lines(l, stream);
    l.count = c->rows;
    l.to_step = c->to_row;
    l.from_step = c->from_row;
    for (long i = 0; i < c->planes && !error; i++) {
        error = copy_lines(l, stream);
        l.to += c->to_plane;
        l.from += c->from_plane;
    }
    return error;
}

bool told(const zoid_run *run)
{
    return zoid_cuda_told(run->op, zoid_run_whole(run)) &&
           zoid_layout_plane_bytes(run->layout) / 16 < 1ul << 31;
}

int fusible(void *self, const zoid_run *run)
{
    const gpu *g = static_cast<const gpu *>(self);

    return told(run) ? zoid_cuda_most(run->op, g->traversal, &g->itself) : 1;
}

zoid_cuda_gpu gpu_of(int device)
{
    int processors = 0, shared = 0;

    if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) ||
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device))
        return {};
    return {processors, (size_t)shared};
}

zoid_cuda_gpu current_gpu()
{
    int device = 0;

    return cudaGetDevice(&device) == cudaSuccess ? gpu_of(device) : zoid_cuda_gpu{};
}

int fused(void *self, size_t n, const zoid_fused_level *level)
{
    const gpu *g = static_cast<const gpu *>(self);
    const zoid_cuda_levels order = {n, level, g->stream};

    return level[0].sweep.op->kernels->fused(&order);
}

} // namespace

int zoid_cuda_run(const zoid_run *run, long block, void *stream)
{
    /* A launch pays when it has work for the whole GPU: all planes at once, also in place. */
    const zoid_device device = {
        .batch = block, .sweep = sweep, .copy = copy, .fusible = fusible, .fused = fused};
    gpu g = {stream, zoid_finish_of(run->op, run->shape, run->layout), current_gpu(),
             run->traversal};

    return zoid_run_block(run, &device, &g);
}

int zoid_cuda_load(const zoid_op *op)
{
    const int error = op->kernels->load();

    return error ? error : zoid_cuda_load_finish();
}

const char *zoid_cuda_error(int error)
{
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

zoid_cuda_gpu zoid_cuda_first(void)
{
    return gpu_of(0);
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
