/* SPDX-License-Identifier: BSD-3-Clause */
/* Compile-time analysis of updates, for a property that ops.def does not list: whether an update
 * reads neighbouring rows in neighbouring planes. The compiler evaluates the updates over values
 * that hold nothing, and their loads are recorded. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_PROBE_CUH
#define ZOID_CODELETS_CUDA_STENCIL_PROBE_CUH

#include "codelets/cuda/stencil/vectors.cuh"

namespace probe
{

#undef ZOID_INLINE
#define ZOID_INLINE static constexpr __attribute__((unused))
#undef ZOID_CODELETS_OPS_DIFFERENCE_H

struct value_probe {
};
typedef value_probe value_probe_integer;
#define ZOID_INTEGERS_probe_integer 1

struct zoid_at {
    const zoid_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    bool *diagonal;
};

#define ZOID_NOTHING(op)                                                          \
    ZOID_INLINE value_probe operator op(const value_probe &, const value_probe &) \
    {                                                                             \
        return {};                                                                \
    }
ZOID_NOTHING(+)
ZOID_NOTHING(-)
ZOID_NOTHING(*)
ZOID_NOTHING(/)
ZOID_NOTHING(&)
ZOID_NOTHING(|)
ZOID_NOTHING(^)

#define ZOID_PROBE_FUNCTIONS(kind)                                                                 \
    ZOID_INLINE value_probe splat_##kind(double)                                                   \
    {                                                                                              \
        return {};                                                                                 \
    }                                                                                              \
    ZOID_INLINE value_probe load_##kind(const zoid_at *at, int dims, int, int dx, int dy, int dz)  \
    {                                                                                              \
        if (dims == 3 && dz != 0 && (dx != 0 || dy != 0))                                          \
            *at->diagonal = true;                                                                  \
        return {};                                                                                 \
    }                                                                                              \
    ZOID_INLINE value_probe select_x_##kind(const zoid_at *, long, long, value_probe, value_probe) \
    {                                                                                              \
        return {};                                                                                 \
    }                                                                                              \
    ZOID_INLINE value_probe every_other_##kind(const zoid_at *, int, long, value_probe,            \
                                               value_probe)                                        \
    {                                                                                              \
        return {};                                                                                 \
    }                                                                                              \
    ZOID_INLINE void put_##kind(const zoid_at *, int, value_probe)                                 \
    {                                                                                              \
    }
ZOID_PROBE_FUNCTIONS(probe)
ZOID_PROBE_FUNCTIONS(probe_integer)

ZOID_INLINE value_probe fma_probe(value_probe, value_probe, value_probe)
{
    return {};
}
#define ZOID_PROBE_COMPARISON(name)                                                          \
    ZOID_INLINE value_probe name##_probe(value_probe, value_probe, value_probe, value_probe) \
    {                                                                                        \
        return {};                                                                           \
    }
ZOID_PROBE_COMPARISON(less)
ZOID_PROBE_COMPARISON(at_most)
ZOID_PROBE_COMPARISON(same_as)
#define ZOID_PROBE_OF_ONE(name)                       \
    ZOID_INLINE value_probe name##_probe(value_probe) \
    {                                                 \
        return {};                                    \
    }
ZOID_PROBE_OF_ONE(abs)
ZOID_PROBE_OF_ONE(neg)
ZOID_PROBE_OF_ONE(sqrt)
ZOID_INLINE value_probe constant_probe(const zoid_at *, int)
{
    return {};
}
ZOID_INLINE value_probe table_probe(const zoid_at *, int)
{
    return {};
}
ZOID_INLINE value_probe equal_probe_integer(value_probe, value_probe)
{
    return {};
}

#define ZOID_VARIANT(...)
#define ZOID_VALUE probe
#include ZOID_ROWS
#undef ZOID_VALUE
#define ZOID_VALUE probe_integer
#include ZOID_ROWS
#undef ZOID_VALUE
#undef ZOID_VARIANT

typedef void point_fn(const zoid_at *at, int dims, int radius, int stage);

constexpr bool diagonal(point_fn *point, int dims, int radius, int stages)
{
    const zoid_params params = {};
    const long n[] = {100, 100, 100};
    bool found = false;
    const zoid_at at = {&params, 1, {50, 50, 50}, n, &found};

    for (int stage = 0; stage < stages; stage++)
        point(&at, dims, radius, stage);
    return found;
}

#undef ZOID_INLINE
#define ZOID_INLINE static __device__ __forceinline__
#undef ZOID_CODELETS_OPS_DIFFERENCE_H

} // namespace probe

#define ZOID_PROBE_f32 probe
#define ZOID_PROBE_f64 probe
#define ZOID_PROBE_u8 probe_integer

#endif
