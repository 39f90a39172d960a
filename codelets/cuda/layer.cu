/* SPDX-License-Identifier: BSD-3-Clause */
/* Perfectly matched layers on a GPU like codelets/block/layer.c: all layers of a sweep in one
 * launch, in tiles with a thread for each point. */
#include <cuda_runtime.h>
#include <type_traits>
#include <vector>

#include "codelets/block/layer.h"
#include "codelets/block/row.h"
#include "codelets/cuda/fused_add.cuh"
#include "codelets/cuda/tiles.cuh"
#include "codelets/op/traits.h"

namespace
{

enum { MOST_RADIUS = 6 };

/* Buffer for coefficients of layers of up to KEPT points; others are read in main memory. */
enum { KEPT = 1024 };
__device__ double kept[ZOID_AXES * KEPT * ZOID_LAYER_COEFFICIENTS];

struct pieces {
    int n;
    struct {
        int lo, hi;
        char *base;
    } piece[MAX_SEGMENTS];
};

/* Planes count from the origin of `f`, also in `layers`. Along axes that planes do not have, points
 * are at 0; the chain axis is the last one. */
template <class T> struct layer_order {
    field_layout f;
    zoid_layers layers;
    tiled_boxes boxes; /* all points of the layers */
    T first[ZOID_AXES][MOST_RADIUS + 1], second[ZOID_AXES][MOST_RADIUS + 1];
    const double *table; /* of codelets/block/layer.h */
    int newest, written; /* fields of `in` and `out` */
    list in, out, c;
    pieces memory;
};

/* Where the planes of a tile lie: fields, and the memory of their layers. */
struct planes {
    char *in[TILE_PLANES + 2 * MOST_RADIUS], *out[TILE_PLANES], *c[TILE_PLANES];
    char *memory[TILE_PLANES];
};

/* Returns where the memory of a plane begins. */
template <class T> __device__ __forceinline__ char *memory_of(const layer_order<T> &o, int plane)
{
    int k = 0;

    while (k + 1 < o.memory.n && plane >= o.memory.piece[k].hi)
        k++;
    return o.memory.piece[k].base +
           zoid_layers_elements(&o.layers, o.memory.piece[k].lo, plane) * (long)sizeof(T);
}

/* Updates the memory of a point in the layer at a boundary; returns P + zeta. `in` points at its
 * plane, `at` is its place in there in bytes. */
template <class T, int RADIUS>
__device__ __forceinline__ T add(const layer_order<T> &o, char *const *in, char *memory, long at,
                                 const int p[ZOID_AXES], int axis, int side)
{
    const zoid_layer_face &face = o.layers.face[axis][side];
    const bool chain = axis == o.layers.chain;
    const long i = (chain ? p[2] : p[axis]) - face.lo, points = o.layers.points;
    const double *c = o.table + (axis * points + (side == ZOID_LOW ? i : points - 1 - i)) *
                                    ZOID_LAYER_COEFFICIENTS;
    const double sign = side == ZOID_LOW ? 1 : -1;
    const T a = (T)c[0], b = (T)c[1], da = (T)(sign * c[2]), db = (T)(sign * c[3]);
    const long step = axis == 0 ? (long)sizeof(T) : o.f.pitch;
    T *psi = reinterpret_cast<T *>(memory) + face.at + p[1] * face.row + p[0];
    T *last = psi + face.apart, *zeta = last + face.apart;
    T d1 = 0, d2 = o.second[axis][0] * *reinterpret_cast<const T *>(in[0] + at);

#pragma unroll
    for (int k = 1; k <= RADIUS; k++) {
        const T up = *reinterpret_cast<const T *>(chain ? in[k] + at : in[0] + at + k * step);
        const T down = *reinterpret_cast<const T *>(chain ? in[-k] + at : in[0] + at - k * step);

        d1 = k == 1 ? o.first[axis][k] * (up - down) : fused_add(o.first[axis][k], up - down, d1);
        d2 = fused_add(o.second[axis][k], down + up, d2);
    }

    const T old = *psi, now = fused_add(b, d2, fused_add(db, d1, fused_add(da, old, a * *last)));
    const T outer = fused_add(b, d2 + now, a * *zeta);

    *psi = fused_add(b, d1, a * old);
    *last = now;
    *zeta = outer;
    return now + outer;
}

template <class T, int RADIUS> __global__ void remember(const __grid_constant__ layer_order<T> o)
{
    __shared__ planes of;
    const tiled &box = box_of(o.boxes);
    const tile own = tile_of(box);

    find_planes(of.in, o.in, o.f, o.newest, own.lo - RADIUS, own.planes + 2 * RADIUS);
    find_planes(of.out, o.out, o.f, o.written, own.lo, own.planes);
    find_planes(of.c, o.c, o.f, 0, own.lo, own.planes);
    for (int i = threadIdx.x; i < own.planes; i += TILE_THREADS)
        of.memory[i] = memory_of(o, own.lo + i);
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < TILE_POINTS; k++) {
        const tile_point point = point_of(box, own, k);

        if (!point.inside)
            continue;

        const int plane = point.p[2] - own.lo;
        const long x = o.layers.chain > 0 ? point.p[0] - o.f.x0 : 0;
        const long at = (point.p[1] - o.f.y0) * o.f.pitch + x * (long)sizeof(T);
        T *out = reinterpret_cast<T *>(of.out[plane] + at);
        const T c = *reinterpret_cast<const T *>(of.c[plane] + at);
        T sum = *out;

#pragma unroll
        for (int axis = 0; axis < ZOID_AXES; axis++)
#pragma unroll
            for (int side = 0; side < ZOID_SIDES; side++) {
                const zoid_layer_face &face = o.layers.face[axis][side];
                const int i = axis == o.layers.chain ? point.p[2] : point.p[axis];

                if (face.there && i >= face.lo && i < face.hi)
                    sum = fused_add(c,
                                    add<T, RADIUS>(o, of.in + plane + RADIUS, of.memory[plane], at,
                                                   point.p, axis, side),
                                    sum);
            }
        *out = sum;
    }
}

