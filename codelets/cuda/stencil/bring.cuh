/* SPDX-License-Identifier: BSD-3-Clause */
/* Position of a thread on a tile of the fused kernel, the tasks of all levels there, and the
 * asynchronous copies of input planes to shared memory: see fused.cu, which includes variants.cuh
 * first. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_BRING_CUH
#define ZOID_CODELETS_CUDA_STENCIL_BRING_CUH

#include "codelets/cuda/stencil/fused.cuh"

namespace
{

template <class K, int S, int FIRST> struct bringer {
    typedef fused_tile<K, S, FIRST> tile;
    typedef typename tile::flow flow;
    typedef touched<K, 0> what;
    enum { ROWS = tile::ROWS, N = tile::N, F = tile::F, STATE = flow::STATE, MORE = tile::MORE };
    template <int s> using line = typename flow::template line<s>;
    template <int f> using input_of = typename tile::template input<f>;
    static constexpr unsigned FINALS = flow::finals();

    const order_of<K, S> &o;
    const int thread, warp;
    char *own;   /* the thread's first row in shared memory, of an input */
    int side_at; /* bytes from there to the vector beyond the rows that this thread brings; 0: none
                  */
    int za, zb;  /* planes of the last level to compute */
    int x, y, z, end;
    unsigned offset[ROWS], extra[tile::EXTRA > 0 ? tile::EXTRA : 1],
        side; /* in quads from a plane's start */
    unsigned computed[flow::INNERS][ROWS], stores, written;
    bool all; /* the warp computes all its points */
    /* Thread i of every warp holds the task of level i up to plane `stop`: plane 0 of its output,
     * or of the planes given for it. Bits of levels: `odds` carry or were given, `outs` store. */
    char *there, *last[S];
    size_t there_field, last_field[S]; /* bytes from field to field */
    unsigned odds, givens, outs;
    bool steady;
    int stop;
    const char *input[F];
    int input_stop, next; /* the next plane to bring, of the fields with the highest head */
    int fill[F];          /* byte offsets of ring slots to bring a plane to */

    __device__ __forceinline__ unsigned place(int row, int x) const
    {
        row = K::D == 3 ? min(max(row - o.f.y0, 0), o.f.rows - 1) : 0;
        return (unsigned)((row * o.f.pitch + min(max(x, 0), o.f.width - N) * (int)sizeof(here)) /
                          QUAD);
    }

    /* Returns row i of those beside the tile that this warp brings, relative to the tile's first
     * row. */
    __device__ __forceinline__ int extra_row(int i) const
    {
        const int row = warp + i * tile::WARPS;

        return row < MORE ? row - MORE : tile::HEIGHT + row - MORE;
    }

    /* Returns true if row r of the thread is valid as far as it lies in level i's box. Tiles of the
     * last level, and of other final levels, do not overlap. */
    template <int i> __device__ __forceinline__ bool wanted(int r) const
    {
        typedef typename flow::template level<i> of;
        const extent &box = o.level[i].box;
        const int px = x + o.f.x0, start = px - thread * N, row = warp * ROWS + r;
        const int low = of::final ? tile::LEFT * N : of::left;
        const int high = of::final ? tile::LEFT * N : of::right;

        return px + N > box.lo[0] && px < box.hi[0] &&
               max(px, of::final ? px : box.lo[0]) >= start + low &&
               min(px + N, of::final ? px + N : box.hi[0]) <= start + WARP * N - high &&
               (K::D < 3 || (y + r >= box.lo[1] && y + r < box.hi[1] && row >= of::below &&
                             row < tile::HEIGHT - of::above));
    }

    __device__ __forceinline__ void set_tile(int number)
    {
        const int px = o.first[0] + number % o.tiles_x * tile::STRIDE_X + thread * N + o.f.x0;

        x = px - o.f.x0;
        y = K::D == 3 ? o.first[1] + number / o.tiles_x * tile::STRIDE_Y + warp * ROWS : 0;
        stores = 0;
        written = between<N>(o.level[S - 1].box.lo[0] - px, o.level[S - 1].box.hi[0] - px);
        all = true;
        UNROLL
        for (int r = 0; r < ROWS; r++) {
            offset[r] = place(y + r, x);
            each<flow::INNERS>([&]<int k>() {
                if constexpr (flow::template numbered<k>::used) {
                    const extent &inner = o.inner[k];
                    const bool row = K::D < 3 || (y + r >= inner.lo[1] && y + r < inner.hi[1]);

                    computed[k][r] = row ? between<N>(inner.lo[0] - px, inner.hi[0] - px) : 0;
                    all = all && computed[k][r] == between<N>(0, N);
                }
            });
            stores |= unsigned(wanted<S - 1>(r)) << r;
        }
        all = __all_sync(EVERYONE, all);
        UNROLL
        for (int i = 0; i < tile::EXTRA; i++)
            extra[i] = place(y - warp * ROWS + extra_row(i), x);
        /* Offsets of 32 bits from here on, so that an address takes one addition. */
        UNROLL
        for (int r = 0; r < ROWS; r++)
            settle(offset[r]);
        UNROLL
        for (int i = 0; i < tile::EXTRA; i++)
            settle(extra[i]);
        if (tile::SIDE)
            set_side();
    }

    /* Assigns the vectors on either side of the warp's rows to its threads. */
    __device__ __forceinline__ void set_side()
    {
        const int i = thread / 2 - ROWS, high = thread % 2;
        const int row = i < 0 ? thread / 2 : extra_row(i) - warp * ROWS;
        const bool any = i < 0 || (i < tile::EXTRA && warp + i * tile::WARPS < 2 * MORE);

        side_at = any ? row * tile::PITCH + (high ? SPAN : -QUAD) - thread * QUAD : 0;
        side = place(y + row, x + ((high ? WARP : -1) - thread) * N);
        settle(side);
    }

    /* First and end plane of level i that planes [za, zb) of the last level depend on. */
    template <int i> __device__ __forceinline__ int low() const
    {
        const int lo = o.level[i].box.lo[2];

        return za == o.lo ? lo : max(lo, za - flow::template level<i>::down);
    }
    template <int i> __device__ __forceinline__ int high() const
    {
        const int hi = o.level[i].box.hi[2];

        return zb == o.hi ? hi : min(hi, zb + flow::template level<i>::up);
    }

    __device__ __forceinline__ void set_range()
    {
        z = NEVER;
        end = -NEVER;
        each<S>([&]<int i>() {
            typedef typename flow::template level<i> of;

            if (o.level[i].box.lo[2] < o.level[i].box.hi[2]) {
                z = min(z, low<i>() + of::first);
                end = max(end, high<i>() + of::lag);
            }
        });
        stop = z;
        next = input_stop = z + tile::LEAD - tile::EARLY;
    }

    /* Finds the tasks of all levels from plane z on. */
    __device__ __forceinline__ void assign()
    {
        bool given = false, inner = false, compute = false;
        int until = end, lag = 0, lo = 0, hi = 0, inner_lo = 0, inner_hi = 0;

        there = nullptr;
        there_field = 0;
        each<S>([&]<int i>() {
            if (thread == i) {
                lag = flow::template level<i>::lag;
                lo = low<i>();
                hi = high<i>();
                inner_lo = -NEVER;
                inner_hi = NEVER;
                each<STATE>([&]<int f>() {
                    typedef typename flow::template level<i>::template of<f> field;

                    if constexpr (field::written) {
                        inner_lo = max(inner_lo, o.inner[field::inner].lo[2]);
                        inner_hi = min(inner_hi, o.inner[field::inner].hi[2]);
                    }
                });
            }
        });
        if (thread < S) {
            const int p = z - lag;
            int change = end;
            spot to;

            compute = p >= lo && p < hi;
            inner = p >= inner_lo && p < inner_hi;
            if (p < hi)
                change = p < lo ? lo : hi;
            if (p < inner_hi)
                change = min(change, inner ? inner_hi : inner_lo);
            to = find(compute ? o.level[thread].out : o.level[thread].given, p, o.f.plane, &change);
            if (to.at) {
                there = to.at - p * o.f.plane;
                there_field = to.field;
            }
            given = !compute && there;
            until = min(change + lag, end);
        }
        stop = __reduce_min_sync(EVERYONE, until);
        givens = __ballot_sync(EVERYONE, given);
        outs = __ballot_sync(EVERYONE, compute && there);
        odds = __ballot_sync(EVERYONE, given || !inner || !all);
        steady = __all_sync(EVERYONE,
                            thread >= S ||
                                (compute && inner && (there != nullptr) == (FINALS >> thread & 1)));
        each<S>([&]<int i>() {
            if constexpr (flow::template level<i>::final) {
                last[i] = (char *)__shfl_sync(EVERYONE, (unsigned long long)there, i);
                last_field[i] = field_of(i);
            }
        });
    }

    __device__ __forceinline__ void seek()
    {
        if (next < input_stop)
            return;
        input_stop = NEVER;
        each<F>([&]<int f>() {
            typedef typename what::template of<f> field;

            if constexpr (line<f>::used) {
                constexpr int back =
                    tile::LEAD - line<f>::head + (input_of<f>::direct ? tile::AHEAD : 0);
                int change = NEVER;
                const spot from = find(o.in[field::which], next - back, o.f.plane, &change);

                input[f] = from.at ? from.at + field::in_group * from.field : nullptr;
                input_stop = min(input_stop, change + back);
            }
        });
    }

    /* Starts to copy the next plane of a field. */
    template <int f> __device__ __forceinline__ void fetch_one()
    {
        typedef input_of<f> in;
        char *const to = own + in::first + fill[in::turns];

        if (!input[f])
            return;
        UNROLL
        for (int r = 0; r < (in::direct ? 0 : ROWS); r++)
            UNROLL
        for (int q = 0; q < QUADS; q++)
            copy_async(to + r * tile::PITCH + q * QUAD,
                       input[f] + (size_t)offset[r] * QUAD + q * QUAD);
        UNROLL
        for (int i = 0; i < (in::beside ? tile::EXTRA : 0); i++)
            if (warp + i * tile::WARPS < 2 * MORE)
                copy_async(to + (extra_row(i) - warp * ROWS) * tile::PITCH,
                           input[f] + (size_t)extra[i] * QUAD);
        if (tile::SIDE && !in::direct && side_at)
            copy_async(to + side_at, input[f] + (size_t)side * QUAD);
        input[f] += o.f.plane;
    }
    __device__ __forceinline__ void fetch()
    {
        each<F>([&]<int f>() {
            if constexpr (line<f>::used)
                fetch_one<f>();
        });
        turn(fill);
        next++;
    }

    /* Advances the ring slots by one. */
    __device__ __forceinline__ void turn(int *slot)
    {
        each<F>([&]<int f>() {
            if constexpr (input_of<f>::ring && input_of<f>::turns == f)
                slot[f] = slot[f] + input_of<f>::plane == input_of<f>::bytes
                              ? 0
                              : slot[f] + input_of<f>::plane;
        });
    }

    __device__ __forceinline__ size_t field_of(int i) const
    {
        return STATE > 1 ? __shfl_sync(EVERYONE, (unsigned long long)there_field, i) : 0;
    }

    /* Returns the address of level i's plane p in memory. */
    __device__ __forceinline__ char *plane_of(int i, int p) const
    {
        return (char *)__shfl_sync(EVERYONE, (unsigned long long)there, i) + p * o.f.plane;
    }
};

} // namespace
#endif
