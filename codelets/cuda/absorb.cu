/* SPDX-License-Identifier: BSD-3-Clause */
/* Damps the layers of absorbing boundaries on a GPU like codelets/block/absorb.c: a kernel launch
 * for each boundary, of up to MOST indices of its layer, in tiles. */
#include <cuda_runtime.h>

#include "codelets/block/absorb.h"
#include "codelets/block/row.h"
#include "codelets/cuda/fused_add.cuh"
#include "codelets/cuda/tiles.cuh"

namespace
{

enum { MOST = 48 };

struct absorb_order {
    field_layout f;
    tiled points; /* to damp */
    int dims, size;
    int axis; /* of their box, along which the layer's points have the factors k and m from first on
               */
    int first;
    unsigned fields; /* to damp */
    bool blends;     /* with the time before, in `now` */
    int newest;      /* field of `now` */
    double k[MOST], m[MOST];
    list out, now;
};

/* Damps a field at TOGETHER points of a thread, from point `first` on. */
template <class T>
__device__ __forceinline__ void damp_some(const absorb_order &o, const tile &own, const spot *out,
                                          const spot *now, const T *factor, const T *share,
                                          int field, int first)
{
    T *value[TOGETHER], here[TOGETHER], before[TOGETHER] = {};
    int index[TOGETHER];

#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
        const tile_point point = point_of(o.points, own, first + k);
        const long x = o.dims > 1 ? point.p[0] - o.f.x0 : 0;
        const long at = (point.p[1] - o.f.y0) * o.f.pitch + x * (long)sizeof(T);
        const spot to = point.inside ? out[point.p[2] - own.lo] : spot{};

        index[k] = (o.axis == 0 ? point.p[0] : o.axis == 1 ? point.p[1] : point.p[2]) - o.first;
        value[k] = to.at ? reinterpret_cast<T *>(to.at + field * to.field + at) : nullptr;
        if (!value[k])
            continue;
        here[k] = *value[k];
        if (const spot from = now[point.p[2] - own.lo]; from.at)
            before[k] = *reinterpret_cast<const T *>(from.at + o.newest * from.field + at);
    }
#pragma unroll
    for (int k = 0; k < TOGETHER; k++)
        if (value[k])
            *value[k] = o.blends ? fused_add(share[index[k]], before[k], factor[index[k]] * here[k])
                                 : here[k] * factor[index[k]];
}

template <class T> __global__ void damp(const __grid_constant__ absorb_order o)
{
    __shared__ spot out[TILE_PLANES], now[TILE_PLANES];
    __shared__ T factor[MOST], share[MOST]; /* k and m; lanes read different ones */
    const tile own = tile_of(o.points);

    for (int i = threadIdx.x; i < MOST; i += TILE_THREADS) {
        factor[i] = (T)o.k[i];
        share[i] = (T)o.m[i];
    }
    for (int i = threadIdx.x; i < own.planes; i += TILE_THREADS) {
        int stop = NEVER;

        out[i] = find(o.out, own.lo + i, o.f.plane, &stop);
        now[i] = o.blends ? find(o.now, own.lo + i, o.f.plane, &stop) : spot{};
    }
    __syncthreads();
    for (unsigned left = o.fields; left; left &= left - 1)
        for (int k = 0; k < o.points.points; k += TOGETHER)
            damp_some(o, own, out, now, factor, share, __ffs((int)left) - 1, k);
}

/* Sets the factors of indices [lo, hi) of a boundary's axis. */
void set_factors(absorb_order *o, const zoid_sweep *s, const zoid_reach &leaves, int axis, int side,
                 long lo, long hi)
{
    for (long i = lo; i < hi; i++)
        zoid_absorb_factors(s->op, s->params, axis,
                            zoid_absorb_index(s->shape, &leaves, axis, side, i), 1, &o->k[i - lo],
                            &o->m[i - lo]);
}

