/* SPDX-License-Identifier: BSD-3-Clause */
/* One stage of a line, or several levels, for every 1-D variant of ops.def of type ZOID_TYPE. In
 * 1-D a plane is a point, so the segments of the line are gathered: a block of threads copies a
 * stretch of every field, with its halo, to shared memory, and each thread computes one vector of
 * it.
 *
 * For several levels the halo is that of all of them. A level reads a stretch from shared memory
 * and leaves its results there, beside what it reads, for the next one; it computes fewer points at
 * both ends. So stretches overlap, and a block of threads stores those points alone that it owns.
 */
#include <algorithm>
#include <climits>

#include "codelets/cuda/order.cuh"
#include "codelets/cuda/stencil/vectors.cuh"

typedef ZOID_JOIN(zoid_, ZOID_TYPE) here;
typedef vec<here, 1> value_here;

namespace
{
enum { THREADS = 256, STRETCH = THREADS * value_here::N, AROUND_IT = STRETCH + 2 * ZOID_MAX_REACH };
}

/* State of a point update; see ops/point.h. */
struct zoid_at {
    const launch_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    const here *line; /* AROUND_IT of every field */
    int own;          /* index of the vector in it */
    void *result;     /* value_here[fields] */
};

ZOID_INLINE value_here here_load(const zoid_at *at, int, int field, int dx, int, int)
{
    value_here v;

    UNROLL
    for (int i = 0; i < value_here::N; i++)
        v.v[i] = at->line[field * AROUND_IT + at->own + dx + i];
    return v;
}

/* The same at a level of several. */
struct zoid_at_level : zoid_at {
    const here *now; /* the tables' values of the level's time, if there are tables */
    const char *field[ZOID_MAX_FIELDS]; /* the vector, in shared memory */
};

/* Two vectors of shared memory hold the one dx values from the thread's own. Not for bytes. */
template <class At> ZOID_INLINE value_here here_load(const At *at, int, int field, int dx, int, int)
{
    constexpr int N = value_here::N;
    const int whole = dx >= 0 ? dx / N : -((N - 1 - dx) / N), rest = dx - whole * N;
    const char *p = at->field[field] + whole * QUAD;
    value_here low = take_vector<here, 1>(p), v;

    keep_whole(low);
    if (rest == 0)
        return low;
    value_here high = take_vector<here, 1>(p + QUAD);

    keep_whole(high);
    UNROLL
    for (int i = 0; i < N; i++)
        v.v[i] = i + rest < N ? low.v[i + rest] : high.v[i + rest - N];
    return v;
}

#include "codelets/cuda/stencil/variants.cuh"

#include "codelets/cuda/stencil/stretch.cuh"

