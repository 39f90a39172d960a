/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the differences to what lies on either side, as far as the row says; of some, along two
 * axes at once. */
#include "codelets/ops/point.h"

ZOID_POINT(lopsided)
{
    const VALUE u = U(0, 0, 0, 0);
    VALUE next = u;

    UNROLL
    for (int axis = 0; axis < D; axis++) {
        UNROLL
        for (int k = 1; k <= 2; k++) {
            if (k <= LOPSIDED_LO(R, D, axis))
                next = FMA(SPLAT(0.125 / (axis + k)), ALONG(0, axis, -k) - u, next);
            if (k <= LOPSIDED_HI(R, D, axis))
                next = FMA(SPLAT(0.0625 / (axis + k)), ALONG(0, axis, k) - u, next);
        }
    }
    if (R == 5 && D > 1)
        next = FMA(SPLAT(0.03125), U(0, -1, -1, 0) - u, next);
    if (R == 6 && D > 1)
        next = FMA(SPLAT(0.03125), U(0, 1, -1, D > 2 ? 1 : 0) - u, next);
    PUT(0, next);
}

/* Every other point looks down, then the others up. */
ZOID_POINT(sway)
{
    const VALUE u = U(0, 0, 0, 0);
    VALUE next = u;

    UNROLL
    for (int axis = 0; axis < D; axis++)
        next = FMA(SPLAT(0.25 / (axis + 1)), ALONG(0, axis, S == 0 ? -1 : 1) - u, next);
    PUT(0, EVERY_OTHER(S, next, u));
}
