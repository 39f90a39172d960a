/* SPDX-License-Identifier: BSD-3-Clause */
/* Electromagnetic waves in two dimensions (FDTD), two stages per step: ex and ey from hz, then hz
 * from ex and ey. Row 0 of ey is the source: it holds the index of the step.
 * CONSTANT(0) is the spacing along x over that along y; the others are factors of differences: of
 * hz along y and x, and of the curl. */
#include "codelets/ops/point.h"

ZOID_POINT(fdtd2d)
{
    const VALUE ex = U(0, 0, 0, 0), ey = U(1, 0, 0, 0), hz = U(2, 0, 0, 0);

    if (S == 0) {
        PUT(0, FMA(CONSTANT(2), hz - U(2, -1, 0, 0), ex));
        if (at->p[1] == 0)
            PUT(1, SPLAT((double)((at->t - 1) / 2)));
        else
            PUT(1, FMA(CONSTANT(1), hz - U(2, 0, -1, 0), ey));
    } else {
        const VALUE curl = FMA(CONSTANT(0), U(1, 0, 1, 0) - ey, U(0, 1, 0, 0) - ex);

        PUT(2, FMA(CONSTANT(3), curl, hz));
    }
}
