/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelined sweeps in the lanes of warps, for any row in order of type ZOID_TYPE: see warps.cuh for
 * groups, tiles and planes, and cpu/skewed.h for steps.
 *
 *     Z + 1   . . . . . .     Lane l of the step at (Z, Y, X) is, of the points that are given for
 *     Z       n n n n s .     it there, apart (l + 1) planes, lag (l + 1) columns and as many rows
 *     Z - 1   n n n o o o     behind. A step holds those points, one, and the points of all lanes,
 *                             as computed. A lane takes its own values before a point, and those
 *                             after it where the lane below had left them, `by` steps before.
 *
 * Rows and planes of steps lean so far that no step reads one of a later column or row, whatever
 * the stencil's diagonals are: tiles wait for the tiles before them only. Where all tiles along an
 * axis are resident they go round a circle, so that each soon returns to the domain. In 2-D a plane
 * is a row, and on a line a point. */
#include "codelets/cuda/inorder/quotient.cuh"
#include "codelets/cuda/inorder/warps.cuh"

typedef ZOID_JOIN(zoid_, ZOID_TYPE) here;
typedef vec<here, 0> value_here;

/* State of a point update; see ops/point.h. */
struct zoid_at {
    const launch_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    value_here *result;
    double now[ZOID_MAX_TABLES]; /* the tables' values of the lane's time */
};

namespace
{

/* A constant of an update, by which it divides faster; see SPLAT. */
struct constant_here : value_here {
};

[[maybe_unused]] __device__ __forceinline__ constant_here constant_of(value_here value)
{
    return {value};
}
template <class Probe> constexpr Probe constant_of(Probe value)
{
    return value;
}

[[maybe_unused]] __device__ __forceinline__ value_here operator/(value_here a, constant_here b)
{
    return {{quotient(a.v[0], b.v[0])}};
}

} // namespace

#undef SPLAT
#define SPLAT(constant) constant_of(ZOID_JOIN(splat_, ZOID_VALUE)(constant))

template <class At>
ZOID_INLINE value_here here_load(const At *at, int, int field, int dx, int dy, int dz)
{
    return at->step(field, dx, dy, dz);
}

#include "codelets/cuda/stencil/variants.cuh"

namespace
{

/* Steps of a warp in shared memory. */
template <class K> struct skewed_memory {
    typedef touched<K, 0> what;
    static constexpr zoid_warp_skew skew = zoid_warp_skew_of(&K::row.stage[0], K::D);
    static constexpr zoid_warp_tile tile =
        zoid_warp_tile_of(&skew, K::D, what::fields, sizeof(here));
    static constexpr int W = tile.columns, T = tile.rows;
    static constexpr int HIGH = zoid_warp_high(&skew, tile), RING = zoid_warp_ring(&skew, tile);
    static constexpr int PAD = LANES + 1, LINE = (skew.edge + W) * PAD;
    static constexpr int FIELD = skew.planes * RING * LINE;
    /* Rows around a point, and of those of one plane; the point's own. */
    static constexpr int AROUND = skew.south + 1 + skew.north;
    static constexpr int ROWS = (skew.below + 1 + skew.above) * AROUND;
    static constexpr int MIDDLE = skew.below * AROUND + skew.south;
    here step[what::fields][skew.planes * RING][skew.edge + W][PAD];
};

/* A step, and the values around it, of its own lane. */
template <class K> struct at_step : zoid_at {
    typedef skewed_memory<K> memory;
    static constexpr int COLUMNS = memory::skew.left + 1 + memory::skew.right;
    here around[memory::what::fields][memory::ROWS][COLUMNS];

    __device__ __forceinline__ value_here step(int field, int dx, int dy, int dz) const
    {
        const int plane = K::D == 3 ? dz : K::D == 2 ? dy : dx, row = K::D == 3 ? dy : 0;

        return {{around[field][memory::MIDDLE + plane * memory::AROUND + row]
                       [memory::skew.left + (K::D > 1 ? dx : 0)]}};
    }
};

} // namespace

#include "codelets/cuda/inorder/skewed.cuh"

namespace
{

/* Warps of a multiprocessor that registers are to leave room for. */
template <class K> constexpr int enough()
{
    typedef skewed_memory<K> memory;
    constexpr int room =
        zoid_warp_each(&memory::skew, memory::tile, memory::what::fields, sizeof(here));

    return room < ZOID_WARP_ENOUGH ? room : ZOID_WARP_ENOUGH;
}

template <class K>
__global__ void __launch_bounds__(LANES, enough<K>()) skewed(const __grid_constant__ lanes_order o)
{
    extern __shared__ __align__(16) char memory[];
    skewed_warp<K> warp(o, *reinterpret_cast<skewed_memory<K> *>(memory));

    warp.run();
}

/* Rows that lanes do not take have no kernel. */
template <class K> const void *kernel_of(size_t *shared)
{
    if constexpr (zoid_warp_takes(&K::row, K::D, K::STAGES, sizeof(here))) {
        typedef skewed_memory<K> memory;

        /* The planner and the launch reckon with the same tiles. */
        static_assert(sizeof(memory) == zoid_warp_steps(&memory::skew, memory::tile,
                                                        memory::what::fields, sizeof(here)));
        *shared = sizeof(memory);
        return reinterpret_cast<const void *>(skewed<K>);
    }
    return nullptr;
}

} // namespace

#define ZOID_SKEWED(variant)                                          \
    extern "C" const void *zoid_skewed_cuda_##variant(size_t *shared) \
    {                                                                 \
        return kernel_of<variant##_kind>(shared);                     \
    }
#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, family, ZOID_SKEWED(variant))
#include ZOID_ROWS
