/* SPDX-License-Identifier: BSD-3-Clause */
/* A point moves towards the value of the point before it; in two dimensions, towards two points by
 * different parts of the way, as far as its coefficient lets it. */
#include "codelets/ops/point.h"

ZOID_POINT(drift)
{
    const VALUE u = U(0, 0, 0, 0);

    PUT(0, FMA(SPLAT(PARAM(0)), U(0, -R, 0, 0) - u, u));
}

ZOID_POINT(bend)
{
    const VALUE u = U(0, 0, 0, 0);
    const VALUE way =
        FMA(SPLAT(PARAM(0)), U(0, -1, 0, 0) - u, SPLAT(PARAM(1)) * (U(0, 0, 1, 0) - u));

    PUT(0, FMA(U(1, 0, 0, 0), way, u));
}
