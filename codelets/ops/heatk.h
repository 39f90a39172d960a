/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat equation in a medium whose conductivity differs from place to place: the flux through the
 * face between a point and the next one up axis a is field 1 + a at the point, times their
 * difference. A point adds the fluxes of its faces up and down x, then y, then z. */
#include "codelets/ops/point.h"

ZOID_POINT(heatk)
{
    const VALUE u = U(0, 0, 0, 0);
    VALUE acc = U(1, 0, 0, 0) * (ALONG(0, 0, 1) - u);

    acc = FMA(ALONG(1, 0, -1), ALONG(0, 0, -1) - u, acc);
    UNROLL
    for (int a = 1; a < D; a++) {
        acc = FMA(U(1 + a, 0, 0, 0), ALONG(0, a, 1) - u, acc);
        acc = FMA(ALONG(1 + a, a, -1), ALONG(0, a, -1) - u, acc);
    }
    PUT(0, u + acc);
}