namespace
{

template <int BOXES> struct line_order {
    field_layout f;
    long t;
    extent box;         /* planes only */
    boxes<BOXES> inner; /* points that are computed */
    list in[ZOID_MAX_GROUPS + 1], out;
    unsigned fields; /* to store */
};

/* Gathers the stretch at `start`, with its halo. */
template <class K, int S>
__device__ __forceinline__ void gather(const line_order<touched<K, S>::BOXES> &o, int start,
                                       here *fields)
{
    typedef touched<K, S> what;

    each<what::fields>([&]<int f>() {
        typedef typename what::template of<f> field;
        const list &in = o.in[field::which];
        int stop = NEVER;

        for (int i = threadIdx.x; i < AROUND_IT; i += THREADS) {
            const int p = start - ZOID_MAX_REACH + i;
            const spot one = find(in, p, o.f.plane, &stop);

            fields[f * AROUND_IT + i] =
                one.at ? *reinterpret_cast<const here *>(one.at + field::in_group * one.field) : 0;
        }
    });
}

/* Stores a thread's vector, which starts at point `first` and in the stretch at `own`; points that
 * are not computed are carried. */
template <class K, int S>
__device__ __forceinline__ void scatter(const line_order<touched<K, S>::BOXES> &o, int first,
                                        const here *own, const value_here *result)
{
    typedef touched<K, S> what;

    each<what::state>([&]<int f>() {
        typedef typename what::template of<f> field;

        if (!(o.fields >> f & 1))
            return;
        UNROLL
        for (int i = 0; i < value_here::N; i++) {
            const int p = first + i;
            const extent &inner = o.inner.box[field::box];
            const bool computed = field::written && p >= inner.lo[2] && p < inner.hi[2];
            int stop = NEVER;
            here value = own[field::kept * AROUND_IT + i];
            const spot to = find(o.out, p, o.f.plane, &stop);

            if (computed)
                value = result[f].v[i];

            if (to.at && p < o.box.hi[2])
                *reinterpret_cast<here *>(to.at + f * to.field) = value;
        }
    });
}

template <class K, int S>
__global__ void __launch_bounds__(THREADS)
    along(const __grid_constant__ line_order<touched<K, S>::BOXES> o)
{
    __shared__ here fields[touched<K, S>::fields * AROUND_IT];
    const int start = o.box.lo[2] + blockIdx.x * STRETCH, own = threadIdx.x * value_here::N;
    value_here result[touched<K, S>::fields];
    zoid_at at = {};

    gather<K, S>(o, start, fields);
    __syncthreads();
    at.params = &o.f.params;
    at.t = o.t;
    at.n = o.f.n;
    at.p[0] = o.f.origin + start + own;
    at.line = fields;
    at.own = ZOID_MAX_REACH + own;
    at.result = result;
    K::template point<S>(&at);
    scatter<K, S>(o, start + own, fields + at.own, result);
}

template <class K, int S> int sweep_stage(const zoid_cuda_sweep *c)
{
    line_order<touched<K, S>::BOXES> o = {};

    o.t = c->sweep->t;
    o.fields = c->sweep->fields;
    return in_launches(
        c->sweep, 0,
        [&](const field_layout &f, long lo, long hi) {
            o.f = f;
            return select_all<touched<K, S>>(&o, &o.out, c, lo, hi, sizeof(here));
        },
        [&](const extent &box) {
            o.box = box;
            o.inner = boxes_of<touched<K, S>>(c->sweep, o.f.origin);
            along<K, S><<<ceil_div(box.hi[2] - box.lo[2], STRETCH), THREADS, 0,
                          static_cast<cudaStream_t>(c->stream)>>>(o);
            return cudaGetLastError();
        });
}

template <class K> int sweep(const zoid_cuda_sweep *c)
{
    return by_stage<K>(c, [&]<int S>() { return sweep_stage<K, S>(c); });
}

/* ---- several levels -------------------------------------------------------------------------- */

/* Returns true if S levels are whole rounds of the stages, and a block of threads owns most of what
 * it has in shared memory. */
template <class K, int S> constexpr bool line_fits()
{
    if constexpr (S % K::STAGES == 0 && streams_of<K, S>() <= MOST_STREAMS)
        return 4 * (beyond<K, S>(false) + beyond<K, S>(true)) <= stretches<K>::POINTS &&
               stretches<K>::SHARED <= tuned.line.most_shared;
    return false;
}

template <class K, int S> constexpr int line_levels_of()
{
    if constexpr (S > 1)
        return line_fits<K, S>() ? S : line_levels_of<K, S - 1>();
    return 1;
}

/* Returns the most fused times that pay, in whole rounds of stages. */
template <class K> constexpr int most_of()
{
    if constexpr (sizeof(here) > 1 && takes_levels<K>())
        return line_levels_of<K, MOST>();
    return 1;
}

/* Queues the points [lo, hi) of all levels; those around them are computed, but not stored. */
template <class K, int S> int launch(const zoid_cuda_levels *given, long lo, long hi)
{
    constexpr auto kernel = levels_along<K>;
    constexpr int LOW = beyond<K, S>(false), HIGH = beyond<K, S>(true);
    typedef stretches<K> shape;
    line_levels<K> o = {};
    zoid_fused_level level[S];
    const zoid_cuda_levels part = {S, level, given->stream};
    cudaError_t error;

    o.levels = S;
    for (int i = 0; i < S; i++) {
        level[i] = given->level[i];

        zoid_box *box = &level[i].sweep.box;

        box->lo[0] = std::clamp(box->lo[0], lo - LOW, hi + HIGH);
        box->hi[0] = std::clamp(box->hi[0], lo - LOW, hi + HIGH);
        o.down[i] = flow<K, S, 0>::tables.level[i].down;
        o.up[i] = flow<K, S, 0>::tables.level[i].up;
    }
    if (!set_all<K, S>(&o, &part, lo))
        return cudaErrorInvalidValue;
    o.hi = (int)(hi - lo);
    o.before = LOW;
    o.own = shape::POINTS - LOW - HIGH;
    error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape::SHARED);
    if (error != cudaSuccess)
        return error;
    kernel<<<ceil_div(o.hi, o.own), THREADS, shape::SHARED,
             static_cast<cudaStream_t>(given->stream)>>>(o);
    return cudaGetLastError();
}

/* Splits the points of all levels into launches, each of as many as an int holds. */
template <class K, int S> int launches(const zoid_cuda_levels *given)
{
    long lo = LONG_MAX, hi = LONG_MIN;
    int error = cudaSuccess;

    for (int i = 0; i < S; i++) {
        const zoid_box &box = given->level[i].sweep.box;

        if (box.lo[0] < box.hi[0]) {
            lo = std::min(lo, box.lo[0]);
            hi = std::max(hi, box.hi[0]);
        }
    }
    for (long end; lo < hi && !error; lo = end) {
        end = hi - lo < NEVER / 2 ? hi : lo + NEVER / 2;
        error = launch<K, S>(given, lo, end);
    }
    return error;
}

template <class K> int run(const zoid_cuda_levels *given)
{
    return by_levels<K, most_of<K>()>(given, [&]<int S>() { return launches<K, S>(given); });
}

template <class K> int load_all()
{
    int error = cudaSuccess;

    if constexpr (most_of<K>() > 1)
        error = load(levels_along<K>);
    each_stage<K>([&]<int S>() { error = error ? error : load(along<K, S>); });
    return error;
}

template <class K> constexpr zoid_cuda_kernels kernels_of(int (*sweep)(const zoid_cuda_sweep *))
{
    constexpr int most = most_of<K>();
    zoid_cuda_kernels kernels = {
        .most = most, .fused = run<K>, .naive = sweep, .load = load_all<K>};

    if constexpr (most > 1)
        kernels.most_shared = stretches<K>::SHARED;
    return kernels;
}

} // namespace

#define ZOID_SWEEP(variant)                                         \
    extern "C" int zoid_cuda_##variant(const zoid_cuda_sweep *c)    \
    {                                                               \
        return sweep<variant##_kind>(c);                            \
    }                                                               \
    extern "C" constexpr zoid_cuda_kernels zoid_kernels_##variant = \
        kernels_of<variant##_kind>(zoid_cuda_##variant);
#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, family, ZOID_SWEEP(variant))
#include ZOID_ROWS
