/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss-Seidel: relaxes a point towards the mean of its neighbours, of which those before it are
 * already updated, plus a source. */
#include "codelets/ops/point.h"

ZOID_POINT(relax)
{
    const VALUE u = U(0, 0, 0, 0);
    VALUE sum = U(1, 0, 0, 0);

    UNROLL
    for (int axis = 0; axis < D; axis++)
        UNROLL
    for (int k = 1; k <= R; k++)
        sum = FMA(SPLAT(0.5 / (R * D)), ALONG(0, axis, k) + ALONG(0, axis, -k), sum);
    PUT(0, FMA(SPLAT(0.25), u, SPLAT(0.75) * sum));
}

/* Adds field 0 of the point and of all its neighbours, each with a weight of its own. */
ZOID_ANY_AT ZOID_INLINE VALUE ZOID_JOIN(add_all_, ZOID_VALUE)(const ZOID_AT *at, const int D,
                                                              VALUE sum)
{
    UNROLL
    for (int i = 0; i < 27; i++) {
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;

        if ((dy == 0 || D > 1) && (dz == 0 || D > 2))
            sum = FMA(SPLAT((1 + 0.0625 * i) / 64), U(0, dx, dy, dz), sum);
    }
    return sum;
}

/* Two ordered fields: the first reads all its neighbours, the second field at the point, and a
 * third one two points back; the second reads itself one point back. Then the third field, in any
 * order. */
ZOID_POINT(swirl)
{
    VALUE u = U(1, 0, 0, 0) * SPLAT(0.125), v = U(1, 0, 0, 0) * SPLAT(0.5);

    if (S == 1) {
        PUT(2, FMA(SPLAT(0.25), U(0, 1, 0, 0) - U(1, -1, 0, 0), SPLAT(0.5) * U(2, 0, 0, 0)));
        return;
    }
    u = ZOID_JOIN(add_all_, ZOID_VALUE)(at, D, u);
    UNROLL
    for (int axis = 0; axis < D; axis++) {
        u = FMA(SPLAT(0.0625), ALONG(2, axis, -2), u);
        v = FMA(SPLAT(0.125), ALONG(1, axis, -1), v);
    }
    PUT(0, u);
    PUT(1, v);
}

/* One ordered field, which reads all its neighbours and two points back. */
ZOID_POINT(eddy)
{
    VALUE u = ZOID_JOIN(add_all_, ZOID_VALUE)(at, D, U(0, 0, 0, 0) * SPLAT(0.125));

    UNROLL
    for (int axis = 0; axis < D; axis++)
        u = FMA(SPLAT(0.0625), ALONG(0, axis, -2), u);
    PUT(0, u);
}

/* Two ordered fields: one looks back along x, the other along the slowest axis. */
ZOID_POINT(weft)
{
    const VALUE u = U(0, 0, 0, 0), v = U(1, 0, 0, 0);
    const VALUE left = U(0, -1, 0, 0), below = ALONG(1, D - 1, -1);

    PUT(0, FMA(SPLAT(0.25), left + v, SPLAT(0.5) * u));
    PUT(1, FMA(SPLAT(0.5), below - u, v));
}

/* The mean of a point and all its neighbours, which the update divides by their number. */
ZOID_POINT(mean)
{
    VALUE sum = SPLAT(0);

    UNROLL
    for (int i = 0; i < 27; i++) {
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;

        if ((dy == 0 || D > 1) && (dz == 0 || D > 2))
            sum = sum + U(0, dx, dy, dz);
    }
    PUT(0, sum / SPLAT(D == 1 ? 3 : D == 2 ? 9 : 27));
}

/* Looks ahead, along x and the slowest axis, and back along x alone. */
ZOID_POINT(lee)
{
    const VALUE back = U(0, -1, 0, 0) + U(0, -3, 0, 0), on = ALONG(0, D - 1, 1) - U(0, 2, 0, 0);

    PUT(0, FMA(SPLAT(0.25), back, (U(0, 0, 0, 0) + SPLAT(0.5) * on) / SPLAT(2.8)));
}

/* Looks back alone: far along x, and to the plane before. */
ZOID_POINT(trail)
{
    const VALUE back = U(0, -1, 0, 0) + U(0, -4, 0, 0), below = ALONG(0, D - 1, -1);

    PUT(0, FMA(SPLAT(0.25), back + below, SPLAT(0.125) * U(0, 0, 0, 0)));
}
