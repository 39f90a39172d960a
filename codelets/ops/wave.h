/* SPDX-License-Identifier: BSD-3-Clause */
/* Acoustic waves: u(t + 1) = 2 u(t) - u(t - 1) + v2 (sum of the second differences of u(t) along
 * all axes). Stage S reads u(t) from field S, and u(t - 1) from the other field, which it
 * overwrites with u(t + 1). */
#include "codelets/ops/difference.h"
#include "codelets/ops/point.h"

ZOID_POINT(wave)
{
    const VALUE u = U(S, 0, 0, 0);
    VALUE acc;

    SECOND_DIFFERENCES(S, acc);
    PUT(1 - S, FMA(U(2, 0, 0, 0), acc, (u + u) - U(1 - S, 0, 0, 0)));
}
