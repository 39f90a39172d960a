/* SPDX-License-Identifier: BSD-3-Clause */
/* Wavefront of a block of threads along the chain axis of a tile, several levels at once: see
 * fused.cu, which defines struct zoid_at and includes variants.cuh first. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_CLIMB_CUH
#define ZOID_CODELETS_CUDA_STENCIL_CLIMB_CUH

#include "codelets/cuda/stencil/bring.cuh"

namespace
{

/* Assumptions of a step. STEADY: every level computes all its points, and the final ones write.
 * MIXED: the same, but some points are carried. ANY: none. */
enum { STEADY, MIXED, ANY };

/* State of a thread that climbs a tile. */
template <class K, int S, int FIRST> struct climber : bringer<K, S, FIRST> {
    typedef bringer<K, S, FIRST> base;
    using base::assign, base::seek, base::fetch, base::turn, base::field_of, base::plane_of;
    using base::givens, base::outs, base::steady, base::stop, base::input, base::input_stop;
    using base::next, base::fill;
    using base::o, base::thread, base::own, base::x, base::y, base::z, base::end, base::offset,
        base::computed;
    using base::ROWS, base::F, base::STATE, base::MORE;
    using base::stores, base::written, base::all, base::last, base::last_field, base::odds;
    using typename base::tile, typename base::flow, typename base::what;
    template <int s> using line = typename base::template line<s>;
    template <int f> using input_of = typename base::template input_of<f>;
    enum { Q = tile::QUEUE, N = tile::N };

    char *own_edge; /* the thread's first row in shared memory, of level 1 */
    value_here queue[flow::STREAMS][Q][ROWS];
    int newest[F], kept; /* newest planes: offsets in rings, and edge slot */

    /* Returns the byte offset in its ring of the plane `back` planes behind the newest. */
    template <int f> __device__ __forceinline__ int ringed(int back) const
    {
        typedef input_of<f> in;
        const int slot = newest[in::turns] - back * in::plane;

        return slot < 0 ? slot + in::bytes : slot;
    }

    /* Returns the queue slot of a stream's plane z + p. */
    template <int s, int phase> static __device__ __forceinline__ int slot_of(int p)
    {
        return (phase + p - line<s>::tail) % Q;
    }

    /* Returns the operands of level i in field f. */
    template <int i, int f> __device__ __forceinline__ zoid_near near() const
    {
        typedef typename flow::template level<i> level;
        typedef typename level::template of<f> field;
        constexpr int s = field::stream, newest_plane = line<s>::head + level::lag;
        zoid_near n;

        n.queue = &queue[s][0][0];
        if constexpr (s < F) {
            typedef input_of<s> in;

            n.held = in::queued ? flow::HELD : -NONE;
            n.rows_around = own + in::first;
            n.pitch = tile::PITCH;
            n.sides = tile::SIDE ? tile::REACH_X : 0;
            n.beyond = beyond_row<here, QUADS>(thread);
            n.above = ROWS;
            UNROLL
            for (int k = -field::low; k <= field::high; k++)
                n.slot[ZOID_MAX_REACH + k] = ringed<s>(newest_plane - k);
        } else {
            n.held = NONE;
            n.rows_around = own_edge + (s - F) * tile::EDGES;
            n.pitch = SPAN;
            n.sides = 0;
            n.above = tile::EDGE;
            UNROLL
            for (int k = -field::low; k <= field::high; k++) {
                int slot = kept - newest_plane + k;

                slot += slot < 0 ? tile::KEPT : 0;
                n.slot[ZOID_MAX_REACH + k] = slot * tile::EDGE_PLANE;
            }
        }
        return n;
    }

    template <int i, int phase> __device__ __forceinline__ zoid_at_in<tile> at() const
    {
        typedef typename flow::template level<i> level;
        zoid_at_in<tile> at; /* not zeroed: the compiler took minutes to remove that again */

        at.params = &o.f.params;
        if constexpr (K::row.ntables > 0)
            at.now = o.now[i];
        at.t = o.t + i;
        at.n = o.f.n;
        at.p[0] = x + o.f.x0;
        at.p[tile::C] = o.f.origin + z - level::lag;
        each<F>([&]<int f>() {
            typedef typename level::template of<f> field;

            if constexpr (field::read) {
                at.field[f] = near<i, f>();
                at.field[f].centre = slot_of<field::stream, phase>(-level::lag);
            }
        });
        return at;
    }

    /* Replaces results of level i where planes were given or points are carried. */
    template <int MODE, int i>
    __device__ __forceinline__ void mend(const zoid_at_in<tile> *given,
                                         value_here (*result)[STATE]) const
    {
        typedef typename flow::template level<i> level;
        const int p = z - level::lag;

        if (MODE == ANY && givens >> i & 1) {
            const char *from = plane_of(i, p);
            const size_t field = field_of(i);

            each<STATE>([&]<int f>() {
                if constexpr (level::template of<f>::written) {
                    UNROLL
                    for (int r = 0; r < ROWS; r++)
                        result[r][f] =
                            load_vector<here, QUADS>(from + what::template of<f>::in_group * field +
                                                     (size_t)offset[r] * QUAD);
                }
            });
        } else if (MODE == MIXED || odds >> i & 1) {
            zoid_at_in<tile> at = *given;

            each<STATE>([&]<int f>() {
                typedef typename level::template of<f> field;

                if constexpr (field::written) {
                    const extent &box = o.inner[field::inner];
                    const bool inner = MODE == MIXED || (p >= box.lo[2] && p < box.hi[2]);

                    UNROLL
                    for (int r = 0; r < ROWS; r++) {
                        at.row = r;
                        result[r][f] = choose(inner ? computed[field::inner][r] : 0, result[r][f],
                                              here_load(&at, K::D, field::kept, 0, 0, 0));
                    }
                }
            });
        }
    }

    template <int MODE, int i>
    __device__ __forceinline__ void keep(const value_here (*result)[STATE]) const
    {
        typedef typename flow::template level<i> level;
        const int p = z - level::lag;

        if (MODE == ANY ? outs >> i & 1 : level::final) {
            char *to = MODE == ANY ? plane_of(i, p) : last[i] + p * o.f.plane;
            const size_t field = MODE == ANY ? field_of(i) : last_field[i];

            each<STATE>([&]<int f>() {
                if constexpr (level::template of<f>::written) {
                    UNROLL
                    for (int r = 0; r < ROWS; r++)
                        if (level::final ? stores >> r & 1 : this->template wanted<i>(r))
                            store_vector(to + f * field + (size_t)offset[r] * QUAD, result[r][f],
                                         S == 1 ? written : between<N>(0, N));
                }
            });
        }
    }

    /* Appends level i's plane to the streams of its readers. */
    template <int i, int phase>
    __device__ __forceinline__ void push(const value_here (*result)[STATE])
    {
        each<STATE>([&]<int f>() {
            typedef typename flow::template level<i>::template of<f> field;

            if constexpr (field::written) {
                constexpr int s = field::result;

                if constexpr (line<s>::used) {
                    UNROLL
                    for (int r = 0; r < ROWS; r++) {
                        queue[s][slot_of<s, phase>(line<s>::head)][r] = result[r][f];
                        show<s>(r, result[r][f]);
                    }
                }
            }
        });
    }

    /* Stores a row to shared memory if other threads read it. */
    template <int s> __device__ __forceinline__ void show(int r, const value_here &row)
    {
        const int index = tile::EDGE == ROWS || r < MORE ? r : r - (ROWS - tile::EDGE);

        if (line<s>::beside && (tile::EDGE == ROWS || r < MORE || r >= ROWS - MORE))
            put_vector(own_edge + (s - F) * tile::EDGES + kept * tile::EDGE_PLANE + index * SPAN,
                       row);
    }

    template <int MODE, int phase, int i> __device__ __forceinline__ void level()
    {
        typedef typename flow::template level<i> level;
        value_here result[ROWS][STATE];
        zoid_at_in<tile> stand = at<i, phase>();

        /* No output yet, on the way to the first plane. */
        if (MODE == ANY && S == 1 && !outs)
            return;
        UNROLL
        for (int r = 0; r < ROWS; r++) {
            stand.row = r;
            if (K::D == 3)
                stand.p[1] = y + r;
            stand.result = result[r];
            K::template point<level::stage>(&stand);
        }
        if constexpr (MODE != STEADY || level::final)
            each<STATE>([&]<int f>() {
                if constexpr (level::template of<f>::written)
                    UNROLL
                for (int r = 0; r < ROWS; r++)
                    settle(result[r][f]);
            });
        if (MODE != STEADY)
            mend<MODE, i>(&stand, result);
        keep<MODE, i>(result);
        push<i, phase>(result);
    }

    template <int MODE, int phase, int... i>
    __device__ __forceinline__ void levels(std::integer_sequence<int, i...>)
    {
        (level<MODE, phase, i>(), ...);
    }

    /* Starts the loads that go to registers directly. */
    template <int phase> __device__ __forceinline__ void load()
    {
        each<F>([&]<int f>() {
            if constexpr (input_of<f>::direct) {
                UNROLL
                for (int r = 0; r < ROWS; r++)
                    queue[f][slot_of<f, phase>(0)][r] =
                        input[f]
                            ? load_vector<here, QUADS, true>(input[f] + (size_t)offset[r] * QUAD)
                            : value_here{};
            }
        });
    }

    /* Moves the planes that have arrived to the queues. */
    template <int phase> __device__ __forceinline__ void arrive()
    {
        each<F>([&]<int f>() {
            typedef input_of<f> in;

            if constexpr (in::used && in::queued && !in::direct) {
                const char *from = own + in::first + ringed<f>(in::head - in::held);

                UNROLL
                for (int r = 0; r < ROWS; r++)
                    queue[f][slot_of<f, phase>(in::held)][r] =
                        take_vector<here, QUADS>(from + r * tile::PITCH);
            }
        });
    }

    template <int MODE, int phase> __device__ __forceinline__ void step()
    {
        load<phase>();
        fetch();
        copies_together();
        copies_wait<tile::AHEAD>();
        arrive<phase>();
        levels<MODE, phase>(std::make_integer_sequence<int, S>{});
        turn(newest);
        kept = kept + 1 == tile::KEPT ? 0 : kept + 1;
        if (K::D == 3)
            __syncthreads();
        z++;
    }

    template <int by> __device__ __forceinline__ void shift()
    {
        UNROLL
        for (int s = 0; s < flow::STREAMS; s++)
            UNROLL
        for (int q = 0; q < tile::SLOTS - 1; q++)
            UNROLL
        for (int r = 0; r < ROWS; r++)
            queue[s][q][r] = queue[s][(q + by) % Q][r];
    }

    template <int MODE, int... phase>
    __device__ __forceinline__ void round(std::integer_sequence<int, phase...>)
    {
        (step<MODE, phase>(), ...);
        if (tile::PHASES < tile::SLOTS)
            shift<tile::PHASES>();
    }

    template <int MODE> __device__ __forceinline__ void rounds()
    {
        for (int n = (stop - z) / tile::PHASES; n > 0; n--)
            round<MODE>(std::make_integer_sequence<int, tile::PHASES>{});
    }

    __device__ __forceinline__ void climb()
    {
        UNROLL
        for (int f = 0; f < F; f++) {
            input[f] = nullptr;
            fill[f] = newest[f] = 0;
        }
        kept = 0;
        for (int i = 0; i < tile::EARLY + tile::AHEAD; i++) {
            seek();
            fetch();
            copies_together();
            if (i < tile::EARLY)
                turn(newest);
        }
        /* An update that only reads upwards has no steps before the first plane. */
        if (tile::EARLY && K::D == 3) {
            copies_wait<tile::AHEAD>();
            __syncthreads();
        }
        while (z < end) {
            if (z >= stop) {
                assign();
                seek();
                stop = min(stop, z + input_stop - next);
            }
            if (steady && stop - z >= tile::PHASES) {
                if (all)
                    rounds<STEADY>();
                else
                    rounds<MIXED>();
            } else {
                step<ANY, 0>();
                shift<1>();
            }
        }
        copies_wait<0>();
        if (K::D == 3)
            __syncthreads();
    }
};

} // namespace
#endif
