/* SPDX-License-Identifier: BSD-3-Clause */
/* The GPU traversals: every variant of ops.def becomes a zoid_cuda_<variant>.
 *
 * A thread owns a vector of neighbours along x (16 bytes) in one row and marches up the chain axis,
 * keeping the vectors of the planes around it in a queue of registers:
 *
 *      z + R   <- loaded now          row y + 1, y - 1 and the vectors beside its own: planes that
 *      z       <- computed now        the threads around it have just loaded, so they come from the
 *      z - R   <- dropped next        first-level cache
 *
 * Rows are padded to whole vectors. Lanes that are carried, or outside the box, are computed from
 * whatever is at hand and dropped.
 */
#include <cuda_runtime.h>

#include "codelets/cuda/run.h"

#define ZOID_INLINE static __device__ __forceinline__
#include "codelets/ops/point.h"
#undef UNROLL
#define UNROLL _Pragma("unroll")

namespace
{

enum {
    MAX_PIECES = 16,
    ROWS = 8,
    LANES_X = 32,
    AHEAD = 0,
    BLOCKS = 5,
    QUEUE = 2 * ZOID_MAX_REACH + 1
};

template <class T> struct vec {
    static constexpr int N = 16 / sizeof(T);
    T v[N];
};

template <class T> __device__ __forceinline__ vec<T> operator+(vec<T> a, vec<T> b)
{
    UNROLL
    for (int i = 0; i < vec<T>::N; i++)
        a.v[i] = a.v[i] + b.v[i];
    return a;
}

template <class T> __device__ __forceinline__ vec<T> operator-(vec<T> a, vec<T> b)
{
    UNROLL
    for (int i = 0; i < vec<T>::N; i++)
        a.v[i] = a.v[i] - b.v[i];
    return a;
}

template <class T> __device__ __forceinline__ vec<T> operator*(vec<T> a, vec<T> b)
{
    UNROLL
    for (int i = 0; i < vec<T>::N; i++)
        a.v[i] = a.v[i] * b.v[i];
    return a;
}

template <class T> __device__ __forceinline__ vec<T> operator/(vec<T> a, vec<T> b)
{
    UNROLL
    for (int i = 0; i < vec<T>::N; i++)
        a.v[i] = a.v[i] / b.v[i];
    return a;
}

/* Of integers only. */
#define INTEGER_OPERATOR(op)                                                            \
    __device__ __forceinline__ vec<zoid_u8> operator op(vec<zoid_u8> a, vec<zoid_u8> b) \
    {                                                                                   \
        UNROLL                                                                          \
        for (int i = 0; i < vec<zoid_u8>::N; i++)                                       \
            a.v[i] = a.v[i] op b.v[i];                                                  \
        return a;                                                                       \
    }

INTEGER_OPERATOR(&)
INTEGER_OPERATOR(|)
INTEGER_OPERATOR(^)

/* What a kernel is told, by value. */
struct pieces {
    int n;
    zoid_piece piece[MAX_PIECES];
};

struct order {
    pieces in, out;
    zoid_params params;
    long n[ZOID_AXES];
    long t, pitch, plane, x0, y0; /* x0, y0: what the layout's rows and planes start at */
    zoid_box box, inner;          /* to write; to compute, the rest of the box is carried */
    long planes;                  /* of the box that one block of threads marches through */
};

} // namespace

/* Where a point update stands; see ops/point.h. */
struct zoid_at {
    const zoid_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    const void *own[QUEUE]; /* field 0 of the own vector in the planes around */
    size_t field[QUEUE];    /* elements from a field to the next there */
    long pitch;
    int x, last;          /* the own vector's place in its row, and that of the row's last one */
    void *queue, *result; /* vec[fields][QUEUE]: own vectors; vec[fields]: what the stage writes */
};

namespace
{

template <class T> __device__ __forceinline__ vec<T> load_vector(const T *p)
{
    vec<T> v;

    *reinterpret_cast<float4 *>(v.v) = __ldg(reinterpret_cast<const float4 *>(p));
    return v;
}

/* The vector `along` elements from the own one, or the row's outermost. */
template <class T>
__device__ __forceinline__ vec<T> load_beside(const zoid_at *at, const T *own, int along)
{
    return load_vector(own + min(max(along, -at->x), at->last - at->x));
}

template <class T>
__device__ __forceinline__ vec<T> load(const zoid_at *at, int dims, int field, int dx, int dy,
                                       int dz)
{
    constexpr int N = vec<T>::N;
    int level = ZOID_MAX_REACH + (dims == 3 ? dz : dy), shift = (dx % N + N) % N;

    if (dx == 0 && (dims < 3 || dy == 0))
        return static_cast<vec<T> *>(at->queue)[field * QUEUE + level];
    const T *own = static_cast<const T *>(at->own[level]) + field * at->field[level] +
                   (dims == 3 ? dy * at->pitch : 0);
    vec<T> low = load_beside(at, own, dx - shift), high, v;
    if (shift == 0)
        return low;
    high = load_beside(at, own, dx - shift + N);
    UNROLL
    for (int i = 0; i < N; i++)
        v.v[i] = i + shift < N ? low.v[(i + shift) % N] : high.v[(i + shift) % N];
    return v;
}

template <class T> __device__ __forceinline__ vec<T> splat(double constant)
{
    vec<T> v;

    UNROLL
    for (int i = 0; i < vec<T>::N; i++)
        v.v[i] = (T)constant;
    return v;
}

} // namespace

