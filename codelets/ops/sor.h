/* SPDX-License-Identifier: BSD-3-Clause */
/* Successive over-relaxation for Poisson's equation: the row selects ascending order, in place. */
#include "codelets/ops/point.h"
#include "codelets/ops/relax.h"

ZOID_POINT(sor)
{
    VALUE relaxed;

    RELAXED(RELAX_REST, relaxed);
    PUT(0, relaxed);
}
