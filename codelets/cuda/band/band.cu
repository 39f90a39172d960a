/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of rows of a band matrix in one launch: each row is one sum, by ascending column, in one
 * thread, so the results have the same bits as those of cores.
 *
 *     DIA     a thread has 16 bytes of a line, which are consecutive rows: x of the next diagonal
 *             is that of this one but for its first value and a new last one
 *
 *                 diagonal d      x0 x1 x2 x3            the values of x for all threads of a
 *                 diagonal d + 1     x1 x2 x3 x4         block are in shared memory
 *
 *     SELL    a thread has a row, and reads x from global memory, as columns are irregular
 *
 * Of several vectors, a few are computed at once. */
#include <algorithm>
#include <cstring>

#include "codelets/cuda/band/band.cuh"

namespace
{

enum { THREADS = 128, TOGETHER = 4 /* vectors */, AHEAD = 8 /* diagonals */ };
/* Bytes of shared memory for x; wider bands load it part by part. */
enum { ROOM = 32 << 10 };

template <class T> constexpr int GROUP = ZOID_LINE / sizeof(T);
/* Rows per thread with DIA. */
template <class T> constexpr int OWN = 16 / sizeof(T);

template <class T> struct alignas(16) quad {
    T value[OWN<T>];
};

/* Loads values that are read once. */
template <class T> __device__ __forceinline__ quad<T> stream(const char *at)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4 *>(at));
    quad<T> q;

    memcpy(&q, &bits, sizeof q);
    return q;
}

template <class T>
__device__ __forceinline__ const band_stretch &stretch_at(const band_order<T> &o, int block)
{
    int i = o.stretches - 1;

    while (block < o.stretch[i].first)
        i--;
    return o.stretch[i];
}

/* ---- DIA ------------------------------------------------------------------------------------- */

/* Diagonals for which x is in shared memory at once, a multiple of the rows per thread; and the
 * stride between vectors there, in values. */
template <class T, int V> struct part {
    static constexpr int ROWS = THREADS * OWN<T>;
    int diagonals, stride;
    size_t bytes;

    explicit part(long all)
    {
        const long most = (long)(ROOM / sizeof(T)) / V - ROWS - OWN<T>;
        const long own = OWN<T>;

        diagonals = (int)std::min((all + own - 1) / own * own, most / own * own);
        stride = ROWS + diagonals + OWN<T>;
        bytes = (size_t)stride * V * sizeof(T);
    }
};

/* Loads x of `rows` rows from `row` on to shared memory; zeros for rows outside the matrix. */
template <class T, int V>
__device__ void bring(const band_order<T> &o, long row, int rows, long vector, int stride, T *x)
{
    for (int i = threadIdx.x; i < rows * V; i += THREADS) {
        const int at = i / V, v = i % V;
        const band_spot spot =
            vector + v < o.vectors ? find<T>(o.in, row + at, o.vectors) : band_spot{nullptr, 0};

        x[v * stride + at] = spot.at ? value_of<T>(spot, 0, vector + v) : (T)0;
    }
}

/* Adds N diagonals, a multiple of the rows per thread. */
template <class T, int V, int N>
__device__ __forceinline__ void some_diagonals(const char *a, const T *x, int stride,
                                               T (&window)[V][2 * OWN<T>], T (&sum)[V][OWN<T>])
{
    quad<T> own[N];

#pragma unroll
    for (int d = 0; d < N; d++)
        own[d] = stream<T>(a + d * ZOID_LINE);
#pragma unroll
    for (int d = 0; d < N; d += OWN<T>)
#pragma unroll
        for (int v = 0; v < V; v++) {
            const quad<T> next = *reinterpret_cast<const quad<T> *>(x + v * stride + d + OWN<T>);

#pragma unroll
            for (int i = 0; i < OWN<T>; i++)
                window[v][OWN<T> + i] = next.value[i];
#pragma unroll
            for (int e = 0; e < OWN<T>; e++)
#pragma unroll
                for (int i = 0; i < OWN<T>; i++)
                    sum[v][i] = fused_add(own[d + e].value[i], window[v][e + i], sum[v][i]);
#pragma unroll
            for (int i = 0; i < OWN<T>; i++)
                window[v][i] = next.value[i];
        }
}

/* Adds `diagonals` diagonals of a thread's rows, from `a` on; x is that of its first row. */
template <class T, int V>
__device__ __forceinline__ void add_diagonals(const char *a, int diagonals, const T *x, int stride,
                                              T (&sum)[V][OWN<T>])
{
    T window[V][2 * OWN<T>];
    int d = 0;

#pragma unroll
    for (int v = 0; v < V; v++)
#pragma unroll
        for (int i = 0; i < OWN<T>; i++)
            window[v][i] = x[v * stride + i];
    for (; d + AHEAD <= diagonals; d += AHEAD)
        some_diagonals<T, V, AHEAD>(a + (size_t)d * ZOID_LINE, x + d, stride, window, sum);
    for (; d + OWN<T> <= diagonals; d += OWN<T>)
        some_diagonals<T, V, OWN<T>>(a + (size_t)d * ZOID_LINE, x + d, stride, window, sum);
    for (; d < diagonals; d++) {
        const quad<T> own = stream<T>(a + (size_t)d * ZOID_LINE);

#pragma unroll
        for (int v = 0; v < V; v++)
#pragma unroll
            for (int i = 0; i < OWN<T>; i++)
                sum[v][i] = fused_add(own.value[i], x[v * stride + d + i], sum[v][i]);
    }
}

