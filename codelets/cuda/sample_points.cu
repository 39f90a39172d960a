/* SPDX-License-Identifier: BSD-3-Clause */
/* Injects sources and samples receivers on a GPU like codelets/block/sample_points.c, one thread
 * per sample point. Taps and record lie in pinned memory, which the GPU reads directly: they are
 * few. */
#include <cuda_runtime.h>

#include "codelets/block/sample_points.h"
#include "codelets/cuda/order.cuh"

namespace
{

enum { THREADS = 128 };

struct sample_point_order {
    field_layout f;
    extent box;
    list out, gain; /* gain: coefficients, if sources need one */
    int dims, size, gain_field;
    bool gains, round[ZOID_AXES];
    long step;                           /* index into the series */
    signed char stored[ZOID_MAX_FIELDS]; /* of each field that the stage writes; others: -1 */
    const zoid_sample_point *sample_point;
    size_t n;
    char *row; /* of the record, from the first of these sample points on */
};

/* Coordinate of a sample point along an axis of an extent, where the chain axis is the last one. */
__device__ __forceinline__ long coordinate(const sample_point_order &o,
                                           const zoid_sample_point &sample_point, int axis)
{
    if (axis == 2)
        return sample_point.at[o.dims - 1] - o.f.origin;
    return axis < o.dims - 1 ? sample_point.at[axis] : 0;
}

__device__ __forceinline__ long period(const sample_point_order &o, int axis)
{
    return axis == 2 ? o.f.n[o.dims - 1] : axis < o.dims - 1 ? o.f.n[axis] : 1;
}

/* Returns the first coordinate in the box along an axis at which the sample point lies: its own, or
 * a periodic image; at least the box's end if the box has no image of it. */
__device__ __forceinline__ long first_at(const sample_point_order &o,
                                         const zoid_sample_point &sample_point, int axis)
{
    const long at = coordinate(o, sample_point, axis), n = period(o, axis), lo = o.box.lo[axis];
    const bool round = axis == 2 ? o.round[o.dims - 1] : axis < o.dims - 1 ? o.round[axis] : false;

    if (round)
        return lo + ((at - lo) % n + n) % n;
    return at < lo ? o.box.hi[axis] : at;
}

/* Returns the address of field f at a point; NULL if its plane is in no segment. */
__device__ __forceinline__ char *place_of(const sample_point_order &o, const list &l, int f,
                                          const long at[])
{
    int stop = NEVER;
    const spot plane = find(l, (int)at[2], o.f.plane, &stop);

    return plane.at ? plane.at + f * plane.field + (at[1] - o.f.y0) * o.f.pitch +
                          (o.dims > 1 ? (at[0] - o.f.x0) * o.size : 0)
                    : nullptr;
}

__device__ __forceinline__ bool same_point(const zoid_sample_point &a, const zoid_sample_point &b)
{
    return a.at[0] == b.at[0] && a.at[1] == b.at[1] && a.at[2] == b.at[2];
}

/* Adds all sources at a point, in their order, at one of its images in the box. */
template <class T>
__device__ void add_at(const sample_point_order &o, size_t first, const long at[])
{
    const char *gain = o.gains ? place_of(o, o.gain, o.gain_field, at) : nullptr;

    for (size_t i = first; i < o.n && same_point(o.sample_point[i], o.sample_point[first]); i++) {
        const zoid_sample_point &sample_point = o.sample_point[i];
        const int stored = o.stored[sample_point.field];

        if (stored < 0 || o.step >= sample_point.samples)
            continue;
        T *value = reinterpret_cast<T *>(place_of(o, o.out, stored, at));
        double more = __dmul_rn(sample_point.weight, sample_point.series[o.step]);

        if (gain)
            more = __dmul_rn(more, (double)*reinterpret_cast<const T *>(gain));
        if (value)
            *value = (T)__dadd_rn((double)*value, more);
    }
}

template <class T> __global__ void add(const __grid_constant__ sample_point_order o)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    long at[ZOID_AXES];

    if (i >= o.n || (i > 0 && same_point(o.sample_point[i - 1], o.sample_point[i])))
        return;
    for (at[2] = first_at(o, o.sample_point[i], 2); at[2] < o.box.hi[2]; at[2] += period(o, 2))
        for (at[1] = first_at(o, o.sample_point[i], 1); at[1] < o.box.hi[1]; at[1] += period(o, 1))
            for (at[0] = first_at(o, o.sample_point[i], 0); at[0] < o.box.hi[0];
                 at[0] += period(o, 0))
                add_at<T>(o, i, at);
}

