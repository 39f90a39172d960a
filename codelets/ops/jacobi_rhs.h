/* SPDX-License-Identifier: BSD-3-Clause */
/* jacobi with a right-hand side, field 1. */
#include "codelets/ops/point.h"
#include "codelets/ops/relax.h"

ZOID_POINT(jacobi_rhs)
{
    VALUE relaxed;

    RELAXED(RELAX_REST_RHS, relaxed);
    PUT(0, relaxed);
}
