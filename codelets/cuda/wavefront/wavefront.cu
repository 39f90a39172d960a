/* SPDX-License-Identifier: BSD-3-Clause */
/* SOR by tiles in wavefronts, as a loop nest is tiled for GPUs (Di 2013, Fig. 3.17), for any number
 * of axes and any rows: one cooperative launch; a grid barrier ends an inter-tile wavefront, a
 * barrier of the block an intra-tile wavefront, and a tile is in shared memory with its halo.
 *
 * Tiles are dealt to multiprocessors: a block's number is that of its rank among the blocks of its
 * multiprocessor, so that no multiprocessor has a second tile while another one has no first. */
#include "codelets/cuda/wavefront/wavefront.cuh"

#include <algorithm>
#include <climits>
#include <cstring>

#include "codelets/cuda/device.cuh"
#include "codelets/wavefront/cuda.h"

namespace
{

/* ---- launches ------------------------------------------------------------------------------- */

template <class T, bool BALANCED> const void *kernel_for(int axes)
{
    return axes == 1   ? reinterpret_cast<const void *>(sweep<T, 1, BALANCED>)
           : axes == 2 ? reinterpret_cast<const void *>(sweep<T, 2, BALANCED>)
                       : reinterpret_cast<const void *>(sweep<T, 3, BALANCED>);
}

const void *kernel_of(const zoid_wavefront_run *run)
{
    const int axes = run->w->nest.axes;

    if (run->type == ZOID_F32)
        return run->w->balanced ? kernel_for<float, true>(axes) : kernel_for<float, false>(axes);
    return run->w->balanced ? kernel_for<double, true>(axes) : kernel_for<double, false>(axes);
}

/* Sets the box of a tile, and the offsets in it; returns its points. Neighbours along q_m are in
 * different banks where a row of one more value makes it so. */
double lay_out(const zoid_wavefront *w, order *o)
{
    const int axes = w->nest.axes;
    double size = 1;

    for (int pad = 0; pad < 2; pad++) {
        long stride = 1;

        size = 1;
        for (int a = axes - 1; a >= 0; a--) {
            o->extent[a] = (int)std::min(zoid_wavefront_extent(w, a), 1l << 24);
            o->box[a] = (int)std::min(stride, 1l << 24);
            stride *= o->extent[a] + (a == axes - 1 ? pad : 0);
            stride = std::min(stride, 1l << 30);
            size *= o->extent[a] + (a == axes - 1 ? pad : 0);
        }
        o->base = 0;
        memset(o->at, 0, sizeof o->at);
        for (int a = 0; a < axes; a++) {
            o->base += (int)(o->box[a] * (1 - w->before[1 + a]));
            for (int k = 0; k < w->rows; k++)
                o->at[k] += o->box[a] * o->go.by[1 + a][k];
        }
        if (o->at[w->rows - 1] % 2)
            break;
    }
    return size;
}

/* Bytes of shared memory of a tile, besides the kernel's own. */
size_t shared_of(const zoid_wavefront_run *run, order *o)
{
    o->go = zoid_wavefront_steps_of(run->w);
    return (size_t)std::min(lay_out(run->w, o) * (double)zoid_type_size(run->type), 1e9);
}

order order_of(const zoid_wavefront_run *run, size_t *shared)
{
    const zoid_wavefront *w = run->w;
    order o = {};
    long stride = 1;

    *shared = shared_of(run, &o);
    o.omega = run->omega;
    o.steps = (int)w->nest.steps;
    o.waves = (int)zoid_wavefront_waves(w);
    for (int a = w->nest.axes - 1; a >= 0; a--) {
        o.n[a] = (int)w->n[a];
        o.stride[a] = stride;
        stride *= w->n[a];
    }
    for (int i = 0; i < w->rows; i++) {
        o.tile[i] = w->tile[i];
        o.before[i] = (int)w->before[i];
        o.after[i] = (int)w->after[i];
    }
    memcpy(o.inverse, w->inverse, sizeof o.inverse);
    memcpy(o.phi, w->nest.shape.phi, sizeof o.phi);
    o.nwaves = (int)run->list->nwaves;
    o.nrows = (int)run->list->nrows;
    o.nbounds = w->waves.n;
    o.repeat = run->repeat;
    return o;
}

struct buffer {
    void *memory;
    size_t bytes;
};

} // namespace

