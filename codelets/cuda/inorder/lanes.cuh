/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of sor and sor_rhs, in the lanes of warps: see warps.cuh. */
#ifndef ZOID_CODELETS_CUDA_INORDER_LANES_CUH
#define ZOID_CODELETS_CUDA_INORDER_LANES_CUH

#include "codelets/cuda/inorder/warps.cuh"

namespace
{

enum { LAG = ZOID_WARP_LAG };

/* PARAM(0), omega, as the updates use it: divided and rounded once. */
template <class T> struct factor {
    T v;
};
template <class T> struct omega {
    T share, rest;

    friend __device__ __forceinline__ factor<T> operator/(const omega &o, int)
    {
        return {o.share};
    }
    friend __device__ __forceinline__ factor<T> operator-(int, const omega &o)
    {
        return {o.rest};
    }
};
template <class T> struct factors {
    omega<T> value[1];
};

template <class T> __device__ __forceinline__ factors<T> factors_of(double omega, int dims)
{
    return {{{(T)(omega / (2 * dims)), (T)(1 - omega)}}};
}

template <class T> struct lane_at {
    const factors<T> *params;
    T self, west, south, down, east, north, up, b;
    T *result;
};

/* Returns field 0 of the point or a neighbour; field 1 is read at the point only. */
template <class At> __device__ __forceinline__ auto near_of(const At &at, int dx, int dy, int dz)
{
    if (dx)
        return dx > 0 ? at.east : at.west;
    if (dy)
        return dy > 0 ? at.north : at.south;
    return dz > 0 ? at.up : dz ? at.down : at.self;
}

#define LANE_VALUE(type)                                                                       \
    typedef zoid_##type value_##type;                                                          \
    ZOID_INLINE value_##type splat_##type(factor<value_##type> constant)                       \
    {                                                                                          \
        return constant.v;                                                                     \
    }                                                                                          \
    template <class At>                                                                        \
    ZOID_INLINE value_##type load_##type(const At *at, int, int field, int dx, int dy, int dz) \
    {                                                                                          \
        return field ? at->b : near_of(*at, dx, dy, dz);                                       \
    }                                                                                          \
    template <class At> ZOID_INLINE void put_##type(const At *at, int, value_##type value)     \
    {                                                                                          \
        *at->result = value;                                                                   \
    }
LANE_VALUE(f32)
LANE_VALUE(f64)

ZOID_INLINE float fma_f32(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

ZOID_INLINE double fma_f64(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

#define ZOID_VALUE f32
#include "codelets/ops/sor.h"
#include "codelets/ops/sor_rhs.h"
#undef ZOID_VALUE
#define ZOID_VALUE f64
#include "codelets/ops/sor.h"
#include "codelets/ops/sor_rhs.h"
#undef ZOID_VALUE

template <int D, bool RHS> ZOID_INLINE float relaxed(lane_at<float> at)
{
    float result;

    at.result = &result;
    if (RHS)
        zoid_sor_rhs_f32(&at, D, 1, 0);
    else
        zoid_sor_f32(&at, D, 1, 0);
    return result;
}

template <int D, bool RHS> ZOID_INLINE double relaxed(lane_at<double> at)
{
    double result;

    at.result = &result;
    if (RHS)
        zoid_sor_rhs_f64(&at, D, 1, 0);
    else
        zoid_sor_f64(&at, D, 1, 0);
    return result;
}

/* Moves every lane's value to the next lane; lane 0 gets `first`. */
template <class T> ZOID_INLINE T up(int lane, T v, T first)
{
    const T below = __shfl_up_sync(ALL, v, 1);

    return lane ? below : first;
}

} // namespace
#endif
