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

#include "codelets/cuda/stencil/levels.cuh"
#include "codelets/cuda/stencil/tuned.cuh"

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

/* Levels of a launch. */
enum { MOST = tuned.line.most };

/* Returns the points before those owned, or behind them, of which S levels take their input. */
template <class K, int S> constexpr int beyond(bool high)
{
    typedef flow<K, S, 0> flow;
    long most = 0;

    for (int i = 0; i < S; i++) {
        const flow_level &l = flow::tables.level[i];
        const zoid_reach reach = flow::reach_of(i % K::STAGES);
        const long all = high ? l.up + reach.hi[0] : l.down + reach.lo[0];

        most = all > most ? all : most;
    }
    return (int)most;
}

/* Stretches of a block of threads in shared memory: of a field that is written two, one that a
 * level reads, and one for its results. */
template <class K> struct stretches {
    typedef ::flow<K, K::STAGES == 1 ? 2 : K::STAGES, 0> flow;
    enum { N = value_here::N, F = flow::F, STATE = flow::STATE };

    /* Returns the number of the first `stages` stages that write a field. */
    static constexpr int writers(int stages, int field)
    {
        int n = 0;

        for (int i = 0; i < stages; i++)
            n += field < STATE && flow::writes(i, field);
        return n;
    }
    /* Number of stretches before those of a field. */
    static constexpr int before(int field)
    {
        int n = 0;

        for (int f = 0; f < field; f++)
            n += writers(K::STAGES, f) ? 2 : 1;
        return n;
    }
    static constexpr int STRETCHES = before(F),
                         EACH = STRETCHES <= tuned.line.few    ? tuned.line.each_few
                                : STRETCHES <= tuned.line.some ? tuned.line.each_some
                                                               : 1, /* vectors of a thread */
        POINTS = THREADS * EACH * N,
                         PAD = (widest(K::row) + N - 1) / N, /* vectors that are read beside it */
        LENGTH = (THREADS * EACH + 2 * PAD) * QUAD,          /* bytes */
        SHARED = STRETCHES * LENGTH;

    template <int f> struct of {
        static constexpr int first = before(f) * LENGTH + PAD * QUAD;
        /* A round of the stages turns the two. */
        static constexpr bool turns = writers(K::STAGES, f) % 2 != 0;
        /* Stage s reads the second one, if all rounds before turned none. */
        template <int s> struct at {
            static constexpr bool second = writers(s, f) % 2 != 0;
        };
    };
};

/* Arguments of a launch. */
template <class K>
struct line_levels
    : fused_order<MOST, touched<K, 0>::groups, stretches<K>::flow::INNERS, K::row.ntables> {
    int levels, down[MOST], up[MOST]; /* points that levels compute below and above those owned */
    int before, own;                  /* points of a stretch before those owned, and these */
};

