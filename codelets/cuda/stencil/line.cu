/* SPDX-License-Identifier: BSD-3-Clause */
/* One stage of a line, for every 1-D variant of ops.def of type ZOID_TYPE. In 1-D a plane is a
 * point, so the segments of the line are gathered: a block of threads copies a stretch of every
 * field, with its halo, to shared memory, and each thread computes one vector of it. */
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

#include "codelets/cuda/stencil/variants.cuh"

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

template <class K> int load_all()
{
    int error = cudaSuccess;

    each_stage<K>([&]<int S>() { error = error ? error : load(along<K, S>); });
    return error;
}

} // namespace

#define ZOID_SWEEP(variant)                                       \
    extern "C" int zoid_cuda_##variant(const zoid_cuda_sweep *c)  \
    {                                                             \
        return sweep<variant##_kind>(c);                          \
    }                                                             \
    extern "C" const zoid_cuda_kernels zoid_kernels_##variant = { \
        .most = 1, .naive = zoid_cuda_##variant, .load = load_all<variant##_kind>};
#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, family, ZOID_SWEEP(variant))
#include ZOID_ROWS
