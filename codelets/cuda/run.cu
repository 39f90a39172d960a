/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU as a struct zoid_device: sweeps and copies are queued on one stream, in order. */
#include <climits>
#include <cuda_runtime.h>

#include "codelets/cuda/lanes.h"
#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"

namespace
{

struct gpu {
    void *stream;
    zoid_finish finish;
    zoid_cuda_gpu itself;
    zoid_traversal traversal;
    int copies; /* pending, of equal size */
    zoid_copy copy[ZOID_CUDA_COPIES];
};

zoid_cuda_fn *kernel_of(const gpu *g, const zoid_op *op)
{
    if (g->traversal == ZOID_TRAVERSAL_NAIVE)
        return op->kernels->naive;
    return zoid_cuda_one(op, g->traversal, &g->itself) ? op->kernels->one : op->cuda;
}

/* ---- copies: merged, since a launch per field takes longer than its transfer --------------- */

struct range {
    const char *lo, *hi;
};

range range_of(const void *at, const zoid_copy *c, size_t row, size_t plane)
{
    const char *lo = static_cast<const char *>(at);

    return {lo, lo + (c->planes - 1) * plane + (c->rows - 1) * row + c->bytes};
}

bool meet(const range &a, const range &b)
{
    return a.lo < b.hi && b.lo < a.hi;
}

/* Returns true if a copy can join the pending ones: equal size, and independent of their order. */
bool joins(const gpu *g, const zoid_copy *c)
{
    const range to = range_of(c->to, c, c->to_row, c->to_plane);
    const range from = range_of(c->from, c, c->from_row, c->from_plane);

    for (int i = 0; i < g->copies; i++) {
        const zoid_copy *o = &g->copy[i];
        const range others = range_of(o->to, o, o->to_row, o->to_plane);

        if (meet(to, others) || meet(from, others) ||
            meet(to, range_of(o->from, o, o->from_row, o->from_plane)))
            return false;
    }
    return g->copies < ZOID_CUDA_COPIES &&
           (!g->copies || (c->bytes == g->copy->bytes && c->turned == g->copy->turned &&
                           c->rows == g->copy->rows && c->planes == g->copy->planes));
}

/* A single copy uses CUDA's own calls if they can express it; rows of several planes take a
 * launch. */
int copy_one(const zoid_copy *c, cudaStream_t stream)
{
    const size_t most = INT_MAX; /* bytes of a pitch */

    if (c->turned)
        return zoid_cuda_copy_rows(c, 1, stream);
    if (c->rows == 1 && c->planes == 1)
        return cudaMemcpyAsync(c->to, c->from, c->bytes, cudaMemcpyDeviceToDevice, stream);
    if (c->rows > 1 || c->to_plane > most || c->from_plane > most)
        return zoid_cuda_copy_rows(c, 1, stream);
    return cudaMemcpy2DAsync(c->to, c->to_plane, c->from, c->from_plane, c->bytes, c->planes,
                             cudaMemcpyDeviceToDevice, stream);
}

int flush(gpu *g)
{
    const int n = g->copies;

    g->copies = 0;
    if (n > 1)
        return zoid_cuda_copy_rows(g->copy, n, g->stream);
    return n ? copy_one(g->copy, static_cast<cudaStream_t>(g->stream)) : 0;
}

int copy(void *self, const zoid_copy *c)
{
    gpu *g = static_cast<gpu *>(self);

    if (!joins(g, c)) {
        const int error = flush(g);

        if (error)
            return error;
    }
    g->copy[g->copies++] = *c;
    return 0;
}

/* ---- sweeps -----------------------------------------------------------------------------------
 */

int sweep(void *self, const zoid_sweep *given, size_t nout, const zoid_segment *out)
{
    gpu *g = static_cast<gpu *>(self);
    const zoid_cuda_sweep order = {given, nout, out, g->stream};
    int error = flush(g);

    error = error ? error : kernel_of(g, given->op)(&order);
    if (error || !(g->finish.absorbs || g->finish.remembers || g->finish.sponges ||
                   g->finish.holds || g->finish.ghosts || given->sample_points))
        return error;
    return zoid_cuda_finish(&g->finish, &order);
}

bool fits(const zoid_block_args *run)
{
    size_t coefficients = 0;

    for (size_t i = 0; i < run->nparts; i++)
        coefficients += run->part[i].coefficient;
    return zoid_cuda_fits(run->op, zoid_run_whole(run) - coefficients, coefficients) &&
           zoid_layout_plane_bytes(run->layout) / 16 < 1ul << 31;
}

int fusible(void *self, const zoid_block_args *run)
{
    const gpu *g = static_cast<const gpu *>(self);

    return fits(run) ? zoid_cuda_most(run->op, g->traversal, &g->itself) : 1;
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
    gpu *g = static_cast<gpu *>(self);
    const zoid_cuda_levels order = {n, level, g->stream};
    const int error = flush(g);

    return error ? error : level[0].sweep.op->kernels->fused(&order);
}

} // namespace

int zoid_cuda_run(const zoid_block_args *run, long block, void *stream)
{
    /* A launch pays if it has work for the whole GPU: all planes at once, also in place. */
    const zoid_device device = {
        .batch = block, .sweep = sweep, .copy = copy, .fusible = fusible, .fused = fused};
    gpu g = {};
    int error;

    /* A block without times only moves planes. */
    if (zoid_op_in_order(run->op) && run->zoid.t0 < run->zoid.t1)
        return zoid_cuda_lanes(run, stream);
    g.stream = stream;
    g.finish = zoid_finish_of(run->op, run->shape, run->layout);
    g.itself = current_gpu();
    g.traversal = run->traversal;
    error = zoid_run_block(run, &device, &g);
    return error ? error : flush(&g);
}

int zoid_cuda_load(const zoid_op *op)
{
    int error = zoid_op_in_order(op) ? zoid_cuda_load_lanes(op) : op->kernels->load();

    error = error ? error : zoid_cuda_load_absorb();
    error = error ? error : zoid_cuda_load_layer();
    error = error ? error : zoid_cuda_load_finish();
    error = error ? error : zoid_cuda_load_sample_points();
    return error ? error : zoid_cuda_load_copy();
}

const char *zoid_cuda_error(int error)
{
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

zoid_cuda_gpu zoid_cuda_first(void)
{
    return gpu_of(0);
}

bool zoid_cuda_find(int i, char *bus, int room, size_t *bytes)
{
    cudaDeviceProp properties;
    int gpus = 0;

    if (cudaGetDeviceCount(&gpus) || i >= gpus || cudaDeviceGetPCIBusId(bus, room, i) ||
        cudaGetDeviceProperties(&properties, i))
        return false;
    *bytes = properties.totalGlobalMem;
    return true;
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
