/* SPDX-License-Identifier: BSD-3-Clause */
/* Finishes planes on a GPU like codelets/block/finish.c: sponges in tiles, ghosts and held faces
 * with a thread for each point. */
#include <cuda_runtime.h>

#include "codelets/cuda/tiles.cuh"

namespace
{

enum { THREADS = 256 };

struct finish_order {
    zoid_finish finish;
    field_layout f;
    extent box; /* points to hold, or with ghosts to fill */
    tiled_boxes sponges;
    int dims, size, field;
    double value; /* of a held face */
    list out;
};

/* The point of a thread. */
struct position {
    int x, y, plane;
    char *row; /* address of x = 0 of its row */
};

/* Finds the thread's point among rows of `width`; returns false if it is past the end or its plane
 * is in no output segment. */
__device__ __forceinline__ bool locate(const finish_order &o, long width, position *at)
{
    const long rows = o.box.hi[1] - o.box.lo[1], planes = o.box.hi[2] - o.box.lo[2];
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    int stop = NEVER;
    spot to;

    if (i >= width * rows * planes)
        return false;
    at->x = (int)(i % width);
    i /= width;
    at->y = o.box.lo[1] + (int)(i % rows);
    i /= rows;
    at->plane = o.box.lo[2] + (int)i;
    to = find(o.out, at->plane, o.f.plane, &stop);
    at->row =
        to.at ? to.at + o.field * to.field + (at->y - o.f.y0) * o.f.pitch - (long)o.f.x0 * o.size
              : nullptr;
    return to.at;
}

/* Fades TOGETHER points of a thread, from point `first` on. Order: x before y before z, the low
 * face before the high one. */
template <class T>
__device__ __forceinline__ void fade_some(const finish_order &o, const tiled &box, const tile &own,
                                          const spot *out, const T *taper, int first)
{
    T *value[TOGETHER], faded[TOGETHER];

#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
        const tile_point point = point_of(box, own, first + k);
        const spot to = point.inside ? out[point.p[2] - own.lo] : spot{};
        const long x = o.dims > 1 ? point.p[0] - o.f.x0 : 0;

        value[k] = to.at ? reinterpret_cast<T *>(to.at + o.field * to.field +
                                                 (point.p[1] - o.f.y0) * o.f.pitch) +
                               x
                         : nullptr;
        if (value[k])
            faded[k] = *value[k];
    }
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
        const tile_point point = point_of(box, own, first + k);

        if (!value[k])
            continue;
#pragma unroll
        for (int axis = 0; axis < ZOID_AXES; axis++)
#pragma unroll
            for (int side = 0; side < ZOID_SIDES; side++) {
                const long i = axis == o.dims - 1 ? o.f.origin + point.p[2] : point.p[axis];
                const long d = side == ZOID_LOW ? i : o.f.n[axis] - 1 - i;

                if (o.finish.sponge[axis][side] && d < ZOID_SPONGE_WIDTH)
                    faded[k] *= taper[d];
            }
        *value[k] = faded[k];
    }
}

template <class T> __global__ void fade(const __grid_constant__ finish_order o)
{
    __shared__ spot out[TILE_PLANES];
    __shared__ T taper[ZOID_SPONGE_WIDTH];
    const tiled &box = box_of(o.sponges);
    const tile own = tile_of(box);

    for (int i = threadIdx.x; i < ZOID_SPONGE_WIDTH; i += TILE_THREADS)
        taper[i] = (T)o.finish.taper[i];
    for (int i = threadIdx.x; i < own.planes; i += TILE_THREADS) {
        int stop = NEVER;

        out[i] = find(o.out, own.lo + i, o.f.plane, &stop);
    }
    __syncthreads();
    for (int k = 0; k < box.points; k += TOGETHER)
        fade_some(o, box, own, out, taper, k);
}

