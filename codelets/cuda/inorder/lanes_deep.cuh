/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps in the lanes of warps in 3-D: see lanes.cuh.
 *
 *     at step (Z, Y, X) lane l is at column X - l, row Y - l and plane Z - l. Its operands of the
 *     previous time are results of the lane below: at (Z - 1, Y - 1, X - 1), the point itself, and
 *     beyond it at (Z - 1, Y - 1, X), (Z - 1, Y, X - 1) and (Z, Y - 1, X - 1).
 *
 * A tile keeps a vector of each of its points, and of those before its first column and row. */
#ifndef ZOID_CODELETS_CUDA_INORDER_LANES_DEEP_CUH
#define ZOID_CODELETS_CUDA_INORDER_LANES_DEEP_CUH

#include "codelets/cuda/inorder/lanes.cuh"

namespace
{

template <class T, bool RHS> struct deep_tile {
    static constexpr int C = ZOID_WARP_COLUMNS;
    static constexpr int R = ZOID_WARP_ROWS * 4 / ((int)sizeof(T) * (RHS ? 2 : 1));
    static constexpr int N = 16 / (int)sizeof(T), PITCH = C + 4; /* values of a quad, of a row */
    static constexpr int QUADS = (R + 1) * (PITCH / N);          /* in the rows of a plane */
    static constexpr int EACH = (QUADS + LANES - 1) / LANES;     /* per lane */
    static constexpr int EAST = R + 1, SENT = (RHS ? 2 : 1) * (R + 1 + C);
};

/* Rows of a plane that lane 0 reads: of time t, or of the right-hand side. */
template <class T, bool RHS> struct deep_rows {
    typedef deep_tile<T, RHS> tile;
    float4 quad[tile::EACH]; /* in flight */

    __device__ __forceinline__ void fetch(const lanes_order &o, const char *plane, long x0, long y0,
                                          int lane)
    {
        UNROLL
        for (int i = 0; i < tile::EACH; i++) {
            const int q = i * LANES + lane;
            const long y = y0 + q / (tile::PITCH / tile::N);
            const long at = (x0 + q % (tile::PITCH / tile::N) * tile::N) * (long)sizeof(T);

            quad[i] = make_float4(0, 0, 0, 0);
            if (plane && q < tile::QUADS && y < o.n[1] && at < o.pitch)
                quad[i] = __ldcg(reinterpret_cast<const float4 *>(plane + y * o.pitch + at));
        }
    }
    __device__ __forceinline__ void put(T *to, int lane) const
    {
        UNROLL
        for (int i = 0; i < tile::EACH; i++)
            if (i * LANES + lane < tile::QUADS)
                reinterpret_cast<float4 *>(to)[i * LANES + lane] = quad[i];
    }
};

/* Shared memory of a warp: the newest vector of each point; the vectors of this step before the
 * first column (from the row before the first one on) and before the first row; and rows of planes
 * of time t. */
template <class T, bool RHS> struct deep_memory {
    typedef deep_tile<T, RHS> tile;
    static constexpr int FIELDS = RHS ? 2 : 1;
    T here[FIELDS][tile::R + 1][tile::C + 1][LANES];
    T sent[tile::SENT][LANES];
    alignas(16) T now[2][tile::R + 1][tile::PITCH];
    alignas(16) T b[RHS ? tile::R + 1 : 1][tile::PITCH];
};

template <class T, bool RHS> struct deep_warp {
    typedef deep_tile<T, RHS> tile;
    static constexpr int C = tile::C, R = tile::R, EAST = tile::EAST;
    static constexpr int FIELDS = deep_memory<T, RHS>::FIELDS, RIGHT = FIELDS - 1;
    typedef mailbox<T, tile::SENT, ZOID_WARP_AHEAD_3D> box;

    const lanes_order &o;
    deep_memory<T, RHS> &m;
    const int lane;
    const post at;
    const group k;
    const long x0, y0;
    const factors<T> params;
    const range wanted;
    const box out_box, west_box, south_box;
    /* Receives from the previous tiles, sends to the next ones, of this launch. */
    const bool gets_west, gets_south, gives_east, gives_north;
    /* Operands along a row, for each column: at the previous time the point and the one above it;
     * the result in the row before; the right-hand side. */
    T self[C + 1], above[C], south[C], b[C];
    deep_rows<T, RHS> ahead, b_ahead;
    watched upstream, right, beyond;
    group source;

    __device__ __forceinline__ deep_warp(const lanes_order &o, deep_memory<T, RHS> &m)
        : o(o), m(m), lane(threadIdx.x), at(o), k(group_of(o, at.group, lane)), x0(at.tile[0] * C),
          y0(at.tile[1] * R), params(factors_of<T>(o.params.value[0], 3)),
          wanted(wanted_of(o, k, lane)), out_box(o.ring, at.number),
          west_box(o.ring, at.neighbour(o, 0, -1)), south_box(o.ring, at.neighbour(o, 1, -1)),
          gets_west(at.beside(o, 0, -1)), gets_south(at.beside(o, 1, -1)),
          gives_east(at.beside(o, 0, 1)), gives_north(at.beside(o, 1, 1)),
          upstream(at.before(o, x0 + C + LAST, y0 + R + LAST)),
          right{post::word(o, at.neighbour(o, 0, 1)), 0}, beyond{post::word(o,
                                                                            at.neighbour(o, 1, 1)),
                                                                 0},
          source(at.group > o.group ? group_of(o, at.group - 1, lane) : k)
    {
    }

    __device__ __forceinline__ T value(const char *plane, long y, long x) const
    {
        return plane && y >= 0 && y < o.n[1] && x >= 0 && x < o.n[0]
                   ? *reinterpret_cast<const T *>(plane + y * o.pitch + x * (long)sizeof(T))
                   : T(0);
    }

    /* Waits for a plane of time t; returns its address. */
    __device__ __forceinline__ const char *plane(long z)
    {
        upstream.wait(at.group > o.group ? steps_for(o, source, z) : 0);
        return given(o, k.t, z);
    }

    /* Sets the lanes' vectors in the plane below their first one, and starts the prefetch. */
    __device__ __forceinline__ void begin()
    {
        const char *const low = below(o, k, lane);
        const char *const b_low = RHS ? given_rhs(o, k.from - 1 - lane) : nullptr;

        for (int i = 0; i <= R; i++)
            for (int j = 0; j <= C; j++) {
                const long y = y0 - 1 + i - lane, x = x0 - 1 + j - lane;

                m.here[0][i][j][lane] = value(low, y, x);
                if (RHS)
                    m.here[RIGHT][i][j][lane] = value(b_low, y, x);
            }
        for (int i = 0; i < tile::SENT; i++)
            m.sent[i][lane] = 0;
        ahead.fetch(o, plane(k.from), x0, y0, lane);
        ahead.put(m.now[k.from & 1][0], lane);
        ahead.fetch(o, plane(k.from + 1), x0, y0, lane);
        if (RHS)
            b_ahead.fetch(o, given_rhs(o, k.from), x0, y0, lane);
        __syncwarp();
    }

    __device__ __forceinline__ void look_ahead(long z)
    {
        ahead.put(m.now[(z + 1) & 1][0], lane);
        if (RHS)
            b_ahead.put(m.b[0], lane);
        __syncwarp();
        if (z + 1 >= k.to)
            return;
        ahead.fetch(o, plane(z + 2), x0, y0, lane);
        if (RHS)
            b_ahead.fetch(o, given_rhs(o, z + 1), x0, y0, lane);
    }

    /* Receives N vectors of another warp, from its i-th on. */
    template <int N> __device__ __forceinline__ void take(const box &from, long step, int i)
    {
        mail<T> in[N] = {};

        receive(from.at(step, i), lane, (unsigned)step + 1, in);
        UNROLL
        for (int j = 0; j < N; j++)
            m.sent[i + j][lane] = in[j].value();
    }

    /* Receives the vectors before the first column and row: for each field those of the previous
     * tile in x, then those of the previous tile in y. */
    __device__ __forceinline__ void take_all(long step)
    {
        constexpr int EACH = EAST + C;
        const T *const west = reinterpret_cast<const T *>(o.west);
        const T *const south = reinterpret_cast<const T *>(o.south);

        UNROLL
        for (int f = 0; f < FIELDS; f++) {
            if (gets_west)
                take<EAST>(west_box, step, f * EACH);
            else if (at.tile[0] > 0)
                for (int i = 0; i < EAST; i++)
                    m.sent[f * EACH + i][lane] = west[(edge(step, f) + i) * LANES + lane];
            if (gets_south)
                take<C>(south_box, step, f * EACH + EAST);
            else if (at.tile[1] > 0)
                for (int i = 0; i < C; i++)
                    m.sent[f * EACH + EAST + i][lane] = south[(face(step, f) + i) * LANES + lane];
        }
    }

    /* Index of the first vector in o.west, or in o.south, that this tile stores at a step. */
    __device__ __forceinline__ long edge(long step, int f) const
    {
        return (step * FIELDS + f) * EAST;
    }
    __device__ __forceinline__ long face(long step, int f) const
    {
        return ((step * FIELDS + f) * o.all[0] + at.tile[0]) * C;
    }

    /* Sends a vector to the next tile in x, or in y, or stores it for the next launch. */
    __device__ __forceinline__ void send_east(long step, int f, int i, T v) const
    {
        if (gives_east)
            mail<T>::send(out_box.at(step, f * (EAST + C) + i), lane, v, (unsigned)step + 1);
        else if (at.tile[0] + 1 < o.all[0])
            reinterpret_cast<T *>(o.west)[(edge(step, f) + i) * LANES + lane] = v;
    }
    __device__ __forceinline__ void send_north(long step, int f, int i, T v) const
    {
        if (gives_north)
            mail<T>::send(out_box.at(step, f * (EAST + C) + EAST + i), lane, v, (unsigned)step + 1);
        else if (at.tile[1] + 1 < o.all[1])
            reinterpret_cast<T *>(o.south)[(face(step, f) + i) * LANES + lane] = v;
    }

    /* Processes the row before the first one, whose vectors were received. */
    __device__ __forceinline__ void first_row(long z, long step)
    {
        const T *const now = m.now[z & 1][0], *const next = m.now[(z + 1) & 1][0];
        T old = m.here[0][0][0][lane], v = m.sent[0][lane];
        T b_old = 0;

        m.here[0][0][0][lane] = v;
        UNROLL
        for (int x = 0; x < C; x++) {
            self[x] = up(lane, old, now[x]);
            above[x] = up(lane, v, next[x]);
            old = m.here[0][0][x + 1][lane];
            v = south[x] = m.sent[EAST + x][lane];
            m.here[0][0][x + 1][lane] = v;
        }
        self[C] = up(lane, old, now[C]);
        send_east(step, 0, 0, v);
        if (RHS) {
            constexpr int F = RIGHT, EACH = F * (EAST + C);

            b_old = m.here[F][0][0][lane];
            m.here[F][0][0][lane] = m.sent[EACH][lane];
            UNROLL
            for (int x = 0; x < C; x++) {
                b[x] = up(lane, b_old, m.b[0][x]);
                b_old = m.here[F][0][x + 1][lane];
                m.here[F][0][x + 1][lane] = m.sent[EACH + EAST + x][lane];
            }
            send_east(step, F, 0, m.sent[EACH + EAST + C - 1][lane]);
        }
    }

    /* Relaxes row i of the tile, from 1 on. */
    template <bool WHOLE>
    __device__ __forceinline__ void row_of(long z, long step, int i, char *out, bool computed)
    {
        constexpr int F = RIGHT, EACH = F * (EAST + C);
        const T *const now = m.now[z & 1][i], *const next = m.now[(z + 1) & 1][i];
        T(&here)[C + 1][LANES] = m.here[0][i], (&b_here)[C + 1][LANES] = m.here[F][i];
        const int x1 = (int)(x0 - lane), last = (int)o.n[0] - 1;
        lane_at<T> p = {.params = &params};
        T old = here[0][lane], b_old = b_here[0][lane];

        p.west = m.sent[i][lane];
        here[0][lane] = p.west;
        if (RHS)
            b_here[0][lane] = m.sent[EACH + i][lane];
        UNROLL
        for (int x = 0; x < C; x++) {
            T v;

            p.self = self[x];
            p.east = self[x + 1];
            p.north = up(lane, old, now[x]);
            p.up = above[x];
            p.south = south[x];
            p.down = old = here[x + 1][lane];
            if (RHS) {
                p.b = b[x];
                b[x] = up(lane, b_old, m.b[RHS ? i : 0][x]);
                b_old = b_here[x + 1][lane];
                b_here[x + 1][lane] = p.b;
            }
            v = relaxed<3, RHS>(p);
            if (!WHOLE)
                v = computed && x1 + x > 0 && x1 + x < last ? v : p.self;
            here[x + 1][lane] = v;
            self[x] = p.north;
            above[x] = up(lane, p.west, next[x]);
            south[x] = p.west = v;
            if (out && (WHOLE || (x1 + x >= 0 && x1 + x <= last)))
                reinterpret_cast<T *>(out)[x1 + x] = v;
        }
        self[C] = up(lane, old, now[C]);
        send_east(step, 0, i, p.west);
        if (RHS)
            send_east(step, F, i, p.b);
    }

    template <bool WHOLE> __device__ __forceinline__ void rows(long z, long step, char *out)
    {
        const bool here = computes(o, k, lane, z - lane);

        for (int i = 1; i <= R; i++) {
            const long y = y0 - 1 + i - lane;
            const bool in = WHOLE || (y >= 0 && y < o.n[1]);

            row_of<WHOLE>(z, step, i, out && in ? out + y * o.pitch : nullptr,
                          here && y > 0 && y < o.n[1] - 1);
        }
    }

    __device__ __forceinline__ void hand_north(long step)
    {
        UNROLL
        for (int x = 0; x < C; x++) {
            send_north(step, 0, x, south[x]);
            if (RHS)
                send_north(step, RIGHT, x, m.here[RIGHT][R][x + 1][lane]);
        }
    }

    /* Stores the plane to all other views that need it. */
    __device__ __forceinline__ void leave(long z, const char *out)
    {
        for (int w = 0; w < o.writes; w++) {
            char *const to =
                has(k, lane, z - lane) ? in_view(o, o.write[w], k.t + 1 + lane, z - lane) : nullptr;
            const bool leaves = to && !(lane == k.used - 1 && to == out);

            if (!__any_sync(ALL, leaves))
                continue;
            for (int i = 1; i <= R; i++)
                for (int j = 1; j <= C; j++) {
                    const long y = y0 - 1 + i - lane, x = x0 - 1 + j - lane;

                    if (leaves && y >= 0 && y < o.n[1] && x >= 0 && x < o.n[0])
                        reinterpret_cast<T *>(to + y * o.pitch)[x] = m.here[0][i][j][lane];
                }
        }
    }

    __device__ __forceinline__ void run()
    {
        const bool inside =
            x0 - LAST >= 1 && x0 + C <= o.n[0] - 1 && y0 - LAST >= 1 && y0 + R <= o.n[1] - 1;
        const long steps = k.to - k.from;

        if (steps <= 0)
            return;
        begin();
        for (long step = 0; step < steps; step++) {
            const long z = k.from + step;
            char *const out = lane == k.used - 1 && has(k, lane, z - lane)
                                  ? destination(o, k.t + k.used, z - lane)
                                  : nullptr;

            look_ahead(z);
            take_all(step);
            if (gives_east)
                right.wait(step - ZOID_WARP_AHEAD_3D + 1);
            if (gives_north)
                beyond.wait(step - ZOID_WARP_AHEAD_3D + 1);
            first_row(z, step);
            if (inside && __all_sync(ALL, computes(o, k, lane, z - lane) || lane >= k.used))
                rows<true>(z, step, out);
            else
                rows<false>(z, step, out);
            hand_north(step);
            if (z >= wanted.lo && z < wanted.hi)
                leave(z, out);
            __syncwarp();
            if (lane == k.used - 1 && (step % (ZOID_WARP_AHEAD_3D / 2) == 0 || step + 1 == steps))
                publish(at.done, (unsigned)step + 1, at.read);
        }
    }
};

template <class T, bool RHS>
__global__ void __launch_bounds__(LANES) deep(const __grid_constant__ lanes_order o)
{
    extern __shared__ __align__(16) char memory[];
    deep_warp<T, RHS> warp(o, *reinterpret_cast<deep_memory<T, RHS> *>(memory));

    warp.run();
}

} // namespace
#endif
