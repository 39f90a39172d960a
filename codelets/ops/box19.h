/* SPDX-License-Identifier: BSD-3-Clause */
/* 19-point stencil: weighted sum of a point, its 6 face neighbours and its 12 edge neighbours. */
#include "codelets/ops/box.h"
#include "codelets/ops/point.h"

ZOID_POINT(box19)
{
    const VALUE acc = FMA(SPLAT(0.06), BOX_FACES(0), SPLAT(0.02) * BOX_EDGES(0));

    PUT(0, FMA(SPLAT(0.4), U(0, 0, 0, 0), acc));
}
