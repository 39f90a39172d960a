/* SPDX-License-Identifier: BSD-3-Clause */
/* SOR by tiles in wavefronts, as a loop nest is tiled for GPUs (Di 2013, Fig. 3.17), for any number
 * of axes and any rows: one cooperative launch; a grid barrier ends an inter-tile wavefront, a
 * barrier of the block an intra-tile wavefront, and a tile is in shared memory with its halo.
 *
 * Tiles are dealt to multiprocessors: a block's number is that of its rank among the blocks of its
 * multiprocessor, so that two blocks of one have no tiles while another one has none. */
#include <cooperative_groups.h>

#include <algorithm>
#include <cstring>

#include "codelets/cuda/device.cuh"
#include "codelets/wavefront/cuda.h"
#include "codelets/wavefront/steps.h"
#include "codelets/wavefront/update.h"

namespace cg = cooperative_groups;

namespace
{

enum { ROWS = ZOID_WAVEFRONT_ROWS, PROCESSORS = 1024, WARP = 32 };
constexpr unsigned ALL = ~0u;

__device__ __forceinline__ float fused(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

__device__ __forceinline__ double fused(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

#define FMA(a, b, c) fused(a, b, c)

/* ---- the arguments of a launch ----------------------------------------------------------------
 */

struct order {
    void *values;
    double omega;
    int n[ZOID_AXES], steps; /* points, the slowest axis first; times */
    long stride[ZOID_AXES];  /* values of the domain from a point to the next one */
    int tile[ROWS];
    int inverse[ROWS][ROWS], phi[ROWS][ROWS];
    zoid_wavefront_steps go;
    int before[ROWS], after[ROWS]; /* of a tile's (t, point), from its first coordinates */
    int waves;                     /* intra-tile, of a full tile */
    /* The box of a tile in shared memory: points along each axis, and values to the next one. */
    int extent[ZOID_AXES], box[ZOID_AXES];
    int at[ROWS], base; /* offset in it: base + at . (v, q_2, ...) */
    const zoid_wavefront_wave *wave;
    const zoid_wavefront_row *row;
    int nwaves, nrows;
    const zoid_wavefront_bound *bound; /* of intra-tile wavefronts */
    int nbounds;
    int *ranks; /* blocks of each multiprocessor, zeros at the start */
    long repeat;
};

/* Returns the number of this block: one of each multiprocessor first, then the second ones. All
 * threads call it; the grid's blocks all get different numbers, wherever they are. */
__device__ int number_of_block(cg::grid_group &grid, int *ranks)
{
    __shared__ int mine, number;
    unsigned here;

    asm("mov.u32 %0, %%smid;" : "=r"(here));
    here %= PROCESSORS;
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        mine = atomicAdd(ranks + here, 1);
        number = 0;
    }
    grid.sync();
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int before = 0;

    for (int p = thread; p < PROCESSORS; p += blockDim.x * blockDim.y * blockDim.z) {
        const int blocks = *(volatile int *)(ranks + p);

        before += min(blocks, mine) + (p < (int)here && blocks > mine);
    }
    atomicAdd(&number, before);
    __syncthreads();
    return number;
}

/* ---- a tile ------------------------------------------------------------------------------------
 */

struct tile_at {
    int tau[ROWS], x[ROWS]; /* (t, point) of its first coordinates */
    int first, last;        /* intra-tile wavefronts */
    bool full;
};

/* Finds the row of tile i of a wavefront: a warp halves the rows by 32 at a time. */
__device__ int row_of(const order &o, int wave, int i, int lane)
{
    int lo = o.wave[wave].row, hi = wave + 1 < o.nwaves ? o.wave[wave + 1].row : o.nrows;

    while (hi - lo > 1) {
        const int part = (hi - lo + WARP - 1) / WARP, row = lo + lane * part;
        const unsigned at_most = __ballot_sync(ALL, row < hi && o.row[row].before <= i);
        const int last = WARP - 1 - __clz(at_most);

        hi = min(hi, lo + (last + 1) * part);
        lo += last * part;
    }
    return lo;
}

__device__ long floor_of(long a, long b)
{
    const long q = a / b;

    return q - (a % b < 0);
}

/* Sets the intra-tile wavefronts of a tile that is not full: a warp looks at the bounds. */
__device__ void find_span(const order &o, tile_at *t, int lane)
{
    int lo = 0, hi = o.waves - 1;

    for (int b = lane; b < o.nbounds; b += WARP) {
        const zoid_wavefront_bound &bound = o.bound[b];
        const long at = bound.at[0];
        long rest = bound.constant;

        for (int k = 0; k < ROWS; k++)
            rest += (long)bound.tile[k] * t->tau[k] * o.tile[k];
        if (at > 0)
            lo = max(lo, (int)min((long)o.waves, max(0l, -floor_of(rest, at))));
        else if (at < 0)
            hi = min(hi, (int)min((long)o.waves, max(-1l, floor_of(rest, -at))));
    }
    t->first = __reduce_max_sync(ALL, lo);
    t->last = __reduce_min_sync(ALL, hi);
}

/* A warp finds the tile, for all threads. */
template <int D> __device__ void find_tile(const order &o, int wave, int i, int lane, tile_at *to)
{
    const int row = row_of(o, wave, i, lane);
    tile_at t = {};

    t.tau[D] = o.row[row].first + (i - o.row[row].before);
    t.tau[0] = o.wave[wave].sum - t.tau[D];
    for (int k = 1; k < D; k++) {
        t.tau[k] = o.row[row].lead[k - 1];
        t.tau[0] -= t.tau[k];
    }
    t.full = true;
    for (int j = 0; j <= D; j++) {
        for (int k = 0; k <= D; k++)
            t.x[j] += o.inverse[j][k] * t.tau[k] * o.tile[k];
        t.full &= t.x[j] + o.before[j] >= (j > 0) &&
                  t.x[j] + o.after[j] <= (j ? o.n[j - 1] - 2 : o.steps - 1);
    }
    t.last = o.waves - 1;
    if (!t.full)
        find_span(o, &t, lane);
    if (lane == 0)
        *to = t;
}

/* Rows of a tile's box: the threads along x share a row. */
template <int D, class F> __device__ void each_row(const order &o, const tile_at &t, F row)
{
    const int rows = (D > 1 ? o.extent[D - 2] : 1) * (D > 2 ? o.extent[0] : 1);

    for (int r = threadIdx.z * blockDim.y + threadIdx.y; r < rows; r += blockDim.y * blockDim.z) {
        const int z = D > 2 ? r / o.extent[1] : 0, y = D > 2 ? r - z * o.extent[1] : r;
        int p[D]; /* the first point of the row */

        if (D > 2)
            p[0] = t.x[1] + o.before[1] - 1 + z;
        if (D > 1)
            p[D - 2] = t.x[D - 1] + o.before[D - 1] - 1 + y;
        p[D - 1] = t.x[D] + o.before[D] - 1;
        row(p, (D > 2 ? z * o.box[0] : 0) + (D > 1 ? y * o.box[D - 2] : 0));
    }
}

/* Returns whether a row of points, all but its last coordinate, is in the domain, and not at its
 * ends by `margin`. */
template <int D> __device__ bool row_inside(const order &o, const int (&p)[D], int margin)
{
    bool inside = true;

    for (int a = 0; a < D - 1; a++)
        inside &= p[a] >= margin && p[a] < o.n[a] - margin;
    return inside;
}

template <int D> __device__ long row_at(const order &o, const int (&p)[D])
{
    long at = 0;

    for (int a = 0; a < D - 1; a++)
        at += p[a] * o.stride[a];
    return at;
}

template <class T, int D> __device__ void load(const order &o, const tile_at &t, T *box)
{
    const T *values = static_cast<const T *>(o.values);

    each_row<D>(o, t, [&](const int(&p)[D], int to) {
        if (!row_inside<D>(o, p, 0))
            return;
        const T *from = values + row_at<D>(o, p);

        for (int x = threadIdx.x; x < o.extent[D - 1]; x += blockDim.x)
            if (p[D - 1] + x >= 0 && p[D - 1] + x < o.n[D - 1])
                box[to + x] = from[p[D - 1] + x];
    });
}

__device__ __forceinline__ int floor_by(int a, int by)
{
    if (by == 2)
        return a >> 1;
    return a >= 0 ? a / by : -((by - 1 - a) / by);
}

/* Stores the points that the tile has updated: others of its box may be those of tiles of the same
 * wavefront. A point is updated at the times of the tile at which it is in it. */
template <class T, int D> __device__ void store(const order &o, const tile_at &t, const T *box)
{
    T *values = static_cast<T *>(o.values);

    each_row<D>(o, t, [&](const int(&p)[D], int from) {
        int q[D + 1]; /* coordinates in the tile of (t.x[0], the row's first point) */

        if (!row_inside<D>(o, p, 1))
            return;
        for (int k = 0; k <= D; k++) {
            q[k] = 0;
            for (int a = 0; a < D; a++)
                q[k] += o.phi[k][1 + a] * (p[a] - t.x[1 + a]);
        }
        T *to = values + row_at<D>(o, p);

        for (int x = threadIdx.x; x < o.extent[D - 1]; x += blockDim.x) {
            const int at = p[D - 1] + x;
            int first = -t.x[0], last = o.steps - 1 - t.x[0]; /* from t.x[0] on */

            for (int k = 0; k <= D; k++) {
                const int by = o.phi[k][0], e = q[k] + o.phi[k][D] * x;

                if (by == 1) {
                    first = max(first, -e);
                    last = min(last, o.tile[k] - 1 - e);
                } else {
                    first = max(first, -floor_by(e, by));
                    last = min(last, floor_by(o.tile[k] - 1 - e, by));
                }
            }
            if (first <= last && at >= 1 && at < o.n[D - 1] - 1)
                to[at] = box[from + x];
        }
    });
}

/* Range of coordinate k, of which `left` is left of the wavefront. */
template <bool BALANCED>
__device__ __forceinline__ void range_of(const order &o, int k, int left, int *lo, int *hi)
{
    *lo = BALANCED ? 0 : max(0, left - o.go.beyond[k]);
    *hi = BALANCED ? o.tile[k] - 1 : min(o.tile[k] - 1, left);
}

/* Computes an intra-tile wavefront: coordinates k to m of each point, the last one along x. */
template <class T, int D, bool BALANCED, bool FULL, int K>
__device__ __forceinline__ void points(const order &o, T *box, int offset, int left,
                                       const int (&x)[D + 1], T q, T keep)
{
    const int thread = K == D ? threadIdx.x : K == D - 1 ? threadIdx.y : threadIdx.z;
    const int step = K == D ? blockDim.x : K == D - 1 ? blockDim.y : blockDim.z;
    int lo, hi;

    range_of<BALANCED>(o, K, left, &lo, &hi);
    for (int i = lo + thread; i <= hi; i += step) {
        int next[D + 1];

        if (!FULL)
            for (int j = 0; j <= D; j++)
                next[j] = x[j] + i * o.go.by[j][K];
        if constexpr (K < D) {
            points<T, D, BALANCED, FULL, K + 1>(o, box, offset + i * o.at[K], left - i, next, q,
                                                keep);
        } else {
            typedef T here;
            const int row = D > 1 ? o.box[D - 2] : 0, plane = D > 2 ? o.box[0] : 0;
            here *u = box + offset + i * o.at[K];
            bool inside = true;

            if (!FULL) {
                inside = (unsigned)next[0] < (unsigned)o.steps;
                for (int a = 0; a < D; a++)
                    inside &= (unsigned)(next[1 + a] - 1) < (unsigned)(o.n[a] - 2);
            }
            if (inside)
                WAVEFRONT_UPDATE;
        }
    }
}

template <class T, int D, bool BALANCED, bool FULL>
__device__ __forceinline__ void waves(const order &o, const tile_at &t, T *box, T q, T keep)
{
    const int first = t.first, last = t.last;

    for (int v = first; v <= last; v++) {
        int x[D + 1] = {};

        if (!FULL)
            for (int i = 0; i <= D; i++)
                x[i] = t.x[i] + v * o.go.by[i][0];
        points<T, D, BALANCED, FULL, 1>(o, box, o.base + v * o.at[0], v, x, q, keep);
        __syncthreads();
    }
}

template <class T, int D, bool BALANCED>
__device__ void compute_tile(const order &o, int wave, int i, T *box, tile_at *found)
{
    typedef T here;
    const double omega = o.omega;
    WAVEFRONT_FACTORS;

    if (threadIdx.y + threadIdx.z == 0 && threadIdx.x < WARP)
        find_tile<D>(o, wave, i, threadIdx.x, found);
    __syncthreads();

    const tile_at t = *found;

    load<T, D>(o, t, box);
    __syncthreads();
    if (t.full)
        waves<T, D, BALANCED, true>(o, t, box, q, keep);
    else
        waves<T, D, BALANCED, false>(o, t, box, q, keep);
    store<T, D>(o, t, box);
    __syncthreads();
}

template <class T, int D, bool BALANCED>
__global__ void __launch_bounds__(1024) sweep(const __grid_constant__ order o)
{
    extern __shared__ double memory[];
    __shared__ tile_at found;
    cg::grid_group grid = cg::this_grid();
    const int me = number_of_block(grid, o.ranks);

    for (long r = 0; r < o.repeat; r++)
        for (int wave = 0; wave < o.nwaves; wave++) {
            for (int i = me; i < o.wave[wave].tiles; i += gridDim.x)
                compute_tile<T, D, BALANCED>(o, wave, i, reinterpret_cast<T *>(memory), &found);
            grid.sync();
        }
}

__global__ void __launch_bounds__(1024) grid_barriers(long repeat)
{
    cg::grid_group grid = cg::this_grid();

    for (long r = 0; r < repeat; r++)
        grid.sync();
}

__global__ void __launch_bounds__(1024) block_barriers(long repeat)
{
    for (long r = 0; r < repeat; r++)
        __syncthreads();
}

/* ---- launches -----------------------------------------------------------------------------------
 */

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
    int device, processors;
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
    cudaError_t error = cudaGetDevice(&device);

    *blocks = 0;
    if (!error)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (!error)
        error = cudaFuncGetAttributes(&facts, kernel);
    if (error || run->threads[0] % WARP || threads > 1024 ||
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
    cudaError_t error = cudaGetDevice(&g->device);

    *gpu = g;
    *facts = {};
    if (!error)
        error = cudaGetDeviceProperties(&properties, g->device);
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
