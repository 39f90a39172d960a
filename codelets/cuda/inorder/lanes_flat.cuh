/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps in the lanes of warps in 2-D: see lanes.cuh.
 *
 *     at step X lane l is at column X - l LAG of plane Y - l. Its operands of the previous time are
 *     results of the lane below: in the row before, LAG and LAG - 1 steps ago, and in this row
 *     LAG steps ago. They are the vector stored for the row before, and the newest ones, moved
 *     up a lane. */
#ifndef ZOID_CODELETS_CUDA_INORDER_LANES_FLAT_CUH
#define ZOID_CODELETS_CUDA_INORDER_LANES_FLAT_CUH

#include "codelets/cuda/inorder/lanes.cuh"

namespace
{

/* LAG values, aligned to 16 bytes. */
template <class T> struct alignas(16) few {
    T v[LAG];
};

/* Columns of a tile, and those beyond them that lane 0 reads. */
template <class T> struct flat_row {
    static constexpr int W = ZOID_WARP_ROW / (int)sizeof(T), N = 16 / (int)sizeof(T);
    static constexpr int ALL_OF = W + LAG;
    float4 own, more; /* in flight: a quad per lane; another for the first lanes */

    __device__ __forceinline__ float4 load(const char *row, long pitch, long column) const
    {
        const long at = column * (long)sizeof(T);

        if (!row || at < 0 || at >= pitch)
            return make_float4(0, 0, 0, 0);
        return __ldcg(reinterpret_cast<const float4 *>(row + at));
    }
    __device__ __forceinline__ void fetch(const char *row, long pitch, long x0, int lane)
    {
        own = load(row, pitch, x0 + lane * N);
        if (lane < LAG / N)
            more = load(row, pitch, x0 + W + lane * N);
    }
    __device__ __forceinline__ void put(T *to, int lane) const
    {
        float4 *const quads = reinterpret_cast<float4 *>(to);

        quads[lane] = own;
        if (lane < LAG / N)
            quads[W / N + lane] = more;
    }
};

/* Shared memory of a warp: the newest vector of each column, and rows of time t. */
template <class T, bool RHS> struct flat_memory {
    typedef flat_row<T> row;
    T here[row::W][LANES];
    T b_here[RHS ? row::W : 1][LANES];
    alignas(16) T now[2][row::ALL_OF], b[row::ALL_OF];
};

template <class T, bool RHS> struct flat_warp {
    typedef flat_row<T> row;
    static constexpr int W = row::W, SENT = RHS ? 2 * LAG : LAG;
    typedef mailbox<T, SENT, ZOID_WARP_AHEAD> box;

    const lanes_order &o;
    flat_memory<T, RHS> &m;
    const int lane;
    const post at;
    const group k;
    const long x0;
    const factors<T> params;
    const range wanted;
    const box out_box, in_box;
    const bool gets, gives; /* receives from the previous tile, sends to the next one */
    /* The vectors before the first column, in the row before and in this one. */
    T before[LAG], updated[LAG], b_before[LAG], b_updated[LAG];
    T sent[SENT]; /* vectors of the last columns */
    mail<T> in[SENT];
    row ahead, b_ahead;
    watched upstream, right;
    group source; /* the group before */

    __device__ __forceinline__ flat_warp(const lanes_order &o, flat_memory<T, RHS> &m)
        : o(o), m(m), lane(threadIdx.x), at(o), k(group_of(o, at.group, lane)), x0(at.tile[0] * W),
          params(factors_of<T>(o.params.value[0], 2)), wanted(wanted_of(o, k, lane)),
          out_box(o.ring, at.number), in_box(o.ring, at.number - 1), gets(at.beside(o, 0, -1)),
          gives(at.beside(o, 0, 1)), upstream(at.before(o, x0 + W + LAG - 1 + LAST * LAG, 0)),
          right{post::word(o, at.neighbour(o, 0, 1)), 0},
          source(at.group > o.group ? group_of(o, at.group - 1, lane) : k)
    {
    }

    __device__ __forceinline__ T value(const char *row, long column) const
    {
        return row && column >= 0 && column < o.n[0]
                   ? *reinterpret_cast<const T *>(row + column * (long)sizeof(T))
                   : T(0);
    }

    /* Sets the lanes' vectors in the plane below their first one, and starts the prefetch. */
    __device__ __forceinline__ void begin()
    {
        const char *const row = below(o, k, lane);
        const char *const b_row = RHS ? given_rhs(o, k.from - 1 - lane) : nullptr;
        const long shift = x0 - lane * LAG;

        for (int x = 0; x < W; x++) {
            m.here[x][lane] = value(row, shift + x);
            if (RHS)
                m.b_here[x][lane] = value(b_row, shift + x);
        }
        UNROLL
        for (int i = 0; i < LAG; i++) {
            before[i] = value(row, shift - LAG + i);
            b_before[i] = value(b_row, shift - LAG + i);
            updated[i] = b_updated[i] = 0;
        }
        UNROLL
        for (int i = 0; i < SENT; i++)
            in[i] = {};
        ahead.fetch(plane(k.from), o.pitch, x0, lane);
        ahead.put(m.now[k.from & 1], lane);
        ahead.fetch(plane(k.from + 1), o.pitch, x0, lane);
        if (RHS)
            b_ahead.fetch(given_rhs(o, k.from), o.pitch, x0, lane);
        __syncwarp();
    }

    /* Waits for a plane of time t; returns its address. */
    __device__ __forceinline__ const char *plane(long z)
    {
        upstream.wait(at.group > o.group ? steps_for(o, source, z) : 0);
        return given(o, k.t, z);
    }

    /* Receives the vectors before the first column. */
    __device__ __forceinline__ void take(long step)
    {
        if (gets) {
            receive(in_box.at(step, 0), lane, (unsigned)step + 1, in);
            UNROLL
            for (int i = 0; i < LAG; i++) {
                updated[i] = in[i].value();
                if (RHS)
                    b_updated[i] = in[SENT - LAG + i].value();
            }
        } else if (at.tile[0] > 0) {
            const T *const edge = reinterpret_cast<const T *>(o.west) + step * SENT * LANES;

            UNROLL
            for (int i = 0; i < LAG; i++) {
                updated[i] = edge[i * LANES + lane];
                if (RHS)
                    b_updated[i] = edge[(SENT - LAG + i) * LANES + lane];
            }
        }
    }

    /* Prefetches the operands of the next row as far as they are available. */
    __device__ __forceinline__ void look_ahead(long step)
    {
        const long z = k.from + step;

        ahead.put(m.now[(z + 1) & 1], lane);
        if (RHS)
            b_ahead.put(m.b, lane);
        __syncwarp();
        if (step + 1 >= k.to - k.from)
            return;
        ahead.fetch(plane(z + 2), o.pitch, x0, lane);
        if (RHS)
            b_ahead.fetch(given_rhs(o, z + 1), o.pitch, x0, lane);
        if (gets) {
            UNROLL
            for (int i = 0; i < SENT; i++)
                in[i].fetch(in_box.at(step + 1, i), lane);
        }
    }

    /* Clips columns [lo, hi) to the tile; *from and *to count in the lane's own columns. */
    __device__ __forceinline__ void clip(long lo, long hi, int *from, int *to) const
    {
        const long shift = x0 - lane * LAG;

        *from = (int)min(max(lo - shift, 0l), (long)W);
        *to = (int)max(min(hi - shift, (long)W), (long)*from);
    }

    template <bool WHOLE> __device__ __forceinline__ void row_of(long z, char *out, bool computed)
    {
        const T *const now = m.now[z & 1], *const next = m.now[(z + 1) & 1];
        char *const to = out + (x0 - lane * LAG) * (long)sizeof(T);
        int lo = 0, hi = W, out_lo = 0, out_hi = W;
        T old[LAG], above[LAG], b[LAG], south[LAG];
        lane_at<T> p = {.params = &params};

        if (!WHOLE) {
            clip(1, computed ? o.n[0] - 1 : 1, &lo, &hi);
            clip(0, o.pitch / (long)sizeof(T), &out_lo, &out_hi);
        }
        if (lane != k.used - 1 || !out)
            out_hi = out_lo;
        UNROLL
        for (int i = 0; i < LAG; i++) {
            south[i] = m.here[i][lane];
            old[i] = up(lane, before[i], now[i]);
            above[i] = up(lane, updated[i], next[i]);
            if (RHS)
                b[i] = up(lane, b_before[i], m.b[i]);
        }
        p.self = old[0];
        p.west = updated[LAG - 1];
        for (int x = 0; x < W; x += LAG) {
            const few<T> n = *reinterpret_cast<const few<T> *>(now + x + LAG);
            const few<T> a = *reinterpret_cast<const few<T> *>(next + x + LAG);
            few<T> done;
            T later[LAG];

            UNROLL
            for (int i = 0; i < LAG; i++)
                later[i] = m.here[min(x + LAG, W - LAG) + i][lane];
            UNROLL
            for (int i = 0; i < LAG; i++) {
                T v;

                p.south = south[i];
                south[i] = later[i];
                old[i] = up(lane, p.south, n.v[i]);
                p.east = old[(i + 1) % LAG];
                p.north = above[i];
                if (RHS) {
                    p.b = b[i];
                    b[i] = up(lane, m.b_here[x + i][lane], m.b[x + i + LAG]);
                    m.b_here[x + i][lane] = p.b;
                    sent[SENT - LAG + i] = p.b;
                }
                v = relaxed<2, RHS>(p);
                if (!WHOLE)
                    v = (unsigned)(x + i - lo) < (unsigned)(hi - lo) ? v : p.self;
                m.here[x + i][lane] = v;
                above[i] = up(lane, v, a.v[i]);
                p.west = v;
                p.self = p.east;
                done.v[i] = sent[i] = v;
            }
            if ((unsigned)(x - out_lo) < (unsigned)(out_hi - out_lo))
                *reinterpret_cast<few<T> *>(to + x * (int)sizeof(T)) = done;
        }
        UNROLL
        for (int i = 0; i < LAG; i++) {
            before[i] = updated[i];
            b_before[i] = b_updated[i];
        }
    }

    /* Sends the last columns to the next tile, or stores them for the next launch. */
    __device__ __forceinline__ void hand_on(long step)
    {
        if (gives) {
            right.wait(step - ZOID_WARP_AHEAD + 1);
            UNROLL
            for (int i = 0; i < SENT; i++)
                mail<T>::send(out_box.at(step, i), lane, sent[i], (unsigned)step + 1);
        } else if (at.tile[0] + 1 < o.all[0]) {
            T *const edge = reinterpret_cast<T *>(o.west) + step * SENT * LANES;

            UNROLL
            for (int i = 0; i < SENT; i++)
                edge[i * LANES + lane] = sent[i];
        }
    }

    /* Stores the row to all other views that need it. */
    __device__ __forceinline__ void leave(long z, const char *out)
    {
        const long shift = x0 - lane * LAG;

        for (int i = 0; i < o.writes; i++) {
            char *const to =
                has(k, lane, z - lane) ? in_view(o, o.write[i], k.t + 1 + lane, z - lane) : nullptr;
            const bool leaves = to && !(lane == k.used - 1 && to == out);

            if (!__any_sync(ALL, leaves))
                continue;
            for (int x = 0; x < W; x++)
                if (leaves && shift + x >= 0 && shift + x < o.n[0])
                    reinterpret_cast<T *>(to)[shift + x] = m.here[x][lane];
        }
    }

    __device__ __forceinline__ void run()
    {
        const bool inside = x0 - LAST * LAG >= 1 && x0 + W <= o.n[0] - 1;
        const long steps = k.to - k.from;

        if (steps <= 0)
            return;
        begin();
        for (long step = 0; step < steps; step++) {
            const long z = k.from + step;
            const bool computed = computes(o, k, lane, z - lane);
            char *const out = lane == k.used - 1 && has(k, lane, z - lane)
                                  ? destination(o, k.t + k.used, z - lane)
                                  : nullptr;

            take(step);
            look_ahead(step);
            if (inside && __all_sync(ALL, computed || lane >= k.used))
                row_of<true>(z, out, true);
            else
                row_of<false>(z, out, computed);
            hand_on(step);
            if (z >= wanted.lo && z < wanted.hi)
                leave(z, out);
            __syncwarp();
            if (lane == k.used - 1 && (step % (ZOID_WARP_AHEAD / 2) == 0 || step + 1 == steps))
                publish(at.done, (unsigned)step + 1, at.read);
        }
    }
};

template <class T, bool RHS>
__global__ void __launch_bounds__(LANES) flat(const __grid_constant__ lanes_order o)
{
    extern __shared__ __align__(16) char memory[];
    flat_warp<T, RHS> warp(o, *reinterpret_cast<flat_memory<T, RHS> *>(memory));

    warp.run();
}

} // namespace
#endif
