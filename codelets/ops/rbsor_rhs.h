/* SPDX-License-Identifier: BSD-3-Clause */
/* rbsor with a right-hand side, field 1. */
#include "codelets/ops/point.h"
#include "codelets/ops/relax.h"

ZOID_POINT(rbsor_rhs)
{
    VALUE relaxed;

    RELAXED(RELAX_REST_RHS, relaxed);
    PUT(0, EVERY_OTHER(S, relaxed, U(0, 0, 0, 0)));
}
