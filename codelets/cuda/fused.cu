/* SPDX-License-Identifier: BSD-3-Clause */
/* Several consecutive times in one launch, for the variants of ops.def that have the type ZOID_TYPE,
 * ZOID_DIMS dimensions and a single field.
 *
 * A block of threads owns a tile of rows and marches up the chain axis with all levels at once: level
 * i is at plane z - i LAG while level 0 is at z, so a plane that level i has just computed is the
 * newest one of level i + 1, and never leaves the block.
 *
 *      level 0   level 1   level 2            a thread keeps the planes around every level in
 *      z + R                                  queues of registers, a few rows of them; rows of the
 *      z       > z         <- newest          threads below and above come from shared memory,
 *      z - R     z - R   > z - R              neighbours along x from the threads beside
 *                z - 2R    z - 2R
 *
 * What is right at a level ends R points before what is right at the one below, so tiles overlap by
 * R points a level. Planes are brought to shared memory before they are needed, with the rows that
 * only level 0 looks at. In 2-D a tile is a stretch of one row, and a warp has one of its own. */
#include <utility>

#include "codelets/cuda/lanes.cuh"
#include "codelets/cuda/order.cuh"

#define ZOID_QUADS (ZOID_DIMS == 2 ? 2 : 1) /* of a thread in a row: in 2-D it has no other rows */

typedef ZOID_JOIN(zoid_, ZOID_TYPE) here;
typedef vec<here, ZOID_QUADS> lane_here;

namespace
{
enum { QUADS = ZOID_QUADS, SPAN = WARP * QUAD * QUADS }; /* bytes of a row in a tile */
}

/* Where a point update stands; see ops/point.h. */
struct zoid_at {
    const zoid_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    const lane_here *queue; /* [slots][rows] */
    int slots, rows, centre, row;
    bool shared;                      /* nothing is in the queue, all rows are in shared memory */
    const char *rows_around;          /* in shared memory: the thread's first row, of slot 0 */
    int above;                        /* rows from there to the first one above the thread's */
    int slot[2 * ZOID_MAX_REACH + 1]; /* bytes to plane i at [ZOID_MAX_REACH + i] */
    lane_here *result;
};

ZOID_INLINE lane_here here_load(const zoid_at *at, int dims, int, int dx, int dy, int dz)
{
    const int plane = dims == 3 ? dz : dy, row = at->row + (dims == 3 ? dy : 0);
    lane_here own;

    if (!at->shared && row >= 0 && row < at->rows) {
        own = at->queue[(at->centre + plane + at->slots) % at->slots * at->rows + row];
    } else {
        const int i = row < at->rows ? row : at->above + row - at->rows;
        const char *p = at->rows_around + at->slot[ZOID_MAX_REACH + plane] + i * (int)SPAN;

        UNROLL
        for (int q = 0; q < QUADS; q++)
            reinterpret_cast<float4 *>(own.v)[q] = reinterpret_cast<const float4 *>(p)[q];
    }
    return dx ? shifted(own, dx) : own;
}

#include "codelets/cuda/variants.cuh"

