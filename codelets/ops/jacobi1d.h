/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean of a point and its two neighbours. */
#include "codelets/ops/point.h"

ZOID_POINT(jacobi1d)
{
    PUT(0, SPLAT(1.0 / 3) * (BOTH(0, 0, 0) + U(0, 0, 0, 0)));
}