struct zoid_wavefront_gpu {
    buffer values, lists;
    int *ranks;
    cudaEvent_t begin, end;
    int processors;
};

namespace
{

cudaError_t reserve(buffer *b, size_t bytes)
{
    if (bytes <= b->bytes)
        return cudaSuccess;
    cudaFree(b->memory);
    *b = {};
    const cudaError_t error = cudaMalloc(&b->memory, bytes);

    b->bytes = error ? 0 : bytes;
    return error;
}

/* Copies wavefronts, rows and bounds. */
cudaError_t copy_lists(zoid_wavefront_gpu *gpu, const zoid_wavefront_run *run, order *o)
{
    const zoid_wavefront_list *list = run->list;
    const zoid_wavefront_bounds *bounds = &run->w->waves;
    const size_t size[] = {bounds->n * sizeof *bounds->bound, list->nwaves * sizeof *list->wave,
                           list->nrows * sizeof *list->row};
    const void *const from[] = {bounds->bound, list->wave, list->row};
    cudaError_t error = reserve(&gpu->lists, size[0] + size[1] + size[2] + 1);
    char *to = static_cast<char *>(gpu->lists.memory);

    o->bound = reinterpret_cast<zoid_wavefront_bound *>(to);
    o->wave = reinterpret_cast<zoid_wavefront_wave *>(to + size[0]);
    o->row = reinterpret_cast<zoid_wavefront_row *>(to + size[0] + size[1]);
    for (int i = 0; i < 3 && !error; to += size[i++])
        if (size[i])
            error = cudaMemcpy(to, from[i], size[i], cudaMemcpyHostToDevice);
    return error;
}

/* Launches a kernel whose blocks all are resident, and stores the seconds. */
cudaError_t launch(zoid_wavefront_gpu *gpu, const void *kernel, const zoid_wavefront_run *run,
                   size_t shared, void **arguments, double *seconds)
{
    const dim3 threads(run->threads[0], run->threads[1], run->threads[2]);
    const dim3 blocks((unsigned)(gpu->processors * run->resident));
    float ms = 0;
    cudaError_t error = cudaMemset(gpu->ranks, 0, PROCESSORS * sizeof *gpu->ranks);

    if (!error)
        error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    if (!error)
        error = cudaEventRecord(gpu->begin);
    if (!error)
        error = cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments, shared, nullptr);
    if (!error)
        error = cudaEventRecord(gpu->end);
    if (!error)
        error = cudaEventSynchronize(gpu->end);
    if (!error)
        error = cudaEventElapsedTime(&ms, gpu->begin, gpu->end);
    *seconds = 1e-3 * ms;
    return error;
}

/* Stores the most resident blocks of a kernel; 0: it cannot be launched so. */
cudaError_t resident(const zoid_wavefront_run *run, size_t shared, int *blocks)
{
    const void *const kernel = kernel_of(run);
    const long threads = (long)run->threads[0] * run->threads[1] * run->threads[2];
    cudaFuncAttributes facts;
    int most = 0, device = 0;
    bool beyond = false; /* two threads would compute the same points */
    cudaError_t error = cudaGetDevice(&device);

    *blocks = 0;
    if (!error)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (!error)
        error = cudaFuncGetAttributes(&facts, kernel);
    for (int a = run->w->nest.axes; a < ZOID_AXES; a++)
        beyond |= run->threads[a] != 1;
    if (error || beyond || run->threads[0] % WARP || threads > 1024 ||
        shared + facts.sharedSizeBytes > (size_t)most)
        return error;
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    if (!error)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, (int)threads, shared);
    return error;
}

} // namespace

