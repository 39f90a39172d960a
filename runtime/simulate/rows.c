/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators of a simulation: their functions exist, and compute nothing. In place of all that is
 * compiled for rows of operators, and of rows for lanes and bands. */
#include <math.h>

#include "codelets/op.h"
#include "codelets/ops/lists.h"

#define ZOID_EMPTY(function, type, name) \
    function name;                       \
    void name(const type *nothing)       \
    {                                    \
        (void)nothing;                   \
    }
#define ZOID_VARIANT(variant, ...)                                               \
    ZOID_EMPTY(zoid_loop_fn, struct zoid_loop, zoid_reference_##variant)         \
    ZOID_EMPTY(zoid_row_fn, struct zoid_row, zoid_row_##variant)                 \
    ZOID_EMPTY(zoid_sweep_fn, struct zoid_sweep, zoid_sweep_portable_##variant)  \
    ZOID_EMPTY(zoid_sweep_fn, struct zoid_sweep, zoid_sweep_v3_##variant)        \
    ZOID_EMPTY(zoid_sweep_fn, struct zoid_sweep, zoid_sweep_v4_##variant)        \
    ZOID_EMPTY(zoid_skewed_fn, struct zoid_skewed_row, zoid_skewed_v3_##variant) \
    ZOID_EMPTY(zoid_skewed_fn, struct zoid_skewed_row, zoid_skewed_v4_##variant)
#include ZOID_ROWS

/* Tables of functions that are never called. */
enum { MOST = 64 };
#define ZOID_NONE(table)                  \
    extern const void *const table[MOST]; \
    const void *const table[MOST] = {NULL};
ZOID_NONE(zoid_band_kernels_portable_f32)
ZOID_NONE(zoid_band_kernels_portable_f64)
ZOID_NONE(zoid_band_kernels_v3_f32)
ZOID_NONE(zoid_band_kernels_v3_f64)
ZOID_NONE(zoid_band_kernels_v4_f32)
ZOID_NONE(zoid_band_kernels_v4_f64)
ZOID_NONE(zoid_lane_rows_v3_f32)
ZOID_NONE(zoid_lane_rows_v3_f64)
ZOID_NONE(zoid_lane_rows_v4_f32)
ZOID_NONE(zoid_lane_rows_v4_f64)

void zoid_sweep_inner(void);
void zoid_sweep_inner(void)
{
}