template <class T> __global__ void keep(const __grid_constant__ sample_point_order o)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    long at[ZOID_AXES];

    if (i >= o.n || o.stored[o.sample_point[i].field] < 0)
        return;
    for (int axis = 0; axis < ZOID_AXES; axis++) {
        at[axis] = first_at(o, o.sample_point[i], axis);
        if (at[axis] >= o.box.hi[axis])
            return;
    }
    const char *value = place_of(o, o.out, o.stored[o.sample_point[i].field], at);

    if (value)
        reinterpret_cast<T *>(o.row)[i] = *reinterpret_cast<const T *>(value);
}

/* Selects the sample points of the planes of the box. */
void choose(sample_point_order *o, const zoid_sample_point_list &list, long lo, long hi, long n)
{
    const bool inside = lo >= 0 && hi <= n;

    o->sample_point = inside ? list.sample_point + list.first[lo] : list.sample_point;
    o->n = inside ? list.first[hi] - list.first[lo] : list.n;
}

template <class T>
int launch(sample_point_order *o, const zoid_sweep *s, long lo, long hi, cudaStream_t stream)
{
    const zoid_sample_points *sample_points = s->sample_points;
    const long n = s->shape->n[zoid_chain(s->shape)];

    choose(o, sample_points->adds, lo, hi, n);
    if (o->n)
        add<T><<<ceil_div((long)o->n, THREADS), THREADS, 0, stream>>>(*o);
    choose(o, sample_points->keeps, lo, hi, n);
    o->step = zoid_step_of(s->op, s->t);
    o->row = static_cast<char *>(zoid_record_row(sample_points, o->step)) +
             (size_t)(o->sample_point - sample_points->keeps.sample_point) * sizeof(T);
    if (o->n)
        keep<T><<<ceil_div((long)o->n, THREADS), THREADS, 0, stream>>>(*o);
    return cudaGetLastError();
}

sample_point_order order_of(const zoid_sweep *s)
{
    sample_point_order o = {};

    o.dims = s->shape->dims;
    o.size = (int)zoid_type_size(s->layout->type);
    o.gains = s->op->gain > 0;
    o.gain_field = s->op->gain - s->op->nstate;
    for (int a = 0; a < ZOID_AXES; a++)
        o.round[a] = zoid_axis_periodic(s->shape, a);
    for (int f = 0; f < s->op->nstate; f++)
        o.stored[f] = (signed char)(zoid_writes_field(s->op, s->t, f)
                                        ? zoid_op_stored(s->op, f, zoid_step_of(s->op, s->t))
                                        : -1);
    return o;
}

/* Along axes that planes do not have, the box has one point. */
void set_box(sample_point_order *o, const extent &box, int chain)
{
    o->box = box;
    for (int a = chain; a < 2; a++) {
        o->box.lo[a] = 0;
        o->box.hi[a] = 1;
    }
}

} // namespace

int zoid_cuda_sample_points(const zoid_cuda_sweep *c)
{
    const zoid_sweep *s = c->sweep;
    const int chain = zoid_chain(s->shape);
    const zoid_segments *coefficients = &s->in[zoid_op_groups(s->op).n];
    const cudaStream_t stream = static_cast<cudaStream_t>(c->stream);
    sample_point_order o = order_of(s);

    return in_launches(
        s, chain,
        [&](const field_layout &f, long lo, long hi) {
            o.f = f;
            return select(&o.out, c->out, c->nout, lo, hi, f, (size_t)o.size) &&
                   (!o.gains || select(&o.gain, coefficients->segment, coefficients->n, lo, hi, f,
                                       (size_t)o.size));
        },
        [&](const extent &box) {
            const long lo = o.f.origin + box.lo[2], hi = o.f.origin + box.hi[2];

            set_box(&o, box, chain);
            o.step = zoid_step_of(s->op, s->t) - 1;
            return o.size == sizeof(float) ? launch<float>(&o, s, lo, hi, stream)
                                           : launch<double>(&o, s, lo, hi, stream);
        });
}

int zoid_cuda_load_sample_points(void)
{
    int error = load(add<float>);

    error = error ? error : load(add<double>);
    error = error ? error : load(keep<float>);
    return error ? error : load(keep<double>);
}
