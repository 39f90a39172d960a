/* SPDX-License-Identifier: BSD-3-Clause */
/* Life in three dimensions, a byte a cell: 1 is alive, 0 is empty. A cell with 5 of its 26
 * neighbours alive is alive next, and so is one that is alive and has 2 to 7. */
#include "codelets/ops/box.h"
#include "codelets/ops/point.h"

ZOID_POINT(life3d)
{
    const VALUE n = (BOX_FACES(0) + BOX_EDGES(0)) + BOX_CORNERS(0), none = SPLAT(0);
    const VALUE up_to_7 = EQUAL(n & SPLAT(0xf8), none), up_to_1 = EQUAL(n & SPLAT(0xfe), none);

    PUT(0, EQUAL(n, SPLAT(5)) | (U(0, 0, 0, 0) & (up_to_7 ^ up_to_1)));
}
