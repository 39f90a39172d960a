/* SPDX-License-Identifier: BSD-3-Clause */
/* Damped Jacobi iteration for Poisson's equation: all points from the time before. */
#include "codelets/ops/point.h"
#include "codelets/ops/relax.h"

ZOID_POINT(jacobi)
{
    VALUE relaxed;

    RELAXED(RELAX_REST, relaxed);
    PUT(0, relaxed);
}
