/* SPDX-License-Identifier: BSD-3-Clause */
/* Baseline for comparisons: a thread computes one point, with all operands from memory, for every
 * variant of ops.def of type ZOID_TYPE and ZOID_DIMS dimensions; stream.cu has the default kernels.
 * The points of a block of threads are in one plane, and it looks up the planes around it once. */
#include "codelets/cuda/order.cuh"
#include "codelets/cuda/stencil/vectors.cuh"

typedef ZOID_JOIN(zoid_, ZOID_TYPE) here;
typedef vec<here, 0> value_here;

namespace
{
enum { ACROSS = 32, ROWS = 8, PLANES = 2 * ZOID_MAX_REACH + 1 };
}

/* State of a point update; see ops/point.h. */
struct zoid_at {
    const zoid_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    const char *const (*plane)[PLANES]; /* of every field; NULL: in no segment */
    const field_layout *f;
    int x, y; /* in a plane */
    void *result;
};

ZOID_INLINE value_here here_load(const zoid_at *at, int dims, int field, int dx, int dy, int dz)
{
    const field_layout *f = at->f;
    const int x = min(max(at->x + dx, 0), f->width - 1);
    const int y = dims == 3 ? min(max(at->y + dy, 0), f->rows - 1) : 0;
    const char *plane = at->plane[field][ZOID_MAX_REACH + (dims == 3 ? dz : dy)];
    value_here v = {};

    if (plane)
        v.v[0] = *reinterpret_cast<const here *>(plane + y * f->pitch + x * (long)sizeof(here));
    return v;
}

#include "codelets/cuda/stencil/variants.cuh"

namespace
{

template <int BOXES> struct naive_order {
    field_layout f;
    long t;
    extent box;
    boxes<BOXES> inner; /* points that are computed */
    list in[ZOID_MAX_GROUPS + 1], out;
    unsigned fields; /* to store */
};

/* Looks up the addresses of the planes around plane z. */
template <class K, int S>
__device__ __forceinline__ void look_around(const naive_order<touched<K, S>::BOXES> &o, int z,
                                            const char *(*plane)[PLANES])
{
    typedef touched<K, S> what;
    const int thread = threadIdx.y * ACROSS + threadIdx.x;

    each<what::fields>([&]<int f>() {
        typedef typename what::template of<f> field;

        for (int i = thread; i < PLANES; i += ACROSS * ROWS) {
            int stop = NEVER;
            const spot one = find(o.in[field::which], z + i - ZOID_MAX_REACH, o.f.plane, &stop);

            plane[f][i] = one.at ? one.at + field::in_group * one.field : nullptr;
        }
    });
    __syncthreads();
}

template <class K, int S>
__global__ void __launch_bounds__(ACROSS *ROWS)
    point_by_point(const __grid_constant__ naive_order<touched<K, S>::BOXES> o)
{
    typedef touched<K, S> what;
    __shared__ const char *plane[what::fields][PLANES];
    const int z = o.box.lo[2] + blockIdx.z;
    const int x = o.box.lo[0] + blockIdx.x * ACROSS + threadIdx.x;
    const int y = o.box.lo[1] + blockIdx.y * ROWS + threadIdx.y;
    int stop = NEVER;
    const spot to = find(o.out, z, o.f.plane, &stop);
    value_here result[what::fields];
    zoid_at at = {&o.f.params, o.t, {}, o.f.n, plane, &o.f, x - o.f.x0, y - o.f.y0, result};

    look_around<K, S>(o, z, plane);
    if (x >= o.box.hi[0] || y >= o.box.hi[1] || !to.at)
        return;
    at.p[0] = x;
    at.p[1] = y;
    at.p[what::C] = o.f.origin + z;
    K::template point<S>(&at);
    each<what::state>([&]<int f>() {
        typedef typename what::template of<f> field;
        const extent &inner = o.inner.box[field::box];
        const bool computed = field::written && x >= inner.lo[0] && x < inner.hi[0] &&
                              (K::D < 3 || (y >= inner.lo[1] && y < inner.hi[1])) &&
                              z >= inner.lo[2] && z < inner.hi[2];
        const long offset = at.y * o.f.pitch + at.x * (long)sizeof(here);

        if (!(o.fields >> f & 1))
            return;
        if (!computed)
            result[f] = here_load(&at, K::D, field::kept, 0, 0, 0);
        *reinterpret_cast<here *>(to.at + f * to.field + offset) = (here)result[f].v[0];
    });
}

template <class K, int S> int sweep_stage(const zoid_cuda_sweep *c)
{
    typedef touched<K, S> what;
    naive_order<what::BOXES> o = {};

    o.t = c->sweep->t;
    o.fields = c->sweep->fields;
    return in_launches(
        c->sweep, K::D - 1,
        [&](const field_layout &f, long lo, long hi) {
            o.f = f;
            return select_all<what>(&o, &o.out, c, lo, hi, sizeof(here));
        },
        [&](const extent &box) {
            enum { MOST = 65535 }; /* planes of a launch */
            cudaError_t error = cudaSuccess;

            o.box = box;
            o.inner = boxes_of<what>(c->sweep, o.f.origin);
            if (K::D < 3)
                o.box.hi[1] = 1; /* the only row of a plane */
            for (int z = box.lo[2]; z < box.hi[2] && error == cudaSuccess; z += MOST) {
                o.box.lo[2] = z;
                o.box.hi[2] = min(box.hi[2], z + MOST);
                point_by_point<K, S>
                    <<<dim3(ceil_div(o.box.hi[0] - o.box.lo[0], ACROSS),
                            ceil_div(o.box.hi[1] - o.box.lo[1], ROWS), o.box.hi[2] - z),
                       dim3(ACROSS, ROWS), 0, static_cast<cudaStream_t>(c->stream)>>>(o);
                error = cudaGetLastError();
            }
            return error;
        });
}

template <class K> int sweep(const zoid_cuda_sweep *c)
{
    return by_stage<K>(c, [&]<int S>() { return sweep_stage<K, S>(c); });
}

} // namespace

#define ZOID_SWEEP(variant)                                       \
    extern "C" int zoid_naive_##variant(const zoid_cuda_sweep *c) \
    {                                                             \
        return sweep<variant##_kind>(c);                          \
    }
#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, family, ZOID_SWEEP(variant))
#include ZOID_ROWS
