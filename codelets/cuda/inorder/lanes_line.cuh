/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps in the lanes of a warp in 1-D: see lanes.cuh. At step X lane l is at point X - l LAG, with
 * all operands in registers: a warp owns a group of times and streams the line. */
#ifndef ZOID_CODELETS_CUDA_INORDER_LANES_LINE_CUH
#define ZOID_CODELETS_CUDA_INORDER_LANES_LINE_CUH

#include "codelets/cuda/inorder/lanes.cuh"

namespace
{

/* Points of time t and of the right-hand side for LANES steps, and the last lane's results. */
template <class T> struct line_memory {
    T now[LANES], b[LANES], out[LANES];
};

/* Work of a group: each lane computes points [lo, hi); the point below them is given. */
struct line_group {
    group k;
    long lo, hi;
    long from, to; /* steps */
};

__device__ __forceinline__ line_group line_group_of(const lanes_order &o, int number, int lane)
{
    const group k = group_of(o, number, lane);
    const long lo = max(k.own.lo, 1l), hi = min(k.own.hi, o.n[2] - 1);
    long from = lane < k.used ? lo - 1 : NEVER;
    long to = lane < k.used ? k.own.hi + lane * LAG : -NEVER;

    for (int by = LANES / 2; by > 0; by /= 2) {
        from = min(from, __shfl_xor_sync(ALL, from, by));
        to = max(to, __shfl_xor_sync(ALL, to, by));
    }
    return {k, lo, hi, from, k.from < k.to ? max(from, to) : from};
}

template <class T, bool RHS> struct line_warp {
    const lanes_order &o;
    line_memory<T> &m;
    const int lane;
    const post at;
    const line_group g;
    const factors<T> params;
    watched upstream;
    line_group source;
    T old[LAG], b[LAG], west, self, start;

    __device__ __forceinline__ line_warp(const lanes_order &o, line_memory<T> &m)
        : o(o), m(m), lane(threadIdx.x), at(o), g(line_group_of(o, at.group, lane)),
          params(factors_of<T>(o.params.value[0], 1)), upstream(at.before(o, 0, 0)),
          source(at.group > o.group ? line_group_of(o, at.group - 1, lane) : g)
    {
    }

    __device__ __forceinline__ T value(const char *point) const
    {
        return point ? __ldcg(reinterpret_cast<const T *>(point)) : T(0);
    }
    __device__ __forceinline__ T now(long p) const
    {
        return value(given(o, g.k.t, p));
    }

    /* Waits until the previous group has stored the points of time t below p. */
    __device__ __forceinline__ void wait(long p)
    {
        if (at.group > o.group)
            upstream.wait(min(p + LAST * LAG - source.from, source.to - source.from));
    }

    /* Returns the given value of the point below the lane's first one. */
    __device__ __forceinline__ T below_first() const
    {
        const char *point = nullptr;

        if (lane >= g.k.used)
            return 0;
        if (g.k.own.lo > 0)
            return value(given(o, g.k.t + 1 + lane, g.k.own.lo - 1));
        for (long t = g.k.t; t <= g.k.t + g.k.used && !point; t++)
            point = given(o, t, 0);
        return value(point);
    }

    __device__ __forceinline__ void begin()
    {
        wait(g.from + LAG);
        start = below_first();
        west = 0;
        UNROLL
        for (int i = 0; i < LAG; i++) {
            old[i] = lane ? T(0) : now(g.from + i);
            b[i] = RHS && !lane ? value(given_rhs(o, g.from + i)) : T(0);
        }
        self = old[0];
    }

    /* Stores a result of the lane to all views that need it. */
    __device__ __forceinline__ void leave(long t, long p, T v) const
    {
        for (int i = 0; i < o.writes; i++)
            if (char *const to = in_view(o, o.write[i], t, p))
                *reinterpret_cast<T *>(to) = v;
    }

    /* Returns true if views need results of lanes other than the last, from step x on. */
    __device__ __forceinline__ bool others_want(long x) const
    {
        const long t = g.k.t + 1 + lane, lo = x - lane * LAG, hi = lo + LANES;
        bool some = false;

        for (int i = 0; i < o.writes; i++) {
            const shown &v = o.write[i];
            const long shift = v.drift * (t - v.t0);

            some = some || (t >= v.t0 && t <= v.t1 && v.lo + shift < hi && v.hi + shift > lo);
        }
        return __any_sync(ALL, some && lane < g.k.used - 1);
    }

    __device__ __forceinline__ void step(long x, int i, bool leaving)
    {
        const long p = x + i - lane * LAG;
        const int j = i % LAG;
        lane_at<T> u = {.params = &params, .self = self, .west = west};
        T v;

        u.east = old[(j + 1) % LAG];
        u.b = b[j];
        v = relaxed<1, RHS>(u);
        v = p == g.lo - 1 ? start : p >= g.lo && p < g.hi ? v : self;
        west = v;
        self = u.east;
        old[j] = up(lane, v, m.now[i]);
        if (RHS)
            b[j] = up(lane, u.b, m.b[i]);
        if (lane == g.k.used - 1)
            m.out[i] = v;
        if (leaving && lane < g.k.used - 1 && has(g.k, lane, p))
            leave(g.k.t + 1 + lane, p, v);
    }

    /* Stores the last lane's results, one point per lane. */
    __device__ __forceinline__ void store(long x)
    {
        const int last = g.k.used - 1;
        const long p = x + lane - last * LAG, t = g.k.t + g.k.used;
        const range box = planes_at(o, t);

        if (p < box.lo || p >= box.hi)
            return;
        if (t < o.t1)
            *reinterpret_cast<T *>(between(o, t, p)) = m.out[lane];
        leave(t, p, m.out[lane]);
    }

    __device__ __forceinline__ void run()
    {
        if (g.from >= g.to)
            return;
        begin();
        for (long x = g.from; x < g.to; x += LANES) {
            const bool leaving = others_want(x);

            wait(x + LAG + LANES);
            m.now[lane] = now(x + LAG + lane);
            if (RHS)
                m.b[lane] = value(given_rhs(o, x + LAG + lane));
            __syncwarp();
            for (int i = 0; i < LANES; i += LAG) {
                UNROLL
                for (int j = 0; j < LAG; j++)
                    step(x, i + j, leaving);
            }
            __syncwarp();
            store(x);
            __threadfence();
            __syncwarp();
            if (lane == 0)
                publish(at.done, (unsigned)min(x + LANES - g.from, g.to - g.from), at.read);
        }
    }
};

template <class T, bool RHS>
__global__ void __launch_bounds__(LANES) line(const __grid_constant__ lanes_order o)
{
    __shared__ line_memory<T> memory;
    line_warp<T, RHS> warp(o, memory);

    warp.run();
}

} // namespace
#endif