/* Stores the sums of a block of threads, through shared memory, so that stores coalesce. */
template <class T, int V>
__device__ void leave(const band_order<T> &o, const band_stretch &s, long first, long vector,
                      const T (&sum)[V][OWN<T>], T *memory)
{
    constexpr int ROWS = part<T, V>::ROWS;

    __syncthreads();
#pragma unroll
    for (int v = 0; v < V; v++)
#pragma unroll
        for (int i = 0; i < OWN<T>; i++)
            memory[v * ROWS + threadIdx.x * OWN<T> + i] = sum[v][i];
    __syncthreads();
    for (int i = threadIdx.x; i < ROWS * V; i += THREADS) {
        const int at = i / V, v = i % V;
        const long row = first + at;

        if (row >= s.out.lo && row < s.out.hi && vector + v < o.vectors)
            finish(o, s, row, vector + v, memory[v * ROWS + at]);
    }
}

template <class T, int V>
__global__ void __launch_bounds__(THREADS)
    dia(const __grid_constant__ band_order<T> o, int diagonals, int stride)
{
    extern __shared__ __align__(16) char memory[];
    T *x = reinterpret_cast<T *>(memory);
    const band_stretch &s = stretch_at(o, blockIdx.x);
    const long first = s.from + (long)(blockIdx.x - s.first) * part<T, V>::ROWS;
    const int own = threadIdx.x * OWN<T>;
    const long row = first - s.from + own, group = row / GROUP<T>;
    const char *a = s.values + (group * o.diagonals * GROUP<T> + row % GROUP<T>)*sizeof(T);

    for (long vector = 0; vector < o.vectors; vector += V) {
        T sum[V][OWN<T>] = {};

        for (long d = 0; d < o.diagonals && o.term.has_a; d += diagonals) {
            const int part = (int)min((long)diagonals, o.diagonals - d);

            __syncthreads();
            bring<T, V>(o, first - o.lower + d, stride, vector, stride, x);
            __syncthreads();
            if (group < s.groups)
                add_diagonals<T, V>(a + d * ZOID_LINE, part, x + own, stride, sum);
        }
        leave<T, V>(o, s, first, vector, sum, x);
    }
}

/* ---- SELL ------------------------------------------------------------------------------------ */

/* Addresses of x: in one segment for all rows of a block of threads, or looked up for each row. */
template <class T> struct vectors {
    const band_order<T> &o;
    const band_rows *one;

    __device__ __forceinline__ vectors(const band_order<T> &order, long lo, long hi)
        : o(order), one(nullptr)
    {
        lo = max(lo, 0l);
        hi = min(hi, o.n);
        for (int i = 0; i < o.in.n; i++)
            if (lo >= o.in.rows[i].lo && hi <= o.in.rows[i].hi)
                one = &o.in.rows[i];
    }

    __device__ __forceinline__ const T *at(long row) const
    {
        if (one)
            return reinterpret_cast<const T *>(one->base) + (row - one->lo) * o.vectors;
        return reinterpret_cast<const T *>(find<T>(o.in, row, o.vectors).at);
    }
};

template <class T, class Number, int V>
__device__ __forceinline__ void add_lines(const vectors<T> &x, const zoid_sell_head *head,
                                          const Number *numbers, const T *values, int lane,
                                          long vector, T (&sum)[V])
{
    const Number none = (Number)-1;
    const long lines = (long)(head[1].line - head->line), first = head->first;
    const Number *number = numbers + head->number, *rest = number + lines + lane;

    values += head->line * GROUP<T> + lane;
#pragma unroll 4
    for (long i = 0; i < lines; i++) {
        const Number lead = number[i];
        Number own = lead;
        const T *at;

        if (lead == none) {
            own = *rest;
            rest += GROUP<T>;
            if (own == none)
                continue;
        }
        at = x.at(first + (long)own + (lead == none ? 0 : lane));
#pragma unroll
        for (int v = 0; v < V; v++)
            if (at && vector + v < x.o.vectors)
                sum[v] = fused_add(__ldg(values + i * GROUP<T>), at[vector + v], sum[v]);
    }
}

