/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of a block of threads up a tile with several levels at once: see fused.cu, which defines
 * struct zoid_at and includes variants.cuh first. */
#ifndef ZOID_CODELETS_CUDA_CLIMB_CUH
#define ZOID_CODELETS_CUDA_CLIMB_CUH

#include "codelets/cuda/fused.cuh"

namespace
{

/* What a step takes for granted. STEADY: every level computes all it has, the last one writes. MIXED:
 * the same, but some points are carried. ANY: nothing. */
enum { STEADY, MIXED, ANY };

/* A thread on its way up a tile. */
template <class K, int S> struct climber {
    typedef fused_tile<K, S> tile;
    enum { ROWS = tile::ROWS, R = tile::R, N = tile::N, Q = tile::QUEUE, LAG = tile::LAG };

    const fused_order<S> &o;
    const int lane, warp;
    char *own, *own_edge; /* the thread's first row in shared memory: of the input, of level 1 */
    int za, zb;           /* planes of the last level to compute */
    int x, y, z, end;
    unsigned offset[ROWS],
        extra[tile::EXTRA > 0 ? tile::EXTRA : 1]; /* quads from a plane's start */
    unsigned computed[ROWS], stores, written;
    bool all; /* the warp computes all its points */
    /* Thread i of every warp knows what level i does until plane `stop`: plane 0 of where its planes
     * go, or come from. Bits of levels: `odds` carry or were given, `outs` are kept. */
    char *there, *last;
    unsigned odds, givens, outs;
    bool steady;
    int stop;
    const char *input;
    int input_stop, next, fill; /* the plane to bring next, and its slot */
    lane_here queue[S][Q][ROWS];
    int newest, kept; /* slots of the newest planes */

    __device__ __forceinline__ unsigned place(int row) const
    {
        row = K::D == 3 ? min(max(row - o.f.y0, 0), o.f.rows - 1) : 0;
        return (unsigned)((row * o.f.pitch + min(max(x, 0), o.f.width - N) * (int)sizeof(here)) /
                          QUAD);
    }

    /* Rows beside the tile, dealt to the warps; counted from the tile's first. */
    __device__ __forceinline__ int extra_row(int i) const
    {
        const int row = warp + i * tile::WARPS;

        return row < R ? row - R : tile::HEIGHT + row - R;
    }

    /* Whether a row of the thread, as far as it lies in level i's box, is right: level i is right
     * (i + 1) R points from the ends of the tile's rows, and from its first row of input. Of the last
     * level tiles do not overlap. */
    __device__ __forceinline__ bool wanted(int i, int r) const
    {
        const extent &box = o.level[i].box;
        const int px = x + o.f.x0, start = px - lane * N, row = warp * ROWS + r;
        const int low = i == S - 1 ? tile::LEFT * N : (i + 1) * R;

        return px + N > box.lo[0] && px < box.hi[0] &&
               max(px, i < S - 1 ? box.lo[0] : px) >= start + low &&
               min(px + N, i < S - 1 ? box.hi[0] : px + N) <= start + WARP * N - low &&
               (K::D < 3 || (y + r >= box.lo[1] && y + r < box.hi[1] && row >= i * R &&
                             row < tile::HEIGHT - i * R));
    }

    __device__ __forceinline__ void set_tile(int number)
    {
        const int px = o.first[0] + number % o.tiles_x * tile::STRIDE_X + lane * N + o.f.x0;

        x = px - o.f.x0;
        y = K::D == 3 ? o.first[1] + number / o.tiles_x * tile::STRIDE_Y + warp * ROWS : 0;
        stores = 0;
        written = between<N>(o.level[S - 1].box.lo[0] - px, o.level[S - 1].box.hi[0] - px);
        all = true;
        UNROLL
        for (int r = 0; r < ROWS; r++) {
            bool row = K::D < 3 || (y + r >= o.inner.lo[1] && y + r < o.inner.hi[1]);

            offset[r] = place(y + r);
            computed[r] = row ? between<N>(o.inner.lo[0] - px, o.inner.hi[0] - px) : 0;
            all = all && computed[r] == between<N>(0, N);
            stores |= unsigned(wanted(S - 1, r)) << r;
        }
        all = __all_sync(EVERYONE, all);
        UNROLL
        for (int i = 0; i < tile::EXTRA; i++)
            extra[i] = place(y - warp * ROWS + extra_row(i));
    }

    /* The planes of level i that lead to [za, zb) of the last one. */
    __device__ __forceinline__ int low(int i) const
    {
        const int lo = o.level[i].box.lo[2];

        return za == o.lo ? lo : max(lo, za - (S - 1 - i) * R);
    }
    __device__ __forceinline__ int high(int i) const
    {
        const int hi = o.level[i].box.hi[2];

        return zb == o.hi ? hi : min(hi, zb + (S - 1 - i) * R);
    }

    __device__ __forceinline__ void set_range()
    {
        z = NEVER;
        end = -NEVER;
        for (int i = 0; i < S; i++)
            if (o.level[i].box.lo[2] < o.level[i].box.hi[2]) {
                z = min(z, low(i) - R + (i - 1) * LAG);
                end = max(end, high(i) + i * LAG);
            }
        stop = z;
        next = input_stop = z + LAG;
    }

    /* What levels do from plane z on. */
    __device__ __forceinline__ void assign()
    {
        bool given = false, inner = false, compute = false;
        int until = end;

        there = nullptr;
        if (lane < S) {
            const int p = z - lane * LAG, lo = low(lane), hi = high(lane);
            int change = end;

            compute = p >= lo && p < hi;
            inner = p >= o.inner.lo[2] && p < o.inner.hi[2];
            if (p < hi)
                change = p < lo ? lo : hi;
            if (p < o.inner.hi[2])
                change = min(change, inner ? o.inner.hi[2] : o.inner.lo[2]);
            if (compute)
                there = find(o.level[lane].out, p, o.f.plane, &change).at;
            else if (lane < S - 1)
                there = find(o.level[lane + 1].in, p, o.f.plane, &change).at;
            if (there)
                there -= p * o.f.plane;
            given = !compute && there;
            until = min(change + lane * LAG, end);
        }
        stop = __reduce_min_sync(EVERYONE, until);
        givens = __ballot_sync(EVERYONE, given);
        outs = __ballot_sync(EVERYONE, compute && there);
        odds = __ballot_sync(EVERYONE, given || !inner || !all);
        steady = __all_sync(
            EVERYONE, lane >= S || (compute && inner && (there != nullptr) == (lane == S - 1)));
        last = (char *)__shfl_sync(EVERYONE, (unsigned long long)there, S - 1);
    }

    __device__ __forceinline__ void seek()
    {
        if (next < input_stop)
            return;
        input_stop = NEVER;
        input = find(o.level[0].in, next, o.f.plane, &input_stop).at;
    }

    /* Starts to bring the next plane. */
    __device__ __forceinline__ void fetch()
    {
        if (input) {
            UNROLL
            for (int r = 0; r < ROWS; r++)
                UNROLL
            for (int q = 0; q < QUADS; q++)
                copy_async(own + fill * tile::INPUT_PLANE + r * SPAN + q * QUAD,
                           input + (size_t)offset[r] * QUAD + q * QUAD);
            UNROLL
            for (int i = 0; i < tile::EXTRA; i++)
                if (warp + i * tile::WARPS < 2 * R)
                    copy_async(own + fill * tile::INPUT_PLANE + (extra_row(i) - warp * ROWS) * SPAN,
                               input + (size_t)extra[i] * QUAD);
            input += o.f.plane;
        }
        fill = fill + 1 == tile::RING ? 0 : fill + 1;
        next++;
    }

    /* Level i's planes in memory. */
    __device__ __forceinline__ char *plane_of(int i, int p) const
    {
        return (char *)__shfl_sync(EVERYONE, (unsigned long long)there, i) + p * o.f.plane;
    }

    template <int i, int phase> __device__ __forceinline__ zoid_at at() const
    {
        zoid_at at = {};

        at.params = &o.f.params;
        at.t = o.t + i;
        at.n = o.f.n;
        at.p[0] = x + o.f.x0;
        at.p[tile::C] = o.f.origin + z - i * LAG;
        at.queue = &queue[i][0][0];
        at.slots = Q;
        at.rows = ROWS;
        at.centre = (phase + tile::SLOTS - 1 - LAG) % Q;
        at.shared = tile::SHARED_QUEUE && i == 0;
        at.rows_around = i == 0 ? own : own_edge + (i - 1) * tile::EDGES;
        at.above = i == 0 ? ROWS : tile::EDGE;
        UNROLL
        for (int k = -R; k <= R; k++) {
            int slot = (i == 0 ? newest : kept) - LAG + k;

            slot += slot < 0 ? (i == 0 ? tile::RING : tile::KEPT) : 0;
            at.slot[ZOID_MAX_REACH + k] = slot * (i == 0 ? tile::INPUT_PLANE : tile::EDGE_PLANE);
        }
        return at;
    }

    /* What was given of level i, or what is carried. */
    template <int MODE, int i>
    __device__ __forceinline__ void mend(const zoid_at *given, lane_here *result) const
    {
        const int p = z - i * LAG;

        if (MODE == ANY && givens >> i & 1) {
            const char *from = plane_of(i, p);

            UNROLL
            for (int r = 0; r < ROWS; r++)
                result[r] = load_vector<here, QUADS>(from + (size_t)offset[r] * QUAD);
        } else if (MODE == MIXED || odds >> i & 1) {
            const bool inner = MODE == MIXED || (p >= o.inner.lo[2] && p < o.inner.hi[2]);
            zoid_at at = *given;

            UNROLL
            for (int r = 0; r < ROWS; r++) {
                at.row = r;
                result[r] =
                    choose(inner ? computed[r] : 0, result[r], here_load(&at, K::D, 0, 0, 0, 0));
            }
        }
    }

    template <int MODE, int i> __device__ __forceinline__ void keep(const lane_here *result) const
    {
        const int p = z - i * LAG;

        if (MODE == ANY ? outs >> i & 1 : i == S - 1) {
            char *to = MODE == ANY ? plane_of(i, p) : last + p * o.f.plane;

            UNROLL
            for (int r = 0; r < ROWS; r++)
                if (i == S - 1 ? stores >> r & 1 : wanted(i, r))
                    store_vector(to + (size_t)offset[r] * QUAD, result[r],
                                 S == 1 ? written : between<N>(0, N));
        }
    }

    /* Level i's plane becomes the newest of level i + 1. */
    template <int i, int phase> __device__ __forceinline__ void push(const lane_here *result)
    {
        UNROLL
        for (int r = 0; r < ROWS; r++) {
            const int index = tile::EDGE == ROWS || r < R ? r : r - (ROWS - tile::EDGE);

            queue[i + 1][(phase + tile::SLOTS - 1) % Q][r] = result[r];
            if (K::D == 3 && (tile::EDGE == ROWS || r < R || r >= ROWS - R))
                put_vector(own_edge + i * tile::EDGES + kept * tile::EDGE_PLANE + index * SPAN,
                           result[r]);
        }
    }

    template <int MODE, int phase, int i> __device__ __forceinline__ void level()
    {
        lane_here result[ROWS];
        zoid_at stand = at<i, phase>();

        UNROLL
        for (int r = 0; r < ROWS; r++) {
            stand.row = r;
            if (K::D == 3)
                stand.p[1] = y + r;
            stand.result = &result[r];
            K::template point<0>(&stand);
        }
        if (MODE != STEADY || i == S - 1)
            UNROLL
        for (int r = 0; r < ROWS; r++)
            settle(result[r]);
        if (MODE != STEADY)
            mend<MODE, i>(&stand, result);
        keep<MODE, i>(result);
        if constexpr (i < S - 1)
            push<i, phase>(result);
    }

    template <int MODE, int phase, int... i>
    __device__ __forceinline__ void levels(std::integer_sequence<int, i...>)
    {
        (level<MODE, phase, i>(), ...);
    }

    template <int MODE, int phase> __device__ __forceinline__ void step()
    {
        fetch();
        copies_together();
        copies_wait<tile::AHEAD>();
        if (!tile::SHARED_QUEUE)
            UNROLL
        for (int r = 0; r < ROWS; r++)
            queue[0][(phase + tile::SLOTS - 1) % Q][r] =
                take_vector<here, QUADS>(own + newest * tile::INPUT_PLANE + r * SPAN);
        levels<MODE, phase>(std::make_integer_sequence<int, S>{});
        newest = newest + 1 == tile::RING ? 0 : newest + 1;
        kept = kept + 1 == tile::KEPT ? 0 : kept + 1;
        if (K::D == 3)
            __syncthreads();
        z++;
    }

    template <int by> __device__ __forceinline__ void shift()
    {
        UNROLL
        for (int i = 0; i < S; i++)
            UNROLL
        for (int q = 0; q < tile::SLOTS - 1; q++)
            UNROLL
        for (int r = 0; r < ROWS; r++)
            queue[i][q][r] = queue[i][(q + by) % Q][r];
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
        input = nullptr;
        fill = newest = kept = 0;
        for (int i = 0; i < tile::AHEAD; i++) {
            seek();
            fetch();
            copies_together();
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