int zoid_wavefront_gpu_open(size_t bytes, zoid_wavefront_gpu **gpu, zoid_wavefront_gpu_facts *facts)
{
    zoid_wavefront_gpu *g = new zoid_wavefront_gpu();
    cudaDeviceProp properties;
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);

    *gpu = g;
    *facts = {};
    if (!error)
        error = cudaGetDeviceProperties(&properties, device);
    if (!error)
        error = reserve(&g->values, bytes ? bytes : 1);
    if (!error)
        error = cudaMalloc(&g->ranks, PROCESSORS * sizeof *g->ranks);
    if (!error)
        error = cudaEventCreate(&g->begin);
    if (!error)
        error = cudaEventCreate(&g->end);
    if (error)
        return tell(error);
    g->processors = properties.multiProcessorCount;
    memcpy(facts->name, properties.name, sizeof facts->name - 1);
    facts->processors = g->processors;
    facts->shared = properties.sharedMemPerMultiprocessor;
    facts->block = properties.sharedMemPerBlockOptin;
    return cudaSuccess;
}

void zoid_wavefront_gpu_close(zoid_wavefront_gpu **gpu)
{
    zoid_wavefront_gpu *g = *gpu;

    *gpu = nullptr;
    if (!g)
        return;
    cudaFree(g->values.memory);
    cudaFree(g->lists.memory);
    cudaFree(g->ranks);
    if (g->begin)
        cudaEventDestroy(g->begin);
    if (g->end)
        cudaEventDestroy(g->end);
    tell(cudaGetLastError());
    delete g;
}

int zoid_wavefront_gpu_put(zoid_wavefront_gpu *gpu, const void *values, size_t bytes)
{
    if (bytes > gpu->values.bytes)
        return cudaErrorInvalidValue;
    return tell(cudaMemcpy(gpu->values.memory, values, bytes, cudaMemcpyHostToDevice));
}

int zoid_wavefront_gpu_get(zoid_wavefront_gpu *gpu, void *values, size_t bytes)
{
    if (bytes > gpu->values.bytes)
        return cudaErrorInvalidValue;
    return tell(cudaMemcpy(values, gpu->values.memory, bytes, cudaMemcpyDeviceToHost));
}

int zoid_wavefront_gpu_resident(const zoid_wavefront_run *run, int *blocks)
{
    order o = {};

    return tell(resident(run, shared_of(run, &o), blocks));
}

int zoid_wavefront_gpu_run(zoid_wavefront_gpu *gpu, const zoid_wavefront_run *run, double *seconds)
{
    const zoid_wavefront *w = run->w;
    size_t shared;
    order o = order_of(run, &shared);
    int blocks = 0;
    void *arguments[] = {&o};
    cudaError_t error = resident(run, shared, &blocks);

    *seconds = 0;
    if (!error && (blocks < run->resident || run->list->nrows > INT_MAX - 1))
        error = cudaErrorCooperativeLaunchTooLarge;
    if (!error && (double)w->nest.n[0] * (double)w->nest.n[1] * (double)w->nest.n[2] *
                          (double)zoid_type_size(run->type) >
                      (double)gpu->values.bytes)
        error = cudaErrorInvalidValue;
    if (!error)
        error = copy_lists(gpu, run, &o);
    if (error)
        return tell(error);
    o.values = gpu->values.memory;
    o.ranks = gpu->ranks;
    return tell(launch(gpu, kernel_of(run), run, shared, arguments, seconds));
}

int zoid_wavefront_gpu_term(zoid_wavefront_gpu *gpu, const zoid_wavefront_run *run,
                            zoid_wavefront_term term, double *seconds)
{
    long repeat = run->repeat;
    order o = {};
    void *barriers[] = {&repeat}, *nothing[] = {&o};
    const void *const kernel = term == ZOID_WAVEFRONT_BLOCKS
                                   ? reinterpret_cast<const void *>(grid_barriers)
                                   : reinterpret_cast<const void *>(block_barriers);

    o.ranks = gpu->ranks;
    if (term == ZOID_WAVEFRONT_LAUNCH)
        return tell(launch(gpu, reinterpret_cast<const void *>(sweep<float, 1, false>), run, 0,
                           nothing, seconds));
    return tell(launch(gpu, kernel, run, 0, barriers, seconds));
}
