/* SPDX-License-Identifier: BSD-3-Clause */
/* Upwind transport: along every axis u moves towards larger coordinates with speed `wind` times the
 * coefficient c, decreasing with time. Reads backwards only. */
#include "codelets/ops/point.h"

ZOID_POINT(upwind)
{
    const VALUE u = U(0, 0, 0, 0);
    const VALUE c = SPLAT(PARAM(0) / (1 + PARAM(1) * (double)at->t)) * U(1, 0, 0, 0);
    VALUE moved = u;

    UNROLL
    for (int axis = 0; axis < D; axis++)
        moved = FMA(c, ALONG(0, axis, -R) - u, moved);
    PUT(0, moved);
}
