/* SPDX-License-Identifier: BSD-3-Clause */
/* What the table does not say of an update and kernels want to know: whether it looks at rows
 * beside the own one in planes beside the own one. The updates are asked: they are evaluated by the
 * compiler over lanes that hold nothing and note what is loaded. */
#ifndef ZOID_CODELETS_CUDA_PROBE_CUH
#define ZOID_CODELETS_CUDA_PROBE_CUH

#include "codelets/cuda/lanes.cuh"

namespace probe
{

#undef ZOID_INLINE
#define ZOID_INLINE static constexpr __attribute__((unused))
#undef ZOID_CODELETS_OPS_DIFFERENCE_H

struct lane_probe {
};
typedef lane_probe lane_probe_integer;
#define ZOID_INTEGERS_probe_integer 1

struct zoid_at {
    const zoid_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    bool *diagonal;
};

#define ZOID_NOTHING(op)                                                       \
    ZOID_INLINE lane_probe operator op(const lane_probe &, const lane_probe &) \
    {                                                                          \
        return {};                                                             \
    }
ZOID_NOTHING(+)
ZOID_NOTHING(-)
ZOID_NOTHING(*)
ZOID_NOTHING(/)
ZOID_NOTHING(&)
ZOID_NOTHING(|)
ZOID_NOTHING(^)

#define ZOID_PROBE_FUNCTIONS(lane)                                                               \
    ZOID_INLINE lane_probe splat_##lane(double)                                                  \
    {                                                                                            \
        return {};                                                                               \
    }                                                                                            \
    ZOID_INLINE lane_probe load_##lane(const zoid_at *at, int dims, int, int dx, int dy, int dz) \
    {                                                                                            \
        if (dims == 3 && dz != 0 && (dx != 0 || dy != 0))                                        \
            *at->diagonal = true;                                                                \
        return {};                                                                               \
    }                                                                                            \
    ZOID_INLINE lane_probe select_x_##lane(const zoid_at *, long, long, lane_probe, lane_probe)  \
    {                                                                                            \
        return {};                                                                               \
    }                                                                                            \
    ZOID_INLINE void put_##lane(const zoid_at *, int, lane_probe)                                \
    {                                                                                            \
    }
ZOID_PROBE_FUNCTIONS(probe)
ZOID_PROBE_FUNCTIONS(probe_integer)

ZOID_INLINE lane_probe fma_probe(lane_probe, lane_probe, lane_probe)
{
    return {};
}
ZOID_INLINE lane_probe equal_probe_integer(lane_probe, lane_probe)
{
    return {};
}

#define ZOID_VARIANT(...)
#define ZOID_LANE probe
#include ZOID_ROWS
#undef ZOID_LANE
#define ZOID_LANE probe_integer
#include ZOID_ROWS
#undef ZOID_LANE
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
