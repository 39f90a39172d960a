/* SPDX-License-Identifier: BSD-3-Clause */
/* A point moves towards the value of the point before it. */
#include "codelets/ops/point.h"

ZOID_POINT(drift)
{
    const VALUE u = U(0, 0, 0, 0);

    PUT(0, FMA(SPLAT(PARAM(0)), U(0, -R, 0, 0) - u, u));
}