/* Calls something with the radius as a constant. */
template <int RADIUS = 1, class F> auto with_radius(int radius, const F &call)
{
    if constexpr (RADIUS < MOST_RADIUS)
        if (radius > RADIUS)
            return with_radius<RADIUS + 1>(radius, call);
    return call(std::integral_constant<int, RADIUS>());
}

/* ---- launches ------------------------------------------------------------------------------ */

template <class T> int launch(layer_order<T> *o, int radius, const extent &box, cudaStream_t stream)
{
    face_layers at = {};

    for (int axis = 0; axis < o->layers.dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++)
            if (const zoid_layer_face &face = o->layers.face[axis][side]; face.there) {
                const int a = axis == o->layers.chain ? 2 : axis;

                at.lo[a][side] = face.lo;
                at.hi[a][side] = face.hi;
            }
    o->boxes = in_layers(points_of(box, o->layers.chain), at);
    if (o->boxes.tiles > 0)
        with_radius(radius, [&](auto r) {
            remember<T, r><<<o->boxes.tiles, TILE_THREADS, 0, stream>>>(*o);
        });
    return cudaGetLastError();
}

/* Lists the pieces that have planes of [lo, hi), in their order; false if there are too many. */
bool select_pieces(pieces *to, const zoid_segments &given, long lo, long hi, long origin)
{
    to->n = 0;
    for (long plane = lo; plane < hi;) {
        const zoid_segment *piece = given.segment;

        while (plane < piece->lo || plane >= piece->hi)
            piece++;
        if (to->n == MAX_SEGMENTS)
            return false;
        to->piece[to->n++] = {(int)(piece->lo - origin), (int)(piece->hi - origin),
                              static_cast<char *>(piece->base)};
        plane = piece->hi;
    }
    return true;
}

/* Copies the coefficients to the GPU if its buffer has room for them. */
template <class T> int bring(layer_order<T> *o, const zoid_params *params, cudaStream_t stream)
{
    const double *table = params->pml.table;
    std::vector<double> own;
    void *there = nullptr;
    int error;

    if (!table) {
        own.resize(zoid_layer_bytes(params) / sizeof(double));
        zoid_layer_make(params, own.data());
        table = own.data();
    }
    o->table = table;
    if (params->pml.points > KEPT)
        return own.empty() ? cudaSuccess : cudaErrorInvalidValue;
    error = cudaGetSymbolAddress(&there, kept);
    o->table = static_cast<const double *>(there);
    return error ? error
                 : cudaMemcpyAsync(there, table, zoid_layer_bytes(params), cudaMemcpyHostToDevice,
                                   stream);
}

/* Counts planes of the layers along the chain axis from `origin`. */
zoid_layers counted_from(zoid_layers layers, long origin)
{
    for (int side = 0; side < ZOID_SIDES; side++) {
        layers.face[layers.chain][side].lo -= origin;
        layers.face[layers.chain][side].hi -= origin;
    }
    return layers;
}

template <class T> int remember_all(const zoid_cuda_sweep *c)
{
    zoid_sweep s = *c->sweep;
    const int chain = zoid_chain(s.shape), r = s.op->radius;
    const cudaStream_t stream = static_cast<cudaStream_t>(c->stream);
    const zoid_groups groups = zoid_op_groups(s.op);
    const zoid_layers layers = zoid_layers_of(s.op, s.shape, s.params, s.layout);
    layer_order<T> o = {};
    const zoid_segments *in;
    const int error = bring(&o, s.params, stream);

    o.written = __builtin_ctz(s.op->stage[zoid_stage_of(s.op, s.t)].writes);
    in = zoid_segments_of(&s, &groups, 1 - o.written, &o.newest);
    for (int axis = 0; axis < s.op->dims; axis++)
        for (int k = 0; k <= r; k++) {
            o.first[axis][k] = (T)zoid_first_along(s.op, s.params->spacing, axis, k);
            o.second[axis][k] = (T)zoid_second_along(s.op, s.params->spacing, axis, k);
        }
    s.box = zoid_sweep_box(c->sweep, o.written);
    if (error || zoid_box_empty(&s.box))
        return error;
    return in_launches(
        &s, chain,
        [&](const field_layout &f, long lo, long hi) {
            const zoid_segments *of = &s.in[groups.n];

            o.f = f;
            o.layers = counted_from(layers, f.origin);
            return select(&o.out, c->out, c->nout, lo, hi, f, sizeof(T)) &&
                   select(&o.in, in->segment, in->n, lo - r, hi + r, f, sizeof(T)) &&
                   select(&o.c, of->segment, of->n, lo, hi, f, sizeof(T)) &&
                   select_pieces(&o.memory, s.memory, lo, hi, f.origin);
        },
        [&](const extent &box) { return launch(&o, r, box, stream); });
}

} // namespace

int zoid_cuda_remember(const zoid_cuda_sweep *sweep)
{
    return sweep->sweep->layout->type == ZOID_F32 ? remember_all<float>(sweep)
                                                  : remember_all<double>(sweep);
}

int zoid_cuda_load_layer(void)
{
    int error = 0;

    for (int radius = 1; radius <= MOST_RADIUS; radius++)
        with_radius(radius, [&](auto r) {
            error = error ? error : load(remember<float, r>);
            error = error ? error : load(remember<double, r>);
        });
    return error;
}
