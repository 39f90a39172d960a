/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat equation: u' = u + lambda (sum of the second differences of u along all axes). */
#include "codelets/ops/difference.h"
#include "codelets/ops/point.h"

ZOID_POINT(heat)
{
    VALUE acc;

    SECOND_DIFFERENCES(0, acc);
    PUT(0, FMA(CONSTANT(1 + R * D), acc, U(0, 0, 0, 0)));
}