/* A block of threads at its stretch. */
template <class K> struct liner {
    typedef stretches<K> shape;
    typedef typename shape::flow flow;
    typedef touched<K, 0> what;
    enum { N = shape::N, F = shape::F, STATE = shape::STATE };

    const line_levels<K> &o;
    char *const memory;
    const int own_lo, own_hi, first; /* the points owned; the first one of the stretch */
    int i, lo, hi;                   /* a level, and the points that it computes */
    bool odd;                        /* after an odd number of rounds */

    /* What stage s reads of a field, and where its results go. */
    template <int s, int f> __device__ __forceinline__ char *place(bool result) const
    {
        typedef typename shape::template of<f> field;
        const bool second = field::template at<s>::second ^ (field::turns && odd) ^ result;

        return memory + field::first + (second ? shape::LENGTH : 0);
    }

    __device__ __forceinline__ void gather() const
    {
        each<F>([&]<int f>() {
            typedef typename what::template of<f> field;
            here *to = reinterpret_cast<here *>(memory + shape::template of<f>::first);
            const list &in = o.in[field::which];
            int stop = NEVER;

            for (int k = threadIdx.x; k < shape::POINTS; k += THREADS) {
                const spot one = find(in, first + k, o.f.plane, &stop);

                to[k] = one.at
                            ? *reinterpret_cast<const here *>(one.at + field::in_group * one.field)
                            : here(0);
            }
        });
    }

    /* Replaces results of points p ... that are not computed: carried, or given. */
    template <int s>
    __device__ __forceinline__ void mend(const zoid_at_level &at, int p, value_here *result) const
    {
        const list &given = o.level[i].given;

        each<STATE>([&]<int f>() {
            typedef typename flow::template level<s>::template of<f> field;

            if constexpr (field::written) {
                const extent &inner = o.inner[field::inner];
                const value_here kept = take_vector<here, 1>(at.field[field::kept]);

                UNROLL
                for (int n = 0; n < N; n++) {
                    const int q = p + n;
                    int stop = NEVER;

                    if (q >= lo && q < hi) {
                        if (q < inner.lo[2] || q >= inner.hi[2])
                            result[f].v[n] = kept.v[n];
                    } else {
                        const spot one = find(given, q, o.f.plane, &stop);

                        if (one.at)
                            result[f].v[n] = *reinterpret_cast<const here *>(
                                one.at + what::template of<f>::in_group * one.field);
                    }
                }
            }
        });
    }

    /* Returns true if stage s computes points p ... p + N - 1 of all fields that it writes. */
    template <int s> __device__ __forceinline__ bool all(int p) const
    {
        bool all = p >= lo && p + N <= hi;

        each<STATE>([&]<int f>() {
            typedef typename flow::template level<s>::template of<f> field;

            if constexpr (field::written)
                all =
                    all && p >= o.inner[field::inner].lo[2] && p + N <= o.inner[field::inner].hi[2];
        });
        return all;
    }

    template <int s> __device__ __forceinline__ void compute() const
    {
        const int from = own_lo - o.down[i], to = own_hi + o.up[i]; /* what is read */

        for (int vector = threadIdx.x; vector < THREADS * shape::EACH; vector += THREADS) {
            const int p = first + vector * N;
            value_here result[F];
            zoid_at_level at;

            if (p + N <= from || p >= to)
                continue;
            at.params = &o.f.params;
            if constexpr (K::row.ntables > 0)
                at.now = o.now[i];
            at.t = o.t + i;
            at.n = o.f.n;
            at.p[0] = o.f.origin + p;
            at.p[1] = at.p[2] = 0;
            at.result = result;
            each<F>([&]<int f>() { at.field[f] = place<s, f>(false) + vector * QUAD; });
            K::template point<s>(&at);
            if (!all<s>(p))
                mend<s>(at, p, result);
            each<STATE>([&]<int f>() {
                if constexpr (flow::template level<s>::template of<f>::written)
                    put_vector(place<s, f>(true) + vector * QUAD, result[f]);
            });
        }
    }

    /* Stores the points owned. */
    template <int s> __device__ __forceinline__ void store() const
    {
        const list &out = o.level[i].out;
        const int end = out.n > 0 ? min(own_hi, hi) : lo;

        for (int p = max(own_lo, lo) + threadIdx.x; p < end; p += THREADS) {
            int stop = NEVER;
            const spot to = find(out, p, o.f.plane, &stop);

            each<STATE>([&]<int f>() {
                if constexpr (flow::template level<s>::template of<f>::written)
                    if (to.at)
                        *reinterpret_cast<here *>(to.at + f * to.field) =
                            reinterpret_cast<const here *>(place<s, f>(true))[p - first];
            });
        }
    }

    __device__ __forceinline__ void run()
    {
        gather();
        __syncthreads();
        odd = false;
        for (i = 0; i < o.levels;) {
            each<K::STAGES>([&]<int s>() {
                lo = max(o.level[i].box.lo[2], own_lo - o.down[i]);
                hi = min(o.level[i].box.hi[2], own_hi + o.up[i]);
                compute<s>();
                __syncthreads();
                store<s>();
                i++;
            });
            odd = !odd;
        }
    }
};

template <class K>
__global__ void __launch_bounds__(THREADS, tuned.line.blocks)
    levels_along(const __grid_constant__ line_levels<K> o)
{
    extern __shared__ __align__(QUAD) char memory[];
    const int own = o.lo + blockIdx.x * o.own;

    liner<K>{o, memory, own, min(own + o.own, o.hi), own - o.before}.run();
}

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
    if constexpr (sizeof(here) > 1 && in_any_order<K>())
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
