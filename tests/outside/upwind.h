/* SPDX-License-Identifier: BSD-3-Clause */
/* Upwind transport: along every axis u is carried towards larger coordinates, as fast as the
 * coefficient c says, and slower and slower: a part of `wind` of it, which drops with time. Looks
 * back only. */
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