template <class T, class Number, int V>
__global__ void __launch_bounds__(THREADS) sell(const __grid_constant__ band_order<T> o)
{
    const band_stretch &s = stretch_at(o, blockIdx.x);
    const long first = s.from + (long)(blockIdx.x - s.first) * THREADS;
    const long row = first + threadIdx.x, group = (row - s.from) / GROUP<T>;
    const vectors<T> x(o, first - o.lower, first + THREADS + o.upper);

    if (row < s.out.lo || row >= s.out.hi)
        return;
    for (long vector = 0; vector < o.vectors; vector += V) {
        T sum[V] = {};

        if (o.term.has_a)
            add_lines<T, Number, V>(x, s.head + group, reinterpret_cast<const Number *>(s.numbers),
                                    reinterpret_cast<const T *>(s.values), (int)(row % GROUP<T>),
                                    vector, sum);
#pragma unroll
        for (int v = 0; v < V; v++)
            if (vector + v < o.vectors)
                finish(o, s, row, vector + v, sum[v]);
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Assigns blocks of threads, of `rows` rows each, to the stretches; returns their number. */
template <class T> unsigned number_blocks(band_order<T> *o, long rows)
{
    long blocks = 0;

    for (int i = 0; i < o->stretches; i++) {
        o->stretch[i].first = (int)blocks;
        blocks += (o->stretch[i].groups * GROUP<T> + rows - 1) / rows;
    }
    return (unsigned)blocks;
}

template <class T, int V> int launch_dia(band_order<T> *o, cudaStream_t stream)
{
    const part<T, V> x(o->diagonals);
    const unsigned blocks = number_blocks(o, part<T, V>::ROWS);

    dia<T, V><<<blocks, THREADS, x.bytes, stream>>>(*o, x.diagonals, x.stride);
    return cudaGetLastError();
}

template <class T, int V> int launch_sell(band_order<T> *o, cudaStream_t stream)
{
    const unsigned blocks = number_blocks(o, THREADS);

    if (o->wide)
        sell<T, uint32_t, V><<<blocks, THREADS, 0, stream>>>(*o);
    else
        sell<T, uint16_t, V><<<blocks, THREADS, 0, stream>>>(*o);
    return cudaGetLastError();
}

/* Launches the listed stretches, if any, and clears the list. */
template <class T> int launch(band_order<T> *o, enum zoid_format format, cudaStream_t stream)
{
    int error = 0;

    if (o->stretches && format == ZOID_FORMAT_DIA)
        error = o->vectors > 1 ? launch_dia<T, TOGETHER>(o, stream) : launch_dia<T, 1>(o, stream);
    else if (o->stretches)
        error = o->vectors > 1 ? launch_sell<T, TOGETHER>(o, stream) : launch_sell<T, 1>(o, stream);
    o->stretches = o->in.n = 0;
    return error;
}

/* Adds a stretch and the segments of x that its groups read; returns false, with *o unchanged, if
 * there is no room. */
template <class T> bool add(band_order<T> *o, const zoid_segments &x, const band_stretch &s)
{
    const band_list before = o->in;
    const long lo = s.from - o->lower, hi = s.from + s.groups * GROUP<T> + o->upper;

    if (o->stretches < BAND_STRETCHES && add_rows<T>(&o->in, x, lo, hi)) {
        o->stretch[o->stretches++] = s;
        return true;
    }
    o->in = before;
    return false;
}

/* An int numbers the blocks of threads of a launch. */
enum : long { MOST_ROWS = 1l << 34 };

template <class T> int step(const zoid_cuda_sweep *c)
{
    const zoid_sweep *sweep = c->sweep;
    const zoid_band *b = zoid_band_of(sweep->op);
    const cudaStream_t stream = static_cast<cudaStream_t>(c->stream);
    band_order<T> o = order_of<T>(b, sweep->t);
    int error = 0;

    for (size_t i = 0; i < c->nout; i++)
        for (long lo = c->out[i].lo, most = MOST_ROWS; lo < c->out[i].hi && !error;) {
            const long hi = std::min(c->out[i].hi, lo + most);
            const band_stretch s = stretch_of<T>(b, sweep->in[1], lo, hi, c->out[i]);

            if (add(&o, sweep->in[0], s)) {
                lo = s.out.hi;
                most = MOST_ROWS;
            } else if (o.stretches) {
                error = launch(&o, b->format, stream);
            } else {
                most = (s.out.hi - lo) / 2;
                error = most ? 0 : cudaErrorInvalidValue;
            }
        }
    return error ? error : launch(&o, b->format, stream);
}

template <class T, int V> int load()
{
    cudaFuncAttributes attributes;
    int error = cudaFuncGetAttributes(&attributes, dia<T, V>);

    error = error ? error : cudaFuncGetAttributes(&attributes, sell<T, uint16_t, V>);
    return error ? error : cudaFuncGetAttributes(&attributes, sell<T, uint32_t, V>);
}

int load_all()
{
    int error = load<zoid_f32, 1>();

    error = error ? error : load<zoid_f32, TOGETHER>();
    error = error ? error : load<zoid_f64, 1>();
    error = error ? error : load<zoid_f64, TOGETHER>();
    return error ? error : zoid_cuda_load_band_stream();
}

} // namespace

int zoid_cuda_band(const zoid_cuda_sweep *sweep)
{
    return sweep->sweep->op->type == ZOID_F32 ? step<zoid_f32>(sweep) : step<zoid_f64>(sweep);
}

zoid_cuda_kernels zoid_cuda_band_kernels(const zoid_band *band)
{
    zoid_cuda_kernels kernels = {.most = 1, .naive = zoid_cuda_band, .load = load_all};

    zoid_cuda_band_stream(band, &kernels);
    return kernels;
}