namespace
{

struct level_order {
    extent box;
    list in, out;
};

template <int S> struct fused_order {
    field_layout f;
    long t;
    extent inner;                 /* of the domain: what is computed, the rest is carried */
    int first[2], tiles_x, tiles; /* the first tile's value of a row, and y */
    level_order level[S];
};

/* How a kernel for S levels is laid out. Measured on an H200; what it has to fit are the registers
 * (16 warps of 128 or 8 of 255) and the shared memory of a multiprocessor, and the loop its cache of
 * instructions: more than a few phases of a long update do not. */
template <class K, int S_> struct fused_tile {
    enum {
        S = S_,
        R = K::R,
        C = K::D - 1,
        N = lane_here::N,
        DOUBLE = sizeof(here) == 8,
        WARPS = K::D == 2          ? 4
                : K::diagonal      ? 12
                : DOUBLE && R == 1 ? 8
                                   : 16,
        ROWS = K::D == 2          ? 1
               : K::diagonal      ? 3
               : DOUBLE && R == 1 ? 4
                                  : 2,
        AHEAD = K::D == 2 ? 3
                : DOUBLE  ? 1
                          : 2, /* planes that are on their way */
        /* Level 0 reads from shared memory all that it needs. */
        SHARED_QUEUE = K::D == 3 && DOUBLE && R == 1 && !K::diagonal,
        BLOCKS = K::D == 3 ? 1
                 : S < 6   ? 3
                           : 2,
        /* A level's edges are complete a plane later. */
        LAG = K::diagonal ? R + 1 : R,
        SLOTS = LAG + R + 1,
        KEPT = K::diagonal ? SLOTS : R + 1, /* planes whose edges are still looked at */
        PHASES = K::diagonal || (K::D == 3 && DOUBLE) ? 1 : SLOTS,
        QUEUE = PHASES == SLOTS ? SLOTS : SLOTS + PHASES - 1,
        HEIGHT = WARPS * ROWS,
        MORE = K::D == 3 ? R : 0, /* rows beside a tile that only level 0 looks at */
        EXTRA = (2 * MORE + WARPS - 1) / WARPS,
        EDGE = K::D == 2      ? 0
               : ROWS < 2 * R ? ROWS
                              : 2 * R, /* rows a thread shows the others */
        RING = (SHARED_QUEUE ? SLOTS : KEPT) + AHEAD,
        INPUT = RING * (HEIGHT + 2 * MORE) * SPAN, /* bytes */
        INPUT_PLANE = (HEIGHT + 2 * MORE) * SPAN,
        EDGE_PLANE = WARPS * EDGE * SPAN,
        EDGES = KEPT * EDGE_PLANE,
        SHARED = INPUT + (S - 1) * EDGES + MORE * SPAN,
        LEFT = (S * R + N - 1) / N,       /* threads at either end of a row that serve others */
        STRIDE_X = (WARP - 2 * LEFT) * N, /* from a tile to the next */
        DOWN = K::D == 3 ? (S - 1) * R : 0,
        STRIDE_Y = HEIGHT - 2 * DOWN
    };
};

__device__ __forceinline__ void copy_async(char *to, const char *from)
{
    unsigned s = (unsigned)__cvta_generic_to_shared(to);

    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(from) : "memory");
}

