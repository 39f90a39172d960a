/* SPDX-License-Identifier: BSD-3-Clause */
/* Fused launches of several consecutive times, or of one if that pays, for the variants of ops.def
 * of type ZOID_TYPE, ZOID_DIMS dimensions and the families of ZOID_ONLY.
 *
 * A block of threads owns a tile of rows and streams it along the chain axis, all levels as a
 * wavefront: while level 0 is at plane z, level i is at z - i LAG, so the plane that level i has
 * just computed is the newest one of level i + 1, and never leaves the block of threads.
 *
 *      level 0   level 1   level 2            a thread keeps the planes around every level in
 *      z + R                                  queues of registers, for a few rows; rows of the
 *      z       > z         <- newest          threads below and above come from shared memory,
 *      z - R     z - R   > z - R              neighbours along x from the threads beside
 *                z - 2R    z - 2R
 *
 * The valid points of a level end R points before those of the level below, so tiles overlap by R
 * points a level. Planes are prefetched to shared memory, with the halo rows that only level 0
 * reads. In 2-D a tile is a stretch of one row, and each warp has its own.
 *
 * With a single level there is no redundant computation: rows are brought with the values beside
 * them, from which threads read their neighbours along x, and planes above the thread's own stay in
 * shared memory until they are computed. Fields read at the point only go from memory to
 * registers. */
#include <algorithm>
#include <utility>

#include "codelets/cuda/inner.h"
#include "codelets/cuda/order.cuh"
#include "codelets/cuda/stencil/vectors.cuh"

/* Vectors of a row per thread; in 2-D a thread has one row. */
#define ZOID_QUADS (ZOID_DIMS == 2 ? 2 : 1)

typedef ZOID_JOIN(zoid_, ZOID_TYPE) here;
typedef vec<here, ZOID_QUADS> value_here;

namespace
{
enum { QUADS = ZOID_QUADS, SPAN = WARP * QUAD * QUADS }; /* bytes of a row of a tile */
}

/* Operands of a level in one field. */
struct zoid_near {
    const value_here *queue; /* [slots][rows] */
    int centre;
    /* Newest plane in the queue, relative to the thread's; other threads' rows are in shared
     * memory. */
    int held;
    const char *rows_around;          /* shared memory: first row, slot 0 */
    int pitch;                        /* bytes between its rows */
    int sides;                        /* values beyond the ends of its rows */
    int beyond;                       /* see beyond_row */
    int above;                        /* rows from there to the one above */
    int slot[2 * ZOID_MAX_REACH + 1]; /* bytes to plane i at [ZOID_MAX_REACH + i] */
};

/* State of a point update; see ops/point.h. */
struct zoid_at {
    const launch_params *params;
    const here *now; /* the tables' values of the level's time, if there are tables */
    long t, p[ZOID_AXES];
    const long *n;
    int row;
    zoid_near field[ZOID_MAX_FIELDS];
    value_here *result; /* [fields] */
};

/* The same, with the kernel's shape Tile as a type. Decisions on it then precede optimization: the
 * compiler otherwise got all the cases that never occur in this kernel for each load of an update,
 * and spent most of its time removing them. */
template <class Tile> struct zoid_at_in : zoid_at {
    typedef Tile tile;
};

template <class At>
ZOID_INLINE value_here here_load(const At *at, int, int field, int dx, int dy, int dz)
{
    typedef typename At::tile tile;
    const int plane = tile::C == 2 ? dz : dy, row = at->row + (tile::C == 2 ? dy : 0);
    const zoid_near *near = &at->field[field];
    const int slot = (near->centre + plane + tile::QUEUE) % tile::QUEUE;

    if constexpr (tile::ALL_QUEUED) {
        const value_here own = near->queue[slot * tile::ROWS + row];

        return dx ? shifted(own, dx) : own;
    } else {
        const int i = row < tile::ROWS ? row : near->above + row - tile::ROWS;
        const char *p = near->rows_around + near->slot[ZOID_MAX_REACH + plane] + i * near->pitch;
        value_here own;

        if (plane <= near->held && row >= 0 && row < tile::ROWS)
            own = near->queue[slot * tile::ROWS + row];
        else
            own = take_vector<here, QUADS>(p);
        if constexpr (tile::S == 1) {
            if (dx && near->sides == 1)
                return shifted_by_one(own, dx, p + near->beyond);
            if (dx && near->sides)
                return shifted(own, dx, p);
        }
        return dx ? shifted(own, dx) : own;
    }
}

