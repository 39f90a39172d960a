/* SPDX-License-Identifier: BSD-3-Clause */
/* Downhill transport: a point gains part of the points above it, on either side. Reads upwards
 * only, along x and z at once. */
#include "codelets/ops/point.h"

ZOID_POINT(slope)
{
    const VALUE u = U(0, 0, 0, 0);
    VALUE moved = u;

    UNROLL
    for (int k = 1; k <= R; k++) {
        moved = FMA(SPLAT(0.125), U(0, -k, 0, k) - u, moved);
        moved = FMA(SPLAT(0.0625), U(0, k, 0, k) - u, moved);
        moved = FMA(SPLAT(0.03125), U(0, k, 0, 0) - u, moved);
    }
    PUT(0, moved);
}
