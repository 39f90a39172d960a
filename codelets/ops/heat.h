/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat: u' = u + lambda (second difference of u along every axis, summed). */
#include "codelets/ops/difference.h"
#include "codelets/ops/point.h"

ZOID_POINT(heat)
{
    const LANE u = U(0, 0, 0, 0);
    LANE acc = SPLAT(D * zoid_second_difference(R, 0)) * u;

    UNROLL
    for (int i = 1; i <= R; i++) {
        const LANE c = SPLAT(zoid_second_difference(R, i));

        UNROLL
        for (int axis = 0; axis < D; axis++)
            acc = FMA(c, ALONG(0, axis, -i) + ALONG(0, axis, i), acc);
    }
    PUT(0, FMA(SPLAT(PARAM(lambda)), acc, u));
}