#include "codelets/cuda/stencil/variants.cuh"

#include "codelets/cuda/stencil/carry.cuh"
#include "codelets/cuda/stencil/climb.cuh"

namespace
{

/* Whole tiles first, while every unit has one: neighbouring tiles are then at about the same plane
 * at the same time, and share their reads in the cache. Then the planes of the remaining tiles, one
 * tile after the other, in equal shares: see zoid_cuda_climb_of. */
template <class K, int S, int FIRST = 0>
__global__ void __launch_bounds__(WARP *fused_tile<K, S, FIRST>::WARPS,
                                  fused_tile<K, S, FIRST>::BLOCKS)
    fused(const __grid_constant__ order_of<K, S> o)
{
    typedef fused_tile<K, S, FIRST> tile;
    extern __shared__ __align__(QUAD) char memory[];
    const int thread = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int unit = K::D == 2 ? blockIdx.x * tile::WARPS + warp : blockIdx.x;
    const int units = K::D == 2 ? gridDim.x * tile::WARPS : gridDim.x;
    const int planes = o.hi - o.lo, whole = o.whole;
    const long rest = (long)(o.tiles - whole) * planes;
    const long share_end = unit < o.sharers ? rest * (unit + 1) / o.sharers : 0;
    climber<K, S, FIRST> c = {
        {o, thread, warp,
         memory + warp * tile::ROWS * tile::PITCH + tile::SIDE + thread * QUAD * QUADS},
        memory + tile::INPUT + (tile::MORE + warp * tile::EDGE) * SPAN + thread * QUAD * QUADS};
    long at = unit < o.sharers ? rest * unit / o.sharers : 0;
    int next = unit;

    while (next < whole || at < share_end) {
        if (next < whole) {
            c.set_tile(next);
            c.za = o.lo;
            c.zb = o.hi;
            next += units;
        } else {
            c.set_tile(whole + (int)(at / planes));
            c.za = o.lo + (int)(at % planes);
            c.zb = (int)min((long)o.hi, c.za + share_end - at);
            at += c.zb - c.za;
        }
        c.set_range();
        c.climb();
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Returns true if there is one state field, each stage writes all of it or one colour, and
 * coefficients are read at the point only. */
template <class K> constexpr bool one_field()
{
    bool one = K::row.nstate == 1 && (K::STAGES == 1 || K::row.colours);

    for (int f = 1; f < touched<K, 0>::fields; f++)
        for (int a = 0; a < K::D; a++)
            one = one && !touched<K, 0>::reach(f).lo[a] && !touched<K, 0>::reach(f).hi[a];
    return one;
}

/* Returns true if S levels in 2-D are whole rounds of the stages, whose planes have room in
 * registers, and whose rows have room in shared memory. */
template <class K, int S> constexpr bool flat_fits()
{
    if constexpr (S % K::STAGES == 0 && streams_of<K, S>() <= MOST_STREAMS)
        return flow<K, S, 0>::planes() <= tuned.fused.most_planes &&
               fused_tile<K, S>::SHARED <= tuned.fused.most_shared;
    return false;
}

/* Returns the most levels in 2-D, up to S, that fit. */
template <class K, int S> constexpr int flat_levels()
{
    if constexpr (S > 1)
        return flat_fits<K, S>() ? S : flat_levels<K, S - 1>();
    return 1;
}

/* Returns the most fused times that pay, in whole rounds of stages: every one adds redundant
 * computation where tiles overlap, and registers and shared memory for its planes. */
template <class K> constexpr int most_of()
{
    constexpr int reach = widest(K::row);
    constexpr bool near = reach == 1 || reach == 2;

    if constexpr (sizeof(here) == 1 || !takes_levels<K>()) {
        return 1;
    } else if constexpr (K::D == 2) {
        constexpr int most = near ? tuned.fused.most_flat[reach - 1] : 1;

        return flat_levels<K, most>();
    } else {
        const int most = !one_field<K>() ? 1
                         : K::diagonal   ? tuned.fused.most_diagonal
                         : near          ? tuned.fused.most[reach - 1]
                                         : 1;

        return most < K::STAGES ? 1 : most / K::STAGES * K::STAGES;
    }
}

template <int S> bool all_empty(const level_order (&level)[S])
{
    for (const level_order &l : level)
        if (l.box.lo[2] < l.box.hi[2] && l.box.lo[0] < l.box.hi[0])
            return false;
    return true;
}

/* Sets the tiles of *o, whose other members are set, and queues the kernel. */
template <class K, int S, int FIRST = 0, class Order> cudaError_t start(Order *o, void *stream)
{
    typedef fused_tile<K, S, FIRST> tile;
    constexpr auto kernel = fused<K, S, FIRST>;
    constexpr int THREADS = (int)WARP * (int)tile::WARPS;
    constexpr int EACH = K::D == 2 ? (int)tile::WARPS : 1; /* units of a block of threads */
    const extent *box = &o->level[S - 1].box;
    zoid_cuda_climb climb;
    cudaError_t error;

    /* The last level's box may be empty although the boxes of earlier levels are not. */
    o->lo = box->lo[2];
    o->hi = max(box->hi[2], o->lo + 1);
    if (all_empty(o->level))
        return cudaSuccess;
    o->first[0] = round_down(box->lo[0] - o->f.x0, tile::N) - tile::LEFT * tile::N;
    o->first[1] = box->lo[1] - tile::DOWN;
    o->tiles_x =
        ceil_div(box->hi[0] - o->f.x0 - o->first[0] - tile::LEFT * tile::N, tile::STRIDE_X);
    o->tiles = o->tiles_x * (K::D == 3 ? ceil_div(box->hi[1] - box->lo[1], tile::STRIDE_Y) : 1);
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tile::SHARED);
    if (error != cudaSuccess)
        return error;
    climb = zoid_cuda_climb_of(o->tiles, o->hi - o->lo, tile::CLIMB,
                               (long)resident(kernel, THREADS, tile::SHARED) * EACH);
    o->whole = (int)climb.whole;
    o->sharers = (int)climb.sharers;
    kernel<<<(unsigned)ceil_div(climb.units, EACH), THREADS, tile::SHARED,
             static_cast<cudaStream_t>(stream)>>>(*o);
    return cudaGetLastError();
}

template <class K, int S> int launch(const zoid_cuda_levels *given)
{
    order_of<K, S> o = {};

    if (!set_all<K, S>(&o, given, given->level[0].sweep.box.lo[K::D - 1]))
        return cudaErrorInvalidValue;
    return start<K, S>(&o, given->stream);
}

/* Sweeps a single time. */
template <class K, int STAGE> int one(const zoid_cuda_sweep *c)
{
    const zoid_sweep *s = c->sweep;
    order_of<K, 1> o = {};
    level_order *level = &o.level[0];

    set_times(&o, s);
    return in_launches(
        s, K::D - 1,
        [&](const field_layout &f, long lo, long hi) {
            o.f = f;
            return select_all<touched<K, STAGE>>(&o, &level->out, c, lo, hi, sizeof(here));
        },
        [&](const extent &box) {
            const cudaStream_t stream = static_cast<cudaStream_t>(c->stream);
            const cudaError_t error = carry_others<K, STAGE>(o, box, level->out, s->fields, stream);

            level->box = box;
            for (int f = 0; f < flow<K, 1, STAGE>::STATE; f++)
                if (flow<K, 1, STAGE>::writes(0, f))
                    o.inner[flow<K, 1, STAGE>::inner(0, f)] =
                        extent_of(zoid_sweep_box(s, f), K::D - 1, o.f.origin);
            return error == cudaSuccess ? start<K, 1, STAGE>(&o, stream) : error;
        });
}

template <class K> int run(const zoid_cuda_levels *given)
{
    return by_levels<K, most_of<K>()>(given, [&]<int S>() { return launch<K, S>(given); });
}

template <class K> int one(const zoid_cuda_sweep *c)
{
    return by_stage<K>(c, [&]<int STAGE>() { return one<K, STAGE>(c); });
}

/* Returns true if the stage reads one field beyond the point, and no more fields at the point only
 * than registers were measured to hold. */
template <class K, int STAGE> constexpr bool looks_at_one()
{
    typedef flow<K, 1, STAGE> flow;
    int beside = 0, direct = 0;

    for (int f = 0; f < flow::F; f++) {
        direct += flow::direct(f);
        beside += flow::tables.stream[f].used && !flow::direct(f);
    }
    return beside == 1 && direct <= tuned.fused.one_direct;
}

/* Returns true if shared memory pays for a single time, too: for updates that read many
 * neighbouring rows, stream.cu exceeds the bandwidth of the second-level cache. */
template <class K> constexpr bool one_pays()
{
    constexpr int reach = widest(K::row);
    bool pays = false;

    if constexpr (K::D == 3 && sizeof(here) == 4 &&
                  (K::diagonal || reach >= tuned.fused.one_least) &&
                  reach <= tuned.fused.one_most) {
        pays = true;
        each_stage<K>([&]<int S>() { pays = pays && looks_at_one<K, S>(); });
    }
    return pays;
}

template <class Tile, int D> constexpr zoid_cuda_tiles tiles_of()
{
    return {Tile::STRIDE_X, D == 3 ? (int)Tile::STRIDE_Y : 1,
            D == 3 ? (int)Tile::BLOCKS : Tile::BLOCKS * Tile::WARPS, Tile::CLIMB};
}

/* Loads the kernels of this file and of stream.cu. */
template <class K, int (*streams)()> int load_all()
{
    int error = load_levels<K, most_of<K>()>([&]<int S>() { return fused<K, S, 0>; });

    if constexpr (one_pays<K>()) {
        each_stage<K>([&]<int S>() { error = error ? error : load(fused<K, 1, S>); });
        error = error ? error : load(carry);
    }
    return error ? error : streams();
}

template <class K, int (*streams)()>
constexpr zoid_cuda_kernels kernels_of(int (*naive)(const zoid_cuda_sweep *),
                                       const void *(*skewed)(size_t *shared))
{
    constexpr int most = most_of<K>();
    zoid_cuda_kernels kernels = {.most = most,
                                 .fused = run<K>,
                                 .naive = naive,
                                 .load = load_all<K, streams>,
                                 .skewed = skewed};

    if constexpr (most > 1) {
        kernels.most_shared = fused_tile<K, most>::SHARED;
        kernels.tiles = tiles_of<fused_tile<K, most>, K::D>();
    }
    if constexpr (one_pays<K>()) {
        kernels.one = one<K>;
        kernels.one_tiles = tiles_of<fused_tile<K, 1>, K::D>();
        each_stage<K>([&]<int S>() {
            kernels.one_shared = std::max<decltype(kernels.one_shared)>(
                kernels.one_shared, fused_tile<K, 1, S>::SHARED);
        });
    }
    return kernels;
}

} // namespace

/* Rows in order in the lanes of warps are compiled in 2-D. */
#if ZOID_DIMS == 2
#define ZOID_SKEWED(variant) extern "C" const void *zoid_skewed_cuda_##variant(size_t *shared);
#define ZOID_SKEWED_OF(variant) zoid_skewed_cuda_##variant
#else
#define ZOID_SKEWED(variant)
#define ZOID_SKEWED_OF(variant) nullptr
#endif

#define ZOID_FUSED(variant)                                                   \
    extern "C" int zoid_naive_##variant(const zoid_cuda_sweep *c);            \
    extern "C" int zoid_load_##variant(void);                                 \
    ZOID_SKEWED(variant)                                                      \
    extern "C" constexpr zoid_cuda_kernels zoid_kernels_##variant =           \
        kernels_of<variant##_kind, zoid_load_##variant>(zoid_naive_##variant, \
                                                        ZOID_SKEWED_OF(variant));
#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, family, ZOID_FUSED(variant))
#include ZOID_ROWS
