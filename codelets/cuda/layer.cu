/* SPDX-License-Identifier: BSD-3-Clause */
/* Perfectly matched layers on a GPU like codelets/block/layer.c: all layers of a sweep in one
 * launch, in tiles. */
#include <algorithm>
#include <cuda_runtime.h>
#include <map>
#include <mutex>
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

/* Points of a thread whose values are loaded before any is used. */
enum { GROUP = 2 };

/* Buffer for coefficients of layers of up to KEPT points; others are read in main memory. */
enum { KEPT = 1024 };
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

template <class T> struct alignas(16) coefficients {
    T a, b, da, db;
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

/* Returns the coefficients of an index of a layer. */
template <class T>
__device__ __forceinline__ coefficients<T> coefficients_of(const layer_order<T> &o, int axis,
                                                           int side, int i)
{
    const face_order &face = o.face[axis][side];
    const int index = side == ZOID_LOW ? i - face.lo : face.hi - 1 - i;
    const double *c =
        o.table + ((axis == 2 ? o.layers.chain : axis) * o.points + index) * COEFFICIENTS;
    const double sign = side == ZOID_LOW ? 1 : -1;

    return {(T)c[0], (T)c[1], (T)(sign * c[2]), (T)(sign * c[3])};
}

/* A point of a thread: its plane in the tile, and where it lies in that and in its memory, in
 * bytes.
 */
struct place {
    int plane;
    long field, memory;
};

/* The points of a thread: n of a line, along the axis ALONG. */
template <class T, int ALONG> struct line {
    const layer_order<T> &o;
    const planes &of;
    int p[ZOID_AXES], n;

    /* Returns the place of the first point, in the layer at a boundary. */
    __device__ __forceinline__ place begin(int plane, const face_order &face) const
    {
        return {plane, (p[1] - o.f.y0) * o.f.pitch + (p[0] - o.f.x0) * (long)sizeof(T),
                (face.at + p[1] * face.row + p[0]) * (long)sizeof(T)};
    }
    /* Returns the place n points further. */
    __device__ __forceinline__ place up(place at, int n, const face_order &face) const
    {
        if constexpr (ALONG == 2)
            return {at.plane + n, at.field, at.memory};
        return {at.plane, at.field + n * o.f.pitch, at.memory + n * face.row * (long)sizeof(T)};
    }
};

template <class T> __device__ __forceinline__ T *global(char *base, long at)
{
    char *to = base + at;

    __builtin_assume(__isGlobal(to));
    return reinterpret_cast<T *>(to);
}

/* What the update of a point in a layer reads and writes beside the field along the axis: psi, P
 * and zeta, the coefficient of the point, and its value. */
template <class T> struct held {
    T *psi, *to;
    T old, last, zeta, c, sum;
};

template <class T>
__device__ __forceinline__ held<T> hold_at(const planes &of, const place &at, long apart)
{
    held<T> h = {global<T>(of.memory[at.plane], at.memory), global<T>(of.out[at.plane], at.field)};

    h.old = h.psi[0];
    h.last = h.psi[apart];
    h.zeta = h.psi[2 * apart];
    h.c = *global<T>(of.c[at.plane], at.field);
    h.sum = *h.to;
    return h;
}

/* Updates the memory and the value of a point, whose neighbours along the axis are centre[k]. */
template <class T, int RADIUS, int axis>
__device__ __forceinline__ void add(const layer_order<T> &o, const held<T> &h, const T *centre,
                                    const coefficients<T> &c, const face_order &face)
{
    T d1 = 0, d2 = o.second[axis][0] * centre[0];

#pragma unroll
    for (int k = 1; k <= RADIUS; k++) {
        const T up = centre[k], down = centre[-k];

        d1 = k == 1 ? o.first[axis][k] * (up - down) : fused_add(o.first[axis][k], up - down, d1);
        d2 = fused_add(o.second[axis][k], down + up, d2);
    }

    const T now = fused_add(c.b, d2, fused_add(c.db, d1, fused_add(c.da, h.old, c.a * h.last)));
    const T outer = fused_add(c.b, d2 + now, c.a * h.zeta);

    h.psi[0] = fused_add(c.b, d1, c.a * h.old);
    h.psi[face.apart] = now;
    h.psi[2 * face.apart] = outer;
    *h.to = fused_add(h.c, now + outer, h.sum);
}

/* Applies the layer of an axis that the line is not along. */
template <class T, int RADIUS, int axis, int ALONG>
__device__ __forceinline__ void beside(const line<T, ALONG> &l, int plane, int side)
{
    const face_order face = l.o.face[axis][side];
    const coefficients<T> c = coefficients_of(l.o, axis, side, l.p[axis]);
    const long step = axis == 0 ? 1 : l.o.f.pitch / (long)sizeof(T);
    place at = l.begin(plane, face);

#pragma unroll 1
    for (int s = 0; s < l.n; s += GROUP, at = l.up(at, GROUP, face)) {
        held<T> h[GROUP];
        T u[GROUP][2 * RADIUS + 1];

#pragma unroll
        for (int g = 0; g < GROUP; g++)
            if (s + g < l.n) {
                const place to = l.up(at, g, face);
                const T *here = global<T>(l.of.in[to.plane + RADIUS], to.field);

                h[g] = hold_at<T>(l.of, to, face.apart);
#pragma unroll
                for (int k = -RADIUS; k <= RADIUS; k++)
                    u[g][k + RADIUS] = here[k * step];
            }
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            if (s + g < l.n)
                add<T, RADIUS, axis>(l.o, h[g], u[g] + RADIUS, c, face);
    }
}

/* Applies the layer of the line's own axis, whose values move on through registers. `near`: the
 * coefficients of its points. */
template <class T, int RADIUS, int ALONG>
__device__ __forceinline__ void along(const line<T, ALONG> &l, int plane, int side,
                                      const coefficients<T> *near)
{
    const face_order face = l.o.face[ALONG][side];
    place at = l.begin(plane, face);
    T u[2 * RADIUS + GROUP];

#pragma unroll
    for (int k = 0; k < 2 * RADIUS; k++) {
        const place to = l.up(at, k - RADIUS, face);

        u[k] = *global<T>(l.of.in[to.plane + RADIUS], to.field);
    }
#pragma unroll 1
    for (int s = 0; s < l.n; s += GROUP, at = l.up(at, GROUP, face)) {
        held<T> h[GROUP];

#pragma unroll
        for (int g = 0; g < GROUP; g++)
            if (s + g < l.n) {
                const place ahead = l.up(at, g + RADIUS, face);

                u[2 * RADIUS + g] = *global<T>(l.of.in[ahead.plane + RADIUS], ahead.field);
                h[g] = hold_at<T>(l.of, l.up(at, g, face), face.apart);
            }
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            if (s + g < l.n)
                add<T, RADIUS, ALONG>(l.o, h[g], u + RADIUS + g, near[s + g], face);
#pragma unroll
        for (int k = 0; k < 2 * RADIUS; k++)
            u[k] = u[k + GROUP];
    }
}

/* Applies the layers to the thread's points, axis by axis: their layers of axes that the line is
 * not along have all of them or none. */
template <class T, int RADIUS, int axis, int ALONG>
__device__ __forceinline__ void apply(const line<T, ALONG> &l, int plane)
{
#pragma unroll 1
    for (int side = 0; side < ZOID_SIDES; side++)
        if (l.p[axis] >= l.o.face[axis][side].lo && l.p[axis] < l.o.face[axis][side].hi)
            beside<T, RADIUS, axis>(l, plane, side);
    if constexpr (axis + 1 < ALONG)
        apply<T, RADIUS, axis + 1>(l, plane);
}

template <class T, int RADIUS, int ALONG>
__device__ __forceinline__ void apply_all(const layer_order<T> &o, const tiled &box,
                                          const tile &own, int lo, const planes &of,
                                          const coefficients<T> *near)
{
    const tile_point first = point_of(box, own, 0);
    line<T, ALONG> l = {o, of, {first.p[0], first.p[1], first.p[2]}};

    if (!first.inside)
        return;
    l.p[ALONG] = box.box.lo[ALONG] + (first.p[ALONG] - box.box.lo[ALONG]) * box.points;
    l.n = min(box.points, box.end - l.p[ALONG]);
    apply<T, RADIUS, 0>(l, l.p[2] - lo);
    if (box.axis == ALONG)
        along<T, RADIUS>(l, l.p[2] - lo, box.side, near);
}

template <class T, int RADIUS> __global__ void remember(const __grid_constant__ layer_order<T> o)
{
    enum { TEAMS = 4 };
    __shared__ planes of;
    __shared__ coefficients<T> near[TILE_POINTS];
    const tiled &box = box_of(o.boxes);
    const tile own = tile_of(box);
    const int beyond = box.axis == 2 ? RADIUS : 0; /* planes that layers of other axes read */
    const int each = box.along == 2 ? box.points : 1;
    const int lo = box.box.lo[2] + (own.lo - box.box.lo[2]) * each;
    const int n = box.along == 2 ? min(own.planes * each, box.end - lo) : own.planes;

    switch (threadIdx.x * TEAMS / TILE_THREADS) {
    case 0:
        find_planes(of.in + RADIUS - beyond, o.in, o.f, o.newest, lo - beyond, n + 2 * beyond,
                    TEAMS);
        break;
    case 1:
        find_planes(of.out, o.out, o.f, o.written, lo, n, TEAMS);
        break;
    case 2:
        find_planes(of.c, o.c, o.f, 0, lo, n, TEAMS);
        break;
    default:
        for (int i = threadIdx.x % (TILE_THREADS / TEAMS); i < n; i += TILE_THREADS / TEAMS)
            of.memory[i] = memory_of(o, lo + i);
    }
    if (box.axis == box.along) {
        const int from = box.axis == 2 ? lo : box.box.lo[1] + (own.y - box.box.lo[1]) * box.points;

        for (int i = threadIdx.x; i < min(box.points, box.end - from); i += TILE_THREADS)
            near[i] = coefficients_of(o, box.axis, box.side, from + i);
    }
    __syncthreads();
    if (box.along == 2)
        apply_all<T, RADIUS, 2>(o, box, own, lo, of, near);
    else
        apply_all<T, RADIUS, 1>(o, box, own, lo, of, near);
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
    o->boxes = in_layers(points_of(box, o->layers.chain), at, lined_of);
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

/* The coefficients that the buffer of each GPU has, since its kernels were loaded last. */
std::mutex copying;
std::map<int, std::vector<double>> copied;

/* Forgets those of the current GPU: a reset, as StarPU's when it measures the bus, clears buffers.
 */
int forget()
{
    const std::lock_guard<std::mutex> lock(copying);
    int device = 0;
    const int error = cudaGetDevice(&device);

    if (!error)
        copied.erase(device);
    return error;
}

/* Copies coefficients to the GPU's buffer, unless it has them; launches on all streams may read
 * them thereafter. */
int keep(const double *table, size_t n, void *there, cudaStream_t stream)
{
    const std::lock_guard<std::mutex> lock(copying);
    int device = 0, error = cudaGetDevice(&device);
    std::vector<double> &has = copied[device];

    if (error || (has.size() == n && std::equal(has.begin(), has.end(), table)))
        return error;
    has.clear();
    error = cudaMemcpyAsync(there, table, n * sizeof *table, cudaMemcpyHostToDevice, stream);
    error = error ? error : cudaStreamSynchronize(stream);
    if (!error)
        has.assign(table, table + n);
    return error;
}

/* Sets the table of coefficients: the GPU's buffer if that has room for them. */
template <class T> int bring(layer_order<T> *o, const zoid_params *params, cudaStream_t stream)
{
    const size_t n = zoid_layer_bytes(params) / sizeof(double);
    const double *table = params->pml.table;
    std::vector<double> own;
    void *there = nullptr;
    int error;

    if (!table) {
        own.resize(n);
        zoid_layer_make(params, own.data());
        table = own.data();
    }
    o->table = table;
    if (params->pml.points > KEPT)
        return own.empty() ? cudaSuccess : cudaErrorInvalidValue;
    error = cudaGetSymbolAddress(&there, kept);
    o->table = static_cast<const double *>(there);
    return error ? error : keep(table, n, there, stream);
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
    int error = forget();

    for (int radius = 1; radius <= MOST_RADIUS; radius++)
        with_radius(radius, [&](auto r) {
            error = error ? error : load(remember<float, r>);
            error = error ? error : load(remember<double, r>);
        });
    return error;
}
