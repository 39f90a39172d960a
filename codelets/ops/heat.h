/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat: u' = u + lambda (second difference of u along every axis, summed). */
#include "codelets/ops/difference.h"
#include "codelets/ops/point.h"

ZOID_POINT(heat)
{
    VALUE acc;

    SECOND_DIFFERENCES(0, acc);
    PUT(0, FMA(SPLAT(PARAM(0)), acc, U(0, 0, 0, 0)));
}
