/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds weighted differences to the neighbours on either side, within the row's reach, which makes
 * the stencil one-sided or asymmetric; for some radii also to a diagonal neighbour. */
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

/* Every other point reads downwards, then the others upwards. */
ZOID_POINT(sway)
{
    const VALUE u = U(0, 0, 0, 0);
    VALUE next = u;

    UNROLL
    for (int axis = 0; axis < D; axis++)
        next = FMA(SPLAT(0.25 / (axis + 1)), ALONG(0, axis, S == 0 ? -1 : 1) - u, next);
    PUT(0, EVERY_OTHER(S, next, u));
}

/* Compares the point with the one before it and the one above it, and puts one of their values. */
ZOID_POINT(rectify)
{
    const VALUE u = U(0, 0, 0, 0), before = U(0, -1, 0, 0), above = ALONG(0, D - 1, 1);
    const VALUE root = LESS(u, before, SQRT(above), NEG(SQRT(ABS(u))));

    PUT(0, SAME_AS(u, above, ABS(before), AT_MOST(above, before, NEG(above), root)));
}
