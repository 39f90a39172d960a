/* SPDX-License-Identifier: BSD-3-Clause */
/* Several levels of a line: a block of threads gathers a stretch of every field in shared memory,
 * computes all levels there, and stores the points that it owns. See line.cu, which defines struct
 * zoid_at_level and includes variants.cuh first. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_STRETCH_CUH
#define ZOID_CODELETS_CUDA_STENCIL_STRETCH_CUH

#include "codelets/cuda/stencil/levels.cuh"
#include "codelets/cuda/stencil/tuned.cuh"

namespace
{

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
        const int from = own_lo - o.down[i], to = own_hi + o.up[i]; /* the points read */

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

} // namespace
#endif