/* What ops/point.h asks of a lane, for one element type. */
#define ZOID_LANE_FUNCTIONS(type)                                                               \
    typedef vec<zoid_##type> lane_##type;                                                       \
    ZOID_INLINE lane_##type splat_##type(double constant)                                       \
    {                                                                                           \
        return splat<zoid_##type>(constant);                                                    \
    }                                                                                           \
    ZOID_INLINE lane_##type load_##type(const zoid_at *at, int dims, int field, int dx, int dy, \
                                        int dz)                                                 \
    {                                                                                           \
        return load<zoid_##type>(at, dims, field, dx, dy, dz);                                  \
    }                                                                                           \
    ZOID_INLINE lane_##type select_x_##type(const zoid_at *at, long lo, long hi, lane_##type a, \
                                            lane_##type b)                                      \
    {                                                                                           \
        UNROLL                                                                                  \
        for (int i = 0; i < lane_##type::N; i++)                                                \
            if (at->p[0] + i < lo || at->p[0] + i >= hi)                                        \
                a.v[i] = b.v[i];                                                                \
        return a;                                                                               \
    }                                                                                           \
    ZOID_INLINE void put_##type(const zoid_at *at, int field, lane_##type value)                \
    {                                                                                           \
        static_cast<lane_##type *>(at->result)[field] = value;                                  \
    }

#define ZOID_FUSED_PRODUCT(type, fused)                                             \
    ZOID_INLINE lane_##type fma_##type(lane_##type a, lane_##type b, lane_##type c) \
    {                                                                               \
        UNROLL                                                                      \
        for (int i = 0; i < lane_##type::N; i++)                                    \
            a.v[i] = fused(a.v[i], b.v[i], c.v[i]);                                 \
        return a;                                                                   \
    }

ZOID_LANE_FUNCTIONS(f32)
ZOID_LANE_FUNCTIONS(f64)
ZOID_LANE_FUNCTIONS(u8)
ZOID_FUSED_PRODUCT(f32, __fmaf_rn)
ZOID_FUSED_PRODUCT(f64, __fma_rn)

ZOID_INLINE lane_u8 equal_u8(lane_u8 a, lane_u8 b)
{
    UNROLL
    for (int i = 0; i < lane_u8::N; i++)
        a.v[i] = a.v[i] == b.v[i];
    return a;
}

#define ZOID_VARIANT(...)
#define ZOID_LANE f32
#include "codelets/ops.def"
#undef ZOID_LANE
#define ZOID_LANE f64
#include "codelets/ops.def"
#undef ZOID_LANE
#define ZOID_LANE u8
#include "codelets/ops.def"
#undef ZOID_LANE
#undef ZOID_VARIANT

namespace
{

/* A thread's way up through pieces: where its vector lies in the plane it has come to. */
template <class T> struct climber {
    const pieces *p;
    long offset, plane; /* elements: of the vector in a plane; from a plane to the next */
    T *own;
    size_t field;
    bool there; /* the plane is in a piece */
    long end;   /* the first plane for which that is not so */

    /* To a plane that is nowhere, which only carried points would read: to any other. */
    __device__ __forceinline__ void jump(long z)
    {
        int i = p->n - 1;

        while (i > 0 && (z < p->piece[i].lo || z >= p->piece[i].hi))
            i--;
        const zoid_piece &piece = p->piece[i];
        there = z >= piece.lo && z < piece.hi;
        own = static_cast<T *>(piece.base) + (there ? z - piece.lo : 0) * plane + offset;
        field = piece.field;
        end = there ? piece.hi : z + 1;
    }
};

/* Reads the own vectors of the plane that the climber has come to. */
template <class V>
__device__ __forceinline__ void enqueue(zoid_at *at, vec<typename V::real> queue[][QUEUE],
                                        int level, const climber<typename V::real> &from)
{
    at->own[level] = from.own;
    at->field[level] = from.field;
    UNROLL
    for (int f = 0; f < V::fields; f++)
        queue[f][level] = load_vector(from.own + f * from.field);
}

/* What of a thread's vector is written, and what of that is computed: bit i for lane i. */
struct lanes {
    unsigned written, computed;
};

template <int N> __device__ __forceinline__ lanes lanes_of(const order &o, long x, bool row)
{
    lanes l = {0, 0};

    UNROLL
    for (int i = 0; i < N; i++) {
        l.written |= unsigned(x + i >= o.box.lo[0] && x + i < o.box.hi[0]) << i;
        l.computed |= unsigned(row && x + i >= o.inner.lo[0] && x + i < o.inner.hi[0]) << i;
    }
    return l;
}

template <class T>
__device__ __forceinline__ void store(T *out, vec<T> value, vec<T> old, unsigned computed,
                                      unsigned written)
{
    constexpr int N = vec<T>::N;
    constexpr unsigned all = (1u << N) - 1;

    if (computed != all)
        UNROLL
    for (int i = 0; i < N; i++)
        value.v[i] = computed >> i & 1 ? value.v[i] : old.v[i];
    if (written == all)
        __stcs(reinterpret_cast<float4 *>(out), *reinterpret_cast<float4 *>(value.v));
    else
        UNROLL
    for (int i = 0; i < N; i++)
        if (written >> i & 1)
            out[i] = value.v[i];
}

/* The planes [z, end). In a stretch of them nothing changes: they come from one piece, go to one
 * piece, and are all computed or all carried. */
template <class V, int S>
__device__ __forceinline__ void climb(const order &o, zoid_at &at, const lanes &l,
                                      climber<typename V::real> in, climber<typename V::real> out,
                                      long z, long end)
{
    constexpr int C = V::D - 1, top = ZOID_MAX_REACH + V::R;
    vec<typename V::real> queue[V::fields][QUEUE], result[V::fields];

    at.queue = queue;
    at.result = result;
    UNROLL
    for (int i = -V::R; i < V::R; i++) {
        in.jump(z + i);
        enqueue<V>(&at, queue, ZOID_MAX_REACH + 1 + i, in);
    }
    while (z < end) {
        bool inner = z >= o.inner.lo[C] && z < o.inner.hi[C];
        unsigned computed = inner ? l.computed : 0;
        long stop = z < o.inner.lo[C] ? o.inner.lo[C] : inner ? o.inner.hi[C] : end;

        in.jump(z + V::R);
        out.jump(z);
        stop = min(min(stop, end), min(in.end - V::R, out.end));
        /* Nobody wants a plane of the last time that goes nowhere. */
        unsigned written = out.there ? l.written : 0;
        /* Two planes at once: the loads of both are on their way before the first is used. */
#pragma unroll 2
        for (int n = (int)(stop - z); n > 0; n--) {
            UNROLL
            for (int i = ZOID_MAX_REACH - V::R; i < top; i++) {
                at.own[i] = at.own[i + 1];
                at.field[i] = at.field[i + 1];
                UNROLL
                for (int f = 0; f < V::fields; f++)
                    queue[f][i] = queue[f][i + 1];
            }
            enqueue<V>(&at, queue, top, in);
            at.p[C] = z;
            if (computed)
                V::point(&at, S);
            UNROLL
            for (int f = 0; f < V::state; f++)
                store(out.own + f * out.field, result[f], queue[f][ZOID_MAX_REACH],
                      V::template writes<S> >> f & 1 ? computed : 0, written);
            in.own += o.plane;
            out.own += o.plane;
            z++;
        }
    }
}

template <class V, int S>
__global__ void __launch_bounds__(ROWS *LANES_X, BLOCKS) march(const __grid_constant__ order o)
{
    typedef typename V::real real;
    constexpr int N = vec<real>::N, C = V::D - 1;
    long z = o.box.lo[C] + blockIdx.z * o.planes, end = min(z + o.planes, o.box.hi[C]);
    long first = (o.box.lo[0] - o.x0) & -(long)N, row = 0;
    bool inner = true;
    zoid_at at = {};

    at.params = &o.params;
    at.n = o.n;
    at.t = o.t;
    at.pitch = o.pitch;
    at.x = (int)first + (blockIdx.x * LANES_X + threadIdx.x) * N;
    at.last = (int)o.pitch - N;
    at.p[0] = at.x + o.x0;
    at.p[1] = o.box.lo[1] + blockIdx.y * (long)ROWS + threadIdx.y;
    if (at.p[0] >= o.box.hi[0] || (V::D > 2 && at.p[1] >= o.box.hi[1]))
        return;
    if (V::D > 2) {
        row = (at.p[1] - o.y0) * o.pitch;
        inner = at.p[1] >= o.inner.lo[1] && at.p[1] < o.inner.hi[1];
    }
    climber<real> in = {&o.in, row + at.x, o.plane}, out = {&o.out, row + at.x, o.plane};
    climb<V, S>(o, at, lanes_of<N>(o, at.p[0], inner), in, out, z, end);
}

/* The planes [lo, hi) of pieces, those that planes [from, to) can touch; false if there are too many. */
bool select(pieces *p, const zoid_piece *piece, size_t n, long from, long to)
{
    p->n = 0;
    for (size_t i = 0; i < n; i++)
        if (piece[i].lo < to && piece[i].hi > from) {
            if (p->n == MAX_PIECES)
                return false;
            p->piece[p->n++] = piece[i];
        }
    return true;
}

/* Planes a block of threads marches through: long marches load little twice, short ones keep every
 * multiprocessor busy to the end. */
long march_length(long planes, long columns)
{
    long resident = 132 * 8, waves = 4;
    long length = planes * columns / (resident * waves);

    return length < 8 ? 8 : length > 64 ? 64 : length;
}

template <class V, int S> cudaError_t launch(order *o, const zoid_cuda_sweep *c)
{
    constexpr int N = vec<typename V::real>::N, C = V::D - 1;
    long first = (o->box.lo[0] - o->x0) & -(long)N, width = o->box.hi[0] - o->x0 - first;
    long rows = V::D > 2 ? o->box.hi[1] - o->box.lo[1] : 1;
    long planes = o->box.hi[C] - o->box.lo[C];
    dim3 block(LANES_X, V::D > 2 ? ROWS : 1), grid;

    grid.x = (width + LANES_X * N - 1) / (LANES_X * N);
    grid.y = (rows + ROWS - 1) / ROWS;
    o->planes = march_length(planes, (long)grid.x * grid.y);
    grid.z = (planes + o->planes - 1) / o->planes;
    march<V, S><<<grid, block, 0, static_cast<cudaStream_t>(c->stream)>>>(*o);
    return cudaGetLastError();
}

template <class V> cudaError_t launch_stage(order *o, const zoid_cuda_sweep *c)
{
    if constexpr (V::op.nstages > 1)
        if ((o->t - 1) % V::op.nstages == 1)
            return launch<V, 1>(o, c);
    return launch<V, 0>(o, c);
}

template <class V> int sweep(const zoid_cuda_sweep *c)
{
    const zoid_sweep *s = c->sweep;
    const int chain = V::D - 1;
    const zoid_reach *reach = &s->shape->reach[(s->t - 1) % s->shape->stages];
    order o = {};
    long end = s->box.hi[chain];

    o.params = *s->params;
    for (int a = 0; a < ZOID_AXES; a++)
        o.n[a] = s->shape->n[a];
    o.t = s->t;
    o.pitch = s->layout->pitch;
    o.plane = s->layout->plane;
    o.x0 = s->layout->lo[0];
    o.y0 = s->layout->lo[1];
    o.box = s->box;
    for (int a = 0; a < V::D; a++) {
        o.inner.lo[a] = reach->lo[a];
        o.inner.hi[a] = s->shape->n[a] - reach->hi[a];
    }
    /* All planes at once, unless that touches more pieces than a launch can be told of. */
    for (long z = s->box.lo[chain]; z < end; z = o.box.hi[chain]) {
        cudaError_t error;

        o.box.lo[chain] = z;
        o.box.hi[chain] = end;
        while (!select(&o.in, s->in[0].piece, s->in[0].n, z - reach->lo[chain],
                       o.box.hi[chain] + reach->hi[chain]) ||
               !select(&o.out, c->out, c->nout, z, o.box.hi[chain]))
            o.box.hi[chain] = z + (o.box.hi[chain] - z + 1) / 2;
        error = launch_stage<V>(&o, c);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

} // namespace

/* clang-format off */
#define ZOID_VARIANT(variant, family_, nd, nr, type_, stages, ...)                                 \
    namespace {                                                                                    \
    struct variant##_kind {                                                                        \
        enum { D = nd, R = nr, SIZE = sizeof(zoid_##type_) };                                      \
        typedef zoid_##type_ real;                                                                 \
        static constexpr zoid_op op = {.nstages = 0 stages(PLUS_ONE)};                             \
        static constexpr zoid_op row = {__VA_ARGS__};                                              \
        static constexpr int state = row.nstate, fields = row.nstate + row.ncoef;                  \
        template <int S> static constexpr unsigned writes = row.stage[S].writes;                   \
        static __device__ __forceinline__ void point(const zoid_at *at, int S)                     \
        {                                                                                          \
            zoid_##family_##_##type_(at, D, R, S);                                                 \
        }                                                                                          \
    };                                                                                             \
    }                                                                                              \
    extern "C" int zoid_cuda_##variant(const zoid_cuda_sweep *c)                                   \
    {                                                                                              \
        return sweep<variant##_kind>(c);                                                           \
    }
#define PLUS_ONE(stage, ...) +1
#include "codelets/ops.def"
/* clang-format on */
