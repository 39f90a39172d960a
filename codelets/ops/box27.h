/* SPDX-License-Identifier: BSD-3-Clause */
/* 27-point stencil: weighted sum of a point and its 26 neighbours, edges and corners alike. */
#include "codelets/ops/box.h"
#include "codelets/ops/point.h"

ZOID_POINT(box27)
{
    const VALUE far = BOX_EDGES(0) + BOX_CORNERS(0);
    const VALUE acc = FMA(SPLAT(0.05), BOX_FACES(0), SPLAT(0.02) * far);

    PUT(0, FMA(SPLAT(0.3), U(0, 0, 0, 0), acc));
}
