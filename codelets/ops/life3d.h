/* SPDX-License-Identifier: BSD-3-Clause */
/* Game of Life in three dimensions, one byte per point: 1 is alive, 0 is empty. A point is alive
 * next if 5 of its 26 neighbours are alive, or if it is alive itself and 2 to 7 are. */
#include "codelets/ops/box.h"
#include "codelets/ops/point.h"

ZOID_POINT(life3d)
{
    const VALUE n = (BOX_FACES(0) + BOX_EDGES(0)) + BOX_CORNERS(0), none = SPLAT(0);
    const VALUE up_to_7 = EQUAL(n & SPLAT(0xf8), none), up_to_1 = EQUAL(n & SPLAT(0xfe), none);

    PUT(0, EQUAL(n, SPLAT(5)) | (U(0, 0, 0, 0) & (up_to_7 ^ up_to_1)));
}
