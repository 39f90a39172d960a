/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between a row of points and a lane of as many vectors, which are `stride` values apart. */
#ifndef ZOID_CODELETS_CPU_LANE_COPY_H
#define ZOID_CODELETS_CPU_LANE_COPY_H

#include "codelets/op.h"

#define ZOID_LANE_COPY(T)                                                                          \
    static inline void zoid_lane_put_##T(zoid_##T *lane, const zoid_##T *row, long n, long stride) \
    {                                                                                              \
        for (long x = 0; x < n; x++)                                                               \
            lane[x * stride] = row[x];                                                             \
    }                                                                                              \
                                                                                                   \
    static inline void zoid_lane_take_##T(const zoid_##T *lane, zoid_##T *row, long n,             \
                                          long stride)                                             \
    {                                                                                              \
        for (long x = 0; x < n; x++)                                                               \
            row[x] = lane[x * stride];                                                             \
    }
ZOID_LANE_COPY(f32)
ZOID_LANE_COPY(f64)

/* `size`: bytes of a value, of f32 or f64. */
static inline void zoid_lane_put(size_t size, void *lane, const void *row, long n, long stride)
{
    if (size == sizeof(zoid_f32))
        zoid_lane_put_f32(lane, row, n, stride);
    else
        zoid_lane_put_f64(lane, row, n, stride);
}

static inline void zoid_lane_take(size_t size, const void *lane, void *row, long n, long stride)
{
    if (size == sizeof(zoid_f32))
        zoid_lane_take_f32(lane, row, n, stride);
    else
        zoid_lane_take_f64(lane, row, n, stride);
}

#endif