__device__ __forceinline__ void copies_together()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Until all but the last n groups of copies are there. */
template <int n> __device__ __forceinline__ void copies_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}

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
    unsigned computed[ROWS], stores;
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

        return za == o.level[S - 1].box.lo[2] ? lo : max(lo, za - (S - 1 - i) * R);
    }
    __device__ __forceinline__ int high(int i) const
    {
        const int hi = o.level[i].box.hi[2];

        return zb == o.level[S - 1].box.hi[2] ? hi : min(hi, zb + (S - 1 - i) * R);
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
                    store_vector(to + (size_t)offset[r] * QUAD, result[r], between<N>(0, N));
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
                *reinterpret_cast<float4 *>(own_edge + i * tile::EDGES + kept * tile::EDGE_PLANE +
                                            index * SPAN) =
                    *reinterpret_cast<const float4 *>(result[r].v);
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
            UNROLL
        for (int q = 0; q < QUADS; q++)
            reinterpret_cast<float4 *>(queue[0][(phase + tile::SLOTS - 1) % Q][r].v)[q] =
                *reinterpret_cast<const float4 *>(own + newest * tile::INPUT_PLANE + r * SPAN +
                                                  q * QUAD);
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

/* The planes of all tiles, one tile after the other, in equal shares. */
template <class K, int S>
__global__ void __launch_bounds__(WARP *fused_tile<K, S>::WARPS, fused_tile<K, S>::BLOCKS)
    fused(const __grid_constant__ fused_order<S> o)
{
    typedef fused_tile<K, S> tile;
    extern __shared__ __align__(QUAD) char memory[];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int unit = K::D == 2 ? blockIdx.x * tile::WARPS + warp : blockIdx.x;
    const int units = K::D == 2 ? gridDim.x * tile::WARPS : gridDim.x;
    const int lo = o.level[S - 1].box.lo[2], hi = o.level[S - 1].box.hi[2], planes = hi - lo;
    const long share_end = (long)o.tiles * planes * (unit + 1) / units;
    climber<K, S> c = {o, lane, warp,
                       memory + (tile::MORE + warp * tile::ROWS) * SPAN + lane * QUAD * QUADS,
                       memory + tile::INPUT + warp * tile::EDGE * SPAN + lane * QUAD * QUADS};

    for (long at = (long)o.tiles * planes * unit / units; at < share_end; at += c.zb - c.za) {
        c.za = lo + (int)(at % planes);
        c.zb = (int)min((long)hi, c.za + share_end - at);
        c.set_tile((int)(at / planes));
        c.set_range();
        c.climb();
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

/* The most times at once that pay, measured on an H200: what is computed twice where tiles overlap
 * grows with every one of them, and so does what has to be kept. */
template <class K> constexpr int most_of()
{
    if (sizeof(here) == 1 || K::row.nstate + K::row.ncoef > 1 || K::STAGES > 1)
        return 1;
    if (K::D == 2)
        return K::R == 1 ? 6 : K::R == 2 ? 3 : 1;
    return K::diagonal || K::R == 2 ? 2 : K::R == 1 ? 4 : 1;
}

template <int S>
bool set_levels(fused_order<S> *o, const zoid_cuda_levels *given, int chain, int radius)
{
    for (int i = 0; i < S; i++) {
        const zoid_fused_level *level = &given->level[i];
        const zoid_pieces *in = &level->sweep.in[0];
        const long lo = level->sweep.box.lo[chain], hi = level->sweep.box.hi[chain];

        o->level[i].box = extent_of(level->sweep.box, chain, o->f.origin);
        if (!select(&o->level[i].in, in->piece, in->n, lo - radius, hi + radius, o->f,
                    sizeof(here)) ||
            !select(&o->level[i].out, level->out, level->nout, lo, hi, o->f, sizeof(here)))
            return false;
    }
    return true;
}

/* What the domain's faces leave to compute. */
extent inner_of(const zoid_sweep *s, int chain, int radius, long origin)
{
    zoid_box inner = {};

    for (int a = 0; a <= chain; a++) {
        inner.lo[a] = zoid_face_open(s->shape, a, ZOID_LOW) ? -(long)NEVER : radius;
        inner.hi[a] =
            zoid_face_open(s->shape, a, ZOID_HIGH) ? origin + NEVER : s->shape->n[a] - radius;
    }
    inner.lo[chain] = inner.lo[chain] > origin - NEVER ? inner.lo[chain] : origin - NEVER;
    inner.hi[chain] = inner.hi[chain] < origin + NEVER ? inner.hi[chain] : origin + NEVER;
    return extent_of(inner, chain, origin);
}

template <class K, int S> int launch(const zoid_cuda_levels *given)
{
    typedef fused_tile<K, S> tile;
    enum { SHORT = 16 }; /* planes that are not worth a block's start */
    constexpr int THREADS = (int)WARP * (int)tile::WARPS;
    const zoid_sweep *s = &given->level[0].sweep;
    const int chain = K::D - 1;
    fused_order<S> o = {};
    cudaError_t error;
    const extent *box = &o.level[S - 1].box;
    long blocks;

    o.f = layout_of(s, s->box.lo[chain]);
    o.t = s->t;
    o.inner = inner_of(s, chain, K::R, o.f.origin);
    if (!set_levels<S>(&o, given, chain, K::R))
        return cudaErrorInvalidValue;
    if (box->lo[2] >= box->hi[2] || box->lo[0] >= box->hi[0])
        return cudaSuccess;
    o.first[0] = round_down(box->lo[0] - o.f.x0, tile::N) - tile::LEFT * tile::N;
    o.first[1] = box->lo[1] - tile::DOWN;
    o.tiles_x = ceil_div(box->hi[0] - o.f.x0 - o.first[0] - tile::LEFT * tile::N, tile::STRIDE_X);
    o.tiles = o.tiles_x * (K::D == 3 ? ceil_div(box->hi[1] - box->lo[1], tile::STRIDE_Y) : 1);
    error = cudaFuncSetAttribute(fused<K, S>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 tile::SHARED);
    if (error != cudaSuccess)
        return error;
    blocks = ceil_div((long)o.tiles * (box->hi[2] - box->lo[2]), SHORT);
    if (K::D == 2)
        blocks = ceil_div(blocks, tile::WARPS);
    blocks = min(blocks, (long)resident(fused<K, S>, THREADS, tile::SHARED));
    fused<K, S>
        <<<(unsigned)blocks, THREADS, tile::SHARED, static_cast<cudaStream_t>(given->stream)>>>(o);
    return cudaGetLastError();
}

template <class K, int S> int launch_some(const zoid_cuda_levels *given)
{
    if constexpr (S > 1) {
        if (given->n == S)
            return launch<K, S>(given);
        return launch_some<K, S - 1>(given);
    }
    return cudaErrorInvalidValue;
}

template <class K> constexpr size_t shared_of()
{
    if constexpr (most_of<K>() > 1)
        return fused_tile<K, most_of<K>()>::SHARED;
    return 0;
}

template <class K> int run(const zoid_cuda_levels *given)
{
    return launch_some<K, most_of<K>()>(given);
}

} // namespace

#define ZOID_FUSED(variant)                                   \
    extern "C" const zoid_cuda_fused zoid_fused_##variant = { \
        most_of<variant##_kind>(), shared_of<variant##_kind>(), run<variant##_kind>};
#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, ZOID_FUSED(variant))
#include ZOID_ROWS
