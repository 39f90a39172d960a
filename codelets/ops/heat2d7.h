/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat equation on a triangular grid: 7-point stencil with two neighbours along a diagonal. */
#include "codelets/ops/point.h"

ZOID_POINT(heat2d7)
{
    const VALUE u = U(0, 0, 0, 0), diagonal = U(0, 1, 1, 0) + U(0, -1, -1, 0);
    const VALUE around = (BOTH(0, 0, 0) + (U(0, 0, -1, 0) + U(0, 0, 1, 0))) + diagonal;

    PUT(0, FMA(SPLAT(PARAM(0)), FMA(SPLAT(-6), u, around), u));
}