int launch(absorb_order *o, const extent &box, int chain, cudaStream_t stream)
{
    const extent points = points_of(box, chain);

    o->points = tiled_of(points, o->axis, 0, 0, points_in(points));
    if (o->size == sizeof(float))
        damp<float><<<tiles_of(o->points), TILE_THREADS, 0, stream>>>(*o);
    else
        damp<double><<<tiles_of(o->points), TILE_THREADS, 0, stream>>>(*o);
    return cudaGetLastError();
}

/* Damps some indices of a boundary's layer; `sweep` has their box. */
int damp_box(absorb_order *o, const zoid_cuda_sweep *c, const zoid_sweep *sweep, int axis)
{
    const int chain = zoid_chain(sweep->shape);
    const zoid_groups groups = zoid_op_groups(sweep->op);
    const int field = o->newest;
    const bool carried = sweep->fields >> field & 1;
    int index, error;
    const zoid_segments *in = zoid_segments_of(sweep, &groups, field, &index);

    if (!carried)
        o->newest = index;
    error = in_launches(
        sweep, chain,
        [&](const field_layout &f, long lo, long hi) {
            o->f = f;
            return select(&o->out, c->out, c->nout, lo, hi, f, (size_t)o->size) &&
                   (!o->blends ||
                    (carried ? select(&o->now, c->out, c->nout, lo, hi, f, (size_t)o->size)
                             : select(&o->now, in->segment, in->n, lo, hi, f, (size_t)o->size)));
        },
        [&](const extent &box) {
            o->axis = axis == chain ? 2 : axis;
            o->first = (int)(sweep->box.lo[axis] - (axis == chain ? o->f.origin : 0));
            return launch(o, box, chain, static_cast<cudaStream_t>(c->stream));
        });
    o->newest = field;
    return error;
}

/* Damps the layer at a boundary, in launches of MOST indices of its axis. */
int damp_layer(absorb_order *o, const zoid_cuda_sweep *c, const zoid_reach &leaves,
               const zoid_box &layer, int axis, int side)
{
    zoid_sweep some = *c->sweep;
    int error = 0;

    some.box = layer;
    for (long lo = layer.lo[axis]; lo < layer.hi[axis] && !error; lo = some.box.hi[axis]) {
        some.box.lo[axis] = lo;
        some.box.hi[axis] = lo + MOST < layer.hi[axis] ? lo + MOST : layer.hi[axis];
        set_factors(o, &some, leaves, axis, side, lo, some.box.hi[axis]);
        error = damp_box(o, c, &some, axis);
    }
    return error;
}

/* Damps the layers at all boundaries for fields that have the same box. */
int damp_fields(absorb_order *o, const zoid_cuda_sweep *c, int field)
{
    const zoid_sweep *s = c->sweep;
    const zoid_reach leaves = zoid_op_leaves(s->op, zoid_stage_of(s->op, s->t), field);
    const zoid_box box = zoid_sweep_box(s, field);
    int error = 0;

    o->blends = s->op->rotates;
    o->newest = s->op->rotates ? 1 - field : field;
    for (int axis = 0; axis < s->shape->dims; axis++)
        for (int side = 0; side < ZOID_SIDES && !error; side++) {
            const zoid_box layer = zoid_absorb_box(s->shape, s->params, &leaves, axis, side, &box);

            if (s->shape->face[axis][side] == ZOID_ABSORB && !zoid_box_empty(&layer))
                error = damp_layer(o, c, leaves, layer, axis, side);
        }
    return error;
}

} // namespace

int zoid_cuda_absorb(const zoid_cuda_sweep *c)
{
    const zoid_sweep *s = c->sweep;
    const zoid_stage *stage = &s->op->stage[zoid_stage_of(s->op, s->t)];
    absorb_order o = {};
    int error = 0;

    o.dims = s->shape->dims;
    o.size = (int)zoid_type_size(s->layout->type);
    for (int f = 0; f < s->op->nstate && !error; f++) {
        if (!(stage->writes >> f & 1))
            continue;
        o.fields = stage->nboxes || s->op->rotates ? 1u << f : stage->writes;
        error = damp_fields(&o, c, f);
        if (o.fields == stage->writes)
            break;
    }
    return error;
}

int zoid_cuda_load_absorb(void)
{
    const int error = load(damp<float>);

    return error ? error : load(damp<double>);
}
