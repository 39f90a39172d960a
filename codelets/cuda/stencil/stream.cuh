/* SPDX-License-Identifier: BSD-3-Clause */
/* Register streaming (2.5-D blocking) of a thread along the chain axis, one stage at a time: see
 * stream.cu, which defines struct zoid_at and includes variants.cuh first. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_STREAM_CUH
#define ZOID_CODELETS_CUDA_STENCIL_STREAM_CUH

#include "codelets/cuda/stencil/spans.cuh"
#include "codelets/cuda/stencil/tuned.cuh"

namespace
{

template <int GROUPS, int BOXES> struct stream_order {
    field_layout f;
    long t;
    extent box;                   /* points to write */
    boxes<BOXES> inner;           /* points to compute; the others are carried */
    int first;                    /* index in a row of the first stretch's first value */
    int tiles_x, tiles_y, planes; /* planes of a march */
    spans<GROUPS> in;
    list out;
};

template <class K, int S>
using stream_order_of = stream_order<touched<K, S>::groups, touched<K, S>::BOXES>;

/* Thread layout of a kernel. If an update reads many planes, a thread has few values, so that
 * enough warps are resident to hide memory latency. In 2-D, where a thread computes little, rows
 * are prefetched some steps ahead. */
template <class K, int S> struct stream_tile {
    typedef touched<K, S> what;
    static constexpr stream_tuning t = tuned.stream;
    enum {
        LO = what::lowest(what::C),
        HI = what::highest(what::C),
        READS = what::planes(),
        FEW = READS <= t.few,
        SOME = READS <= t.some,
        AHEAD = K::D > 2 ? 0
                : FEW    ? t.ahead_few
                : SOME   ? t.ahead_some
                         : 0,
        LINE = K::D > 2 && FEW && !K::diagonal, /* few planes, without diagonal neighbours */
        /* Many planes, of one field or nearly one. */
        MANY = K::D > 2 && !K::diagonal && READS >= t.many &&
               READS <= (what::fields == 1 ? t.most_many : t.most_many_several),
        ROWS = K::D < 3       ? 1
               : FEW          ? (sizeof(here) > 1 ? t.rows_few : t.rows_bytes)
               : SOME || MANY ? t.rows_some
                              : 1,
        TALL = ROWS == t.rows_few || MANY,
        WARPS = TALL ? t.tall_warps : t.warps,
        SLOTS = LO + HI + 1 + AHEAD,
        PHASES = SLOTS <= (K::D > 2 ? 5 : 9) ? SLOTS : 1,
        QUEUE = PHASES == SLOTS ? SLOTS : SLOTS + PHASES - 1,
        REGISTERS =
            (READS + AHEAD * what::fields + what::state) * ROWS * 4 + (K::diagonal ? 80 : 40),
        /* Rows beside the thread's own are prefetched one plane ahead, if there are any and that
         * plane is read at all. */
        EARLY = K::D > 2 && what::lowest(1) + what::highest(1) > 0 && what::fields == 1 && HI > 0 &&
                READS != 7 && !K::diagonal && sizeof(here) > 1,
        BLOCKS = LINE                          ? t.line_blocks
                 : TALL                        ? t.tall_blocks
                 : EARLY                       ? t.early_blocks
                 : REGISTERS <= t.registers[0] ? t.blocks[0]
                 : REGISTERS <= t.registers[1] ? t.blocks[1]
                                               : 1,
        BITS = what::template of<0>::bits,
        BELOW = K::D > 2 ? what::lowest(1) : 0,
        BEYOND = K::D > 2 ? BELOW + what::highest(1) : 0,
        X = what::lowest(0) > what::highest(0) ? what::lowest(0) : what::highest(0),
        SERVE = (X + value_here::N - 1) / value_here::N, /* threads in the overlap, at each end */
        STRETCH = (WARP - 2 * SERVE) * value_here::N
    };
};

