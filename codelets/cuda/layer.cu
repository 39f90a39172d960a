/* SPDX-License-Identifier: BSD-3-Clause */
/* Perfectly matched layers on a GPU like codelets/block/layer.c: all layers of a sweep in one
 * launch, in tiles. */
#include <algorithm>
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

enum { MOST_RADIUS = 6, COEFFICIENTS = ZOID_LAYER_COEFFICIENTS };

/* Buffer for coefficients of layers of up to KEPT points; others are read in main memory. Blocks of
 * threads copy those of up to NEAR points. */
enum { KEPT = 1024, NEAR = 48 };
__device__ double kept[ZOID_AXES * KEPT * COEFFICIENTS];

struct pieces {
    int n;
    struct {
        long lo, hi; /* also beyond a launch */
        char *base;
    } piece[MAX_SEGMENTS];
};

/* The layer at a boundary: its indices, and where its memory lies, see struct zoid_layer_face. */
struct face_order {
    int lo, hi;
    long at, row, apart;
};

/* Planes count from the origin of `f`, also in `layers` and `face`. Axes are those of extents. */
template <class T> struct layer_order {
    field_layout f;
    zoid_layers layers;
    face_order face[ZOID_AXES][ZOID_SIDES];
    int points;        /* of a layer */
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

/* A point whose layers are applied. */
template <class T> struct layered {
    int p[ZOID_AXES];
    char *const *in; /* the planes of the field from that of the point on */
    char *memory;    /* of its plane */
    long at;         /* of the point in a plane, in bytes */
};

/* What the update of a point's memory at a boundary reads: values of the field along the axis, and
 * psi, P and zeta. The values of a thread's points are loaded before any is used. */
template <class T, int RADIUS> struct read {
    T centre, up[RADIUS], down[RADIUS], old, last, zeta;
    T *psi;
};

template <class T, int RADIUS, int axis>
__device__ __forceinline__ read<T, RADIUS> read_at(const layer_order<T> &o, const layered<T> &point,
                                                   const face_order &face)
{
    const long step = axis == 0 ? (long)sizeof(T) : o.f.pitch;
    const char *here = point.in[0] + point.at;
    read<T, RADIUS> r;

    r.psi = reinterpret_cast<T *>(point.memory) + face.at + point.p[1] * face.row + point.p[0];
    r.old = r.psi[0];
    r.last = r.psi[face.apart];
    r.zeta = r.psi[2 * face.apart];
    r.centre = *reinterpret_cast<const T *>(here);
#pragma unroll
    for (int k = 1; k <= RADIUS; k++) {
        r.up[k - 1] =
            *reinterpret_cast<const T *>(axis == 2 ? point.in[k] + point.at : here + k * step);
        r.down[k - 1] =
            *reinterpret_cast<const T *>(axis == 2 ? point.in[-k] + point.at : here - k * step);
    }
    return r;
}

/* Updates the memory of a point at a boundary; returns P + zeta. `near`: the table, if the block of
 * threads has a copy. */
template <class T, int RADIUS, int axis>
__device__ __forceinline__ T add(const layer_order<T> &o, const read<T, RADIUS> &r,
                                 const face_order &face, int side, int i, const T *near)
{
    const int index = side == ZOID_LOW ? i - face.lo : face.hi - 1 - i;
    const int from = ((axis == 2 ? o.layers.chain : axis) * o.points + index) * COEFFICIENTS;
    const T sign = side == ZOID_LOW ? 1 : -1;
    T c[COEFFICIENTS], d1 = 0, d2 = o.second[axis][0] * r.centre;

#pragma unroll
    for (int k = 0; k < COEFFICIENTS; k++)
        c[k] = near ? near[from + k] : (T)o.table[from + k];

#pragma unroll
    for (int k = 1; k <= RADIUS; k++) {
        const T up = r.up[k - 1], down = r.down[k - 1];

        d1 = k == 1 ? o.first[axis][k] * (up - down) : fused_add(o.first[axis][k], up - down, d1);
        d2 = fused_add(o.second[axis][k], down + up, d2);
    }

    const T a = c[0], b = c[1], da = sign * c[2], db = sign * c[3];
    const T now = fused_add(b, d2, fused_add(db, d1, fused_add(da, r.old, a * r.last)));
    const T outer = fused_add(b, d2 + now, a * r.zeta);

    r.psi[0] = fused_add(b, d1, a * r.old);
    r.psi[face.apart] = now;
    r.psi[2 * face.apart] = outer;
    return now + outer;
}

/* Adds the terms of a point's layers along an axis, after those of earlier axes. */
template <class T, int RADIUS, int axis>
__device__ __forceinline__ T add_all(const layer_order<T> &o, const layered<T> &point, T c, T sum,
                                     const T *near)
{
    if constexpr (axis >= 0) {
        sum = add_all<T, RADIUS, axis - 1>(o, point, c, sum, near);
#pragma unroll 1
        for (int side = 0; side < ZOID_SIDES; side++) {
            const face_order &face = o.face[axis][side];

            if (point.p[axis] >= face.lo && point.p[axis] < face.hi)
                sum = fused_add(c,
                                add<T, RADIUS, axis>(o, read_at<T, RADIUS, axis>(o, point, face),
                                                     face, side, point.p[axis], near),
                                sum);
        }
    }
    return sum;
}

/* Applies the layers to the points of a tile, all of which are in a layer of `axis`, and some in
 * layers of axes before. */
template <class T, int RADIUS, int axis>
__device__ __forceinline__ void apply(const layer_order<T> &o, const tiled &box, const tile &own,
                                      const planes &of, const T *near)
{
    /* Points whose values a thread reads together: more take too many registers. */
    enum { PAIR = RADIUS * sizeof(T) <= 4 * sizeof(float) ? 2 : 1 };
    const int side = box.side;
    const face_order face = o.face[axis][side];

#pragma unroll 1
    for (int first = 0; first < box.points; first += PAIR) {
        layered<T> point[PAIR];
        read<T, RADIUS> r[PAIR];
        T *out[PAIR], c[PAIR], sum[PAIR];

#pragma unroll
        for (int k = 0; k < PAIR; k++) {
            const tile_point at = point_of(box, own, first + k);
            const int plane = at.p[2] - own.lo;
            const long x = o.layers.chain > 0 ? at.p[0] - o.f.x0 : 0;

            out[k] = nullptr;
            if (!at.inside)
                continue;
            point[k] = {{at.p[0], at.p[1], at.p[2]},
                        of.in + plane + RADIUS,
                        of.memory[plane],
                        (at.p[1] - o.f.y0) * o.f.pitch + x * (long)sizeof(T)};
            out[k] = reinterpret_cast<T *>(of.out[plane] + point[k].at);
            sum[k] = *out[k];
            c[k] = *reinterpret_cast<const T *>(of.c[plane] + point[k].at);
            r[k] = read_at<T, RADIUS, axis>(o, point[k], face);
        }
#pragma unroll
        for (int k = 0; k < PAIR; k++) {
            if (!out[k])
                continue;
            sum[k] = add_all<T, RADIUS, axis - 1>(o, point[k], c[k], sum[k], near);
            *out[k] = fused_add(
                c[k], add<T, RADIUS, axis>(o, r[k], face, side, point[k].p[axis], near), sum[k]);
        }
    }
}

template <class T, int RADIUS> __global__ void remember(const __grid_constant__ layer_order<T> o)
{
    enum { TEAMS = 4 };
    __shared__ planes of;
    __shared__ T near[ZOID_AXES * NEAR * COEFFICIENTS];
    const tiled &box = box_of(o.boxes);
    const tile own = tile_of(box);
    const int beyond = box.axis == 2 ? RADIUS : 0; /* planes that layers of other axes read */
    const int coefficients = o.points <= NEAR ? o.layers.dims * o.points * COEFFICIENTS : 0;
    const T *copy = coefficients ? near : nullptr;

    switch (threadIdx.x * TEAMS / TILE_THREADS) {
    case 0:
        find_planes(of.in + RADIUS - beyond, o.in, o.f, o.newest, own.lo - beyond,
                    own.planes + 2 * beyond, TEAMS);
        break;
    case 1:
        find_planes(of.out, o.out, o.f, o.written, own.lo, own.planes, TEAMS);
        break;
    case 2:
        find_planes(of.c, o.c, o.f, 0, own.lo, own.planes, TEAMS);
        break;
    default:
        for (int i = threadIdx.x % (TILE_THREADS / TEAMS); i < own.planes;
             i += TILE_THREADS / TEAMS)
            of.memory[i] = memory_of(o, own.lo + i);
    }
    for (int i = threadIdx.x; i < coefficients; i += TILE_THREADS)
        near[i] = (T)o.table[i];
    __syncthreads();
    if (box.axis == 2)
        apply<T, RADIUS, 2>(o, box, own, of, copy);
    else if (box.axis == 1)
        apply<T, RADIUS, 1>(o, box, own, of, copy);
    else
        apply<T, RADIUS, 0>(o, box, own, of, copy);
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

    for (int axis = 0; axis < ZOID_AXES; axis++)
        for (int side = 0; side < ZOID_SIDES; side++) {
            at.lo[axis][side] = o->face[axis][side].lo;
            at.hi[axis][side] = o->face[axis][side].hi;
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
        to->piece[to->n++] = {piece->lo - origin, piece->hi - origin,
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

/* Returns an index as an int; indices beyond the reach of any launch stay beyond it. */
int within_reach(long i)
{
    return (int)std::clamp<long>(i, -NEVER, NEVER);
}

/* Sets where the layers lie, with planes along the chain axis from `origin`. */
template <class T> void count_from(layer_order<T> *o, const zoid_layers &layers, long origin)
{
    o->layers = layers;
    o->points = (int)layers.points;
    for (int axis = 0; axis < layers.dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++) {
            zoid_layer_face *face = &o->layers.face[axis][side];

            if (axis == layers.chain) {
                face->lo -= origin;
                face->hi -= origin;
            }
            if (face->there)
                o->face[axis == layers.chain ? 2 : axis][side] = {within_reach(face->lo),
                                                                  within_reach(face->hi), face->at,
                                                                  face->row, face->apart};
        }
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
    for (int axis = 0, of = 0; axis < s.op->dims; axis++)
        for (int k = 0; k <= r; k++) {
            of = axis == chain ? 2 : axis;
            o.first[of][k] = (T)zoid_first_along(s.op, s.params->spacing, axis, k);
            o.second[of][k] = (T)zoid_second_along(s.op, s.params->spacing, axis, k);
        }
    s.box = zoid_sweep_box(c->sweep, o.written);
    if (error || zoid_box_empty(&s.box))
        return error;
    return in_launches(
        &s, chain,
        [&](const field_layout &f, long lo, long hi) {
            const zoid_segments *of = &s.in[groups.n];

            o.f = f;
            count_from(&o, layers, f.origin);
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
