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

/* u looks back along x, v back along the slowest axis, w too where it can: each of its stencils is
 * inside the domain in its own box. */
ZOID_POINT(hems)
{
    const VALUE u = U(0, 0, 0, 0), v = U(1, 0, 0, 0), w = U(2, 0, 0, 0);

    if (S == 0) {
        PUT(0, FMA(SPLAT(0.25), U(1, -1, 0, 0) - U(2, 0, D > 1, 0), u));
        PUT(1, FMA(SPLAT(0.125), ALONG(0, D - 1, -2) - w, v));
    } else {
        const VALUE next = FMA(SPLAT(0.5), u - (v - U(1, 0, 0, D == 3)), w);

        PUT(2, SELECT_X(2, at->n[0], next - U(2, -2, 0, 0), next));
    }
}

/* Two arrays take turns, and the layers that are left out stay each as they are. */
ZOID_POINT(seesaw)
{
    const VALUE sides = ALONG(S, D - 1, -1) + U(S, 1, 0, 0);

    PUT(1 - S, FMA(SPLAT(0.25), sides, SPLAT(0.5) * U(S, 0, 0, 0)));
}

/* From one array to the other one, and back, by tables of the run; the first plane is a source. */
ZOID_POINT(relay)
{
    if (S == 0) {
        const VALUE sides = U(0, -1, 0, 0) + ALONG(0, D - 1, 1);

        PUT(1, FMA(TABLE(0), sides, SPLAT(0.25) * U(0, 0, 0, 0)));
    } else if (D > 1 && at->p[D - 1] == 0) {
        PUT(0, TABLE(1));
    } else {
        PUT(0, FMA(SPLAT(0.5), U(1, 1, 0, 0) - U(1, 0, 0, 0), TABLE(1)));
    }
}

/* Both fields take of the point before, then one of them of the other one above. */
ZOID_POINT(share)
{
    const VALUE u = U(0, 0, 0, 0), v = U(1, 0, 0, 0);

    if (S == 0) {
        PUT(0, FMA(SPLAT(0.25), U(0, -1, 0, 0) - v, u));
        PUT(1, FMA(SPLAT(0.125), U(0, -1, 0, 0), v));
    } else {
        PUT(0, FMA(SPLAT(0.5), ALONG(1, D - 1, 1) - v, u));
    }
}

/* Differences by constants; then tables of the run. */
ZOID_POINT(tide)
{
    const VALUE u = U(0, 0, 0, 0);
    VALUE next = u;

    if (S == 0) {
        UNROLL
        for (int axis = 0; axis < D; axis++)
            next = FMA(CONSTANT(axis), (ALONG(0, axis, -1) + ALONG(0, axis, 1)) - (u + u), next);
        PUT(0, next);
    } else {
        PUT(0, FMA(TABLE(0), u, CONSTANT(D) * TABLE(1)));
    }
}

/* The same in place, in one stage. */
ZOID_POINT(ebb)
{
    const VALUE u = U(0, 0, 0, 0);
    VALUE next = TABLE(0) * u;

    UNROLL
    for (int axis = 0; axis < D; axis++)
        next = FMA(CONSTANT(axis), (ALONG(0, axis, -1) + ALONG(0, axis, 1)) - (u + u), next);
    PUT(0, FMA(CONSTANT(D), TABLE(1), next));
}

/* Indices and the time by words: every other point reads a corner, with the weight of a table, and
 * the boundary of v at both ends of a row is its own. */
ZOID_POINT(braid)
{
    const VALUE u = U(0, 0, 0, 0), v = U(1, 0, 0, 0), left = U(0, -1, 0, 0);
    const VALUE above = ALONG(1, D - 1, 1), corner = U(0, 1, D > 1 ? -1 : 0, 0);
    const VALUE next = FMA(SPLAT(0.25), left + above, SPLAT(0.5) * u);

    PUT(0, EVERY_OTHER(1, next, FMA(TABLE(0), corner - u, next)));
    PUT(1, SELECT_X(2, at->n[0] - 1, FMA(SPLAT(0.5), u - v, v), v));
}