/* Sets the points of the box to a value. */
template <class T> __global__ void hold(const __grid_constant__ finish_order o)
{
    position at;

    if (locate(o, o.box.hi[0] - o.box.lo[0], &at))
        reinterpret_cast<T *>(at.row)[o.dims > 1 ? o.box.lo[0] + at.x : 0] = (T)o.value;
}

/* Fills the ghosts in x; number i of a row is ghost i of the low side, then of the high one. */
__global__ void fill_rows(const __grid_constant__ finish_order o)
{
    const int low = o.finish.count[0][ZOID_LOW], all = low + o.finish.count[0][ZOID_HIGH];
    position at;

    if (!locate(o, all, &at))
        return;
    const int side = at.x < low ? ZOID_LOW : ZOID_HIGH, i = side == ZOID_LOW ? at.x : at.x - low;
    const long to = side == ZOID_LOW ? -1 - i : o.f.n[0] + i;

    for (int b = 0; b < o.size; b++)
        at.row[to * o.size + b] = at.row[o.finish.stands_for[0][side][i] * o.size + b];
    /* The sign is the highest bit. */
    if (o.finish.turned[0][side] >> i & 1)
        at.row[(to + 1) * o.size - 1] ^= (char)0x80;
}

/* Returns a quad of floats of `size` bytes with their signs turned. */
__device__ __forceinline__ uint4 turned(uint4 quad, int size)
{
    const unsigned sign = 1u << 31, other = size == sizeof(float) ? sign : 0;

    return {quad.x ^ other, quad.y ^ sign, quad.z ^ other, quad.w ^ sign};
}

/* Fills ghost rows, padding included: a thread copies a quad of a row of the box to all ghost rows
 * that stand for it. */
__global__ void fill_planes(const __grid_constant__ finish_order o)
{
    position at;

    if (!locate(o, o.f.pitch / (long)sizeof(uint4), &at))
        return;
    uint4 *row = reinterpret_cast<uint4 *>(at.row + (long)o.f.x0 * o.size) + at.x;

    for (int side = 0; side < ZOID_SIDES; side++)
        for (int i = 0; i < o.finish.count[1][side]; i++)
            if (o.finish.stands_for[1][side][i] == at.y) {
                const long to = side == ZOID_LOW ? -1 - i : o.f.n[1] + i;

                row[(to - at.y) * o.f.pitch / (long)sizeof(uint4)] =
                    o.finish.turned[1][side] >> i & 1 ? turned(*row, o.size) : *row;
            }
}

int blocks_for(const finish_order &o, long width)
{
    return ceil_div(width * (o.box.hi[1] - o.box.lo[1]) * (o.box.hi[2] - o.box.lo[2]), THREADS);
}

void launch_fade(finish_order *o, const zoid_sweep *s, int chain, cudaStream_t stream)
{
    face_layers layers = {};

    for (int axis = 0; axis < o->dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++)
            if (o->finish.sponge[axis][side]) {
                const long lo = side == ZOID_LOW ? 0 : s->shape->n[axis] - ZOID_SPONGE_WIDTH;
                const int a = axis == chain ? 2 : axis;
                const long from = lo - (axis == chain ? o->f.origin : 0);

                layers.lo[a][side] = from;
                layers.hi[a][side] = from + ZOID_SPONGE_WIDTH;
            }
    o->box = points_of(extent_of(zoid_sweep_box(s, o->field), chain, o->f.origin), chain);
    o->sponges = in_layers(o->box, layers, tiled_of);
    if (o->sponges.tiles > 0 && s->layout->type == ZOID_F32)
        fade<float><<<o->sponges.tiles, TILE_THREADS, 0, stream>>>(*o);
    else if (o->sponges.tiles > 0 && s->layout->type == ZOID_F64)
        fade<double><<<o->sponges.tiles, TILE_THREADS, 0, stream>>>(*o);
}

