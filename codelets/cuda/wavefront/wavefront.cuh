/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of wavefront.cu: a tile, its intra-tile wavefronts, and the wavefronts of tiles. */
#ifndef ZOID_CODELETS_CUDA_WAVEFRONT_WAVEFRONT_CUH
#define ZOID_CODELETS_CUDA_WAVEFRONT_WAVEFRONT_CUH

#include <cooperative_groups.h>

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

/* ---- the arguments of a launch -------------------------------------------------------------- */

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
    __shared__ int here, mine, number;

    /* One thread looks: a block that is preempted may go on elsewhere. */
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        unsigned processor;

        asm volatile("mov.u32 %0, %%smid;" : "=r"(processor));
        here = (int)(processor % PROCESSORS);
        mine = atomicAdd(ranks + here, 1);
        number = 0;
    }
    grid.sync();
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int before = 0;

    for (int p = thread; p < PROCESSORS; p += blockDim.x * blockDim.y * blockDim.z) {
        const int blocks = *(volatile int *)(ranks + p);

        before += min(blocks, mine) + (p < here && blocks > mine);
    }
    atomicAdd(&number, before);
    __syncthreads();
    return number;
}

/* ---- a tile --------------------------------------------------------------------------------- */

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
            WAVEFRONT_UPDATE(inside);
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
            for (long i = me; i < o.wave[wave].tiles; i += gridDim.x)
                compute_tile<T, D, BALANCED>(o, wave, (int)i, reinterpret_cast<T *>(memory),
                                             &found);
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

} // namespace

#endif
