/* SPDX-License-Identifier: BSD-3-Clause */
/* Wave: u(t + 1) = 2 u(t) - u(t - 1) + v2 (second difference of u(t) along every axis, summed).
 * Stage S finds u(t) in field S, and in the other one u(t - 1), which it replaces by u(t + 1). */
#include "codelets/ops/difference.h"
#include "codelets/ops/point.h"

ZOID_POINT(wave)
{
    const VALUE u = U(S, 0, 0, 0);
    VALUE acc;

    SECOND_DIFFERENCES(S, acc);
    PUT(1 - S, FMA(U(2, 0, 0, 0), acc, (u + u) - U(1 - S, 0, 0, 0)));
}