void launch_hold(finish_order *o, const zoid_sweep *s, int chain, cudaStream_t stream)
{
    for (int face = 0; face < s->shape->dims * ZOID_SIDES; face++) {
        zoid_box box;

        if (!zoid_sweep_holds(s, o->field, face / ZOID_SIDES, face % ZOID_SIDES, &o->value, &box))
            continue;
        o->box = points_of(extent_of(box, chain, o->f.origin), chain);
        const int blocks = blocks_for(*o, o->box.hi[0] - o->box.lo[0]);

        if (s->layout->type == ZOID_F32)
            hold<float><<<blocks, THREADS, 0, stream>>>(*o);
        else
            hold<double><<<blocks, THREADS, 0, stream>>>(*o);
    }
}

void launch_fill(finish_order *o, const zoid_sweep *s, int chain, cudaStream_t stream)
{
    const long ghosts = o->finish.count[0][ZOID_LOW] + o->finish.count[0][ZOID_HIGH];

    o->box = points_of(extent_of(s->box, chain, o->f.origin), chain);
    if (ghosts > 0)
        fill_rows<<<blocks_for(*o, ghosts), THREADS, 0, stream>>>(*o);
    if (chain == 2 && o->finish.count[1][ZOID_LOW] + o->finish.count[1][ZOID_HIGH] > 0)
        fill_planes<<<blocks_for(*o, o->f.pitch / (long)sizeof(uint4)), THREADS, 0, stream>>>(*o);
}

/* Calls launch for every field, per MAX_SEGMENTS output segments; usually one launch has room for
 * all. */
template <class Launch>
void each_field(const zoid_finish *finish, const zoid_cuda_sweep *c, const Launch &launch)
{
    const zoid_sweep *s = c->sweep;
    const int chain = zoid_chain(s->shape);
    const long lo = s->box.lo[chain], hi = s->box.hi[chain];
    finish_order o = {};

    o.finish = *finish;
    o.f = layout_of(s, lo);
    o.dims = s->shape->dims;
    o.size = (int)zoid_type_size(s->layout->type);
    for (size_t i = 0; i < c->nout; i += MAX_SEGMENTS) {
        const size_t n = c->nout - i < MAX_SEGMENTS ? c->nout - i : MAX_SEGMENTS;

        select(&o.out, c->out + i, n, lo, hi, o.f, (size_t)o.size);
        for (o.field = 0; o.field < s->op->nstate; o.field++)
            launch(&o);
    }
}

} // namespace

int zoid_cuda_finish(const zoid_finish *finish, const zoid_cuda_sweep *c)
{
    const zoid_sweep *s = c->sweep;
    const int chain = zoid_chain(s->shape);
    const cudaStream_t stream = static_cast<cudaStream_t>(c->stream);
    const unsigned writes = s->op->stage[zoid_stage_of(s->op, s->t)].writes;
    int error = finish->absorbs ? zoid_cuda_absorb(c) : cudaSuccess;

    if (finish->remembers)
        error = error ? error : zoid_cuda_remember(c);
    if (finish->sponges)
        each_field(finish, c, [&](finish_order *o) {
            if (writes >> o->field & 1)
                launch_fade(o, s, chain, stream);
        });
    if (finish->holds)
        each_field(finish, c, [&](finish_order *o) { launch_hold(o, s, chain, stream); });
    if (s->sample_points)
        error = error ? error : zoid_cuda_sample_points(c);
    if (finish->ghosts)
        each_field(finish, c, [&](finish_order *o) {
            if (s->fields >> o->field & 1)
                launch_fill(o, s, chain, stream);
        });
    return error ? error : cudaGetLastError();
}

int zoid_cuda_load_finish(void)
{
    int error = load(fade<float>);

    error = error ? error : load(fade<double>);
    error = error ? error : load(hold<float>);
    error = error ? error : load(hold<double>);
    error = error ? error : load(fill_rows);
    return error ? error : load(fill_planes);
}