/* State of a thread that marches: offsets of its vectors are in quads from a plane's start. */
template <class K, int S> struct streamer {
    typedef stream_tile<K, S> tile;
    typedef touched<K, S> what;
    static constexpr int F = what::fields, Q = tile::QUEUE, ROWS = tile::ROWS, BOXES = what::BOXES;

    const stream_order_of<K, S> &o;
    int x, y, z, end;
    unsigned offset[ROWS], beyond[tile::BEYOND > 0 ? tile::BEYOND : 1];
    unsigned computed[BOXES][ROWS], written[ROWS];
    value_here queue[F][Q][ROWS], early[tile::EARLY ? tile::BEYOND : 1];
    const char *plane[F][Q];
    int next, input_span, input_stop, stop;
    const char *input[F];
    char *out;
    size_t out_field;
    bool inner[BOXES], inners, all; /* of a plane: in a box, and in all of them */

    __device__ __forceinline__ unsigned place(int row) const
    {
        row = K::D > 2 ? min(max(row - o.f.y0, 0), o.f.rows - 1) : 0;
        return (unsigned)((row * o.f.pitch +
                           min(max(x, 0), o.f.width - value_here::N) * (int)sizeof(here)) /
                          QUAD);
    }

    __device__ __forceinline__ void set_out()
    {
        const int px = x + o.f.x0, thread = threadIdx.x % WARP;
        const bool serves = thread < tile::SERVE || thread >= WARP - tile::SERVE;

        UNROLL
        for (int r = 0; r < ROWS; r++) {
            bool row = K::D < 3 || (y + r >= o.box.lo[1] && y + r < o.box.hi[1]);

            offset[r] = place(y + r);
            written[r] =
                row && !serves ? between<value_here::N>(o.box.lo[0] - px, o.box.hi[0] - px) : 0;
        }
        UNROLL
        for (int i = 0; i < tile::BEYOND; i++)
            beyond[i] = place(i < tile::BELOW ? y - tile::BELOW + i : y + ROWS + i - tile::BELOW);
        all = true;
        each<BOXES>([&]<int b>() {
            if constexpr (what::template numbered<b>::used) {
                const extent &box = o.inner.box[b];

                UNROLL
                for (int r = 0; r < ROWS; r++) {
                    const bool inside = K::D < 3 || (y + r >= box.lo[1] && y + r < box.hi[1]);

                    computed[b][r] =
                        inside ? between<value_here::N>(box.lo[0] - px, box.hi[0] - px) : 0;
                    all = all && (computed[b][r] & written[r]) == written[r];
                }
            }
        });
        all = __all_sync(EVERYONE, all);
    }

    __device__ __forceinline__ void seek()
    {
        while (next >= o.in.span[input_span].stop)
            input_span++;
        const span<what::groups> &s = o.in.span[input_span];

        input_stop = s.stop;
        each<F>([&]<int f>() {
            typedef typename what::template of<f> field;

            if constexpr (field::read)
                input[f] =
                    s.at[field::which] + next * o.f.plane + field::in_group * s.field[field::which];
        });
    }

    /* Records in `slot` where plane z + HI + AHEAD lies, and loads what each field needs next;
     * until `begun`, only from the field's lowest plane on. */
    __device__ __forceinline__ void fetch(int slot, bool begun, int k)
    {
        if (next >= input_stop)
            seek();
        each<F>([&]<int f>() {
            typedef typename what::template of<f> field;

            if constexpr (field::read) {
                /* The plane to load of this field is `back` slots back. */
                constexpr int back = tile::HI - field::high, late = back + tile::LO - field::low;

                plane[f][slot] = input[f];
                input[f] += o.f.plane;
                if (begun || k >= late) {
                    UNROLL
                    for (int r = 0; r < ROWS; r++)
                        queue[f][(slot - back + Q) % Q][r] =
                            clean(load_vector<here, 1>(plane[f][(slot - back + Q) % Q] +
                                                       (size_t)offset[r] * QUAD),
                                  field::bits);
                }
            }
        });
        next++;
    }

    __device__ __forceinline__ void look_beside(const char *there)
    {
        UNROLL
        for (int i = 0; i < tile::BEYOND; i++)
            early[i] = load_vector<here, 1>(there + (size_t)beyond[i] * QUAD);
    }

    __device__ __forceinline__ void refresh()
    {
        spot to;

        stop = end;
        to = find(o.out, z, o.f.plane, &stop);
        out = to.at;
        out_field = to.field;
        inners = true;
        each<BOXES>([&]<int b>() {
            if constexpr (what::template numbered<b>::used) {
                const extent &box = o.inner.box[b];

                inner[b] = z >= box.lo[2] && z < box.hi[2];
                inners = inners && inner[b];
                if (z < box.hi[2])
                    stop = min(stop, inner[b] ? box.hi[2] : box.lo[2]);
            }
        });
    }

    /* Carries points that the stage does not compute; then stores the plane if it is an output. */
    template <int centre> __device__ __forceinline__ void leave(value_here (*result)[F])
    {
        each<what::state>([&]<int f>() {
            typedef typename what::template of<f> field;

            if constexpr (field::written) {
                UNROLL
                for (int r = 0; r < ROWS; r++) {
                    settle(result[r][f]);
                    if (!inners || !all)
                        result[r][f] = choose(inner[field::box] ? computed[field::box][r] : 0,
                                              result[r][f], queue[field::kept][centre][r]);
                }
            }
        });
        if (!out)
            return;
        each<what::state>([&]<int f>() {
            if constexpr (what::template of<f>::written) {
                UNROLL
                for (int r = 0; r < ROWS; r++)
                    if (written[r])
                        store_vector(out + f * out_field + (size_t)offset[r] * QUAD, result[r][f],
                                     written[r]);
            }
        });
        out += o.f.plane;
    }

    template <int phase> __device__ __forceinline__ void step()
    {
        constexpr int centre = (phase + tile::LO) % Q;
        value_here result[ROWS][F], beside[tile::EARLY ? tile::BEYOND : 1];
        zoid_at_in<tile> at = {};

        fetch((phase + tile::SLOTS - 1) % Q, true, 0);
        if (z >= stop)
            refresh();
        at.params = &o.f.params;
        at.t = o.t;
        at.n = o.f.n;
        at.p[0] = x + o.f.x0;
        at.p[1] = y;
        at.p[what::C] = o.f.origin + z;
        at.queue = &queue[0][0][0];
        at.centre = centre;
        at.plane = &plane[0][0];
        at.beyond = beyond;
        if (tile::EARLY) {
            UNROLL
            for (int i = 0; i < tile::BEYOND; i++)
                beside[i] = early[i];
            look_beside(plane[0][(centre + 1) % Q]);
            at.beside = beside;
        }
        UNROLL
        for (int r = 0; r < ROWS; r++) {
            at.row = r;
            if (K::D > 2)
                at.p[1] = y + r;
            at.result = result[r];
            K::template point<S>(&at);
        }
        leave<centre>(result);
        z++;
    }

    __device__ __forceinline__ void shift()
    {
        UNROLL
        for (int f = 0; f < F; f++)
            UNROLL
        for (int q = 0; q + 1 < tile::SLOTS; q++) {
            plane[f][q] = plane[f][q + 1];
            UNROLL
            for (int r = 0; r < ROWS; r++)
                queue[f][q][r] = queue[f][q + 1][r];
        }
    }

    /* Runs the phases one after another while planes are left. */
    template <int... phase>
    __device__ __forceinline__ void round(std::integer_sequence<int, phase...>)
    {
        (void)((step<phase>(), z < end) && ...);
    }

    __device__ __forceinline__ void stream_planes()
    {
        next = z - tile::LO;
        input_span = 0;
        input_stop = next;
        stop = z;
        UNROLL
        for (int k = 0; k < tile::SLOTS - 1; k++)
            fetch(k, false, k);
        if (tile::EARLY)
            look_beside(plane[0][tile::LO]);
        while (z < end) {
            round(std::make_integer_sequence<int, tile::PHASES>{});
            if (tile::PHASES < tile::SLOTS)
                shift();
        }
    }
};

} // namespace
#endif
