/* SPDX-License-Identifier: BSD-3-Clause */
/* Red-black successive over-relaxation for Poisson's equation: red points (x + y + z even), then
 * black ones. */
#include "codelets/ops/point.h"
#include "codelets/ops/relax.h"

ZOID_POINT(rbsor)
{
    VALUE relaxed;

    RELAXED(RELAX_REST, relaxed);
    PUT(0, EVERY_OTHER(S, relaxed, U(0, 0, 0, 0)));
}
