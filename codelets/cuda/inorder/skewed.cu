/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelined sweeps in the lanes of warps, for any 2-D row in order of type ZOID_TYPE: see warps.cuh
 * for groups, tiles and planes, and cpu/skewed.h for steps.
 *
 *     Y + 1   s o o o . .     Lane l of the step at (Y, C) is at plane Y - l and column
 *     Y       n n n s o o     C - l LAG - Y LEAN. A step holds the points that its lanes are to
 *     Y - 1   n n n n n n     compute, and then those that they have computed; it is handed on, a
 *                             lane further, to the step one row up and BY columns on.
 *
 * Rows lean so far that no step reads one of a later column, whatever the stencil's diagonals are:
 * tiles wait for the tile before them only. Where all tiles are resident they go round a circle of
 * columns, so that each soon returns to the domain. */
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
ZOID_INLINE value_here here_load(const At *at, int, int field, int dx, int dy, int)
{
    return at->step(field, dx, dy);
}

#include "codelets/cuda/stencil/variants.cuh"

namespace
{

/* Steps of a warp in shared memory. */
template <class K> struct skewed_memory {
    typedef touched<K, 0> what;
    static constexpr zoid_warp_skew skew = zoid_warp_skew_of(&K::row.stage[0]);
    static constexpr int W = zoid_warp_columns(&skew, what::fields, sizeof(here)),
                         ROWS = skew.below + 1 + skew.apart;
    static constexpr int PAD = LANES + 1, WIDTH = skew.edge + W + skew.beyond;
    static constexpr int FIELD = ROWS * WIDTH * PAD;
    here step[what::fields][ROWS][WIDTH][PAD];
};

/* A step, and the values around it, of its own lane. */
template <class K> struct at_step : zoid_at {
    typedef skewed_memory<K> memory;
    static constexpr int LEFT = memory::skew.left, COLUMNS = LEFT + 1 + memory::skew.right;
    here around[memory::what::fields][memory::ROWS][COLUMNS];

    __device__ __forceinline__ value_here step(int field, int dx, int dy) const
    {
        return {{around[field][memory::skew.below + dy][LEFT + dx]}};
    }
};

} // namespace

#include "codelets/cuda/inorder/skewed.cuh"

namespace
{

/* Warps of a multiprocessor that registers are to leave room for. */
template <class K> constexpr int enough()
{
    constexpr int room = (int)(ZOID_WARP_SHARED / (sizeof(skewed_memory<K>) + ZOID_WARP_RESERVED));

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
        static_assert(sizeof(memory) == zoid_warp_steps(&memory::skew, memory::W,
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
