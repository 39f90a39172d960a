/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean of a point and its four neighbours. */
#include "codelets/ops/point.h"

ZOID_POINT(jacobi2d)
{
    const VALUE around = BOTH(0, 0, 0) + (U(0, 0, -1, 0) + U(0, 0, 1, 0));

    PUT(0, SPLAT(0.2) * (around + U(0, 0, 0, 0)));
}
