/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/reach.h"

void zoid_axis_reach(const struct zoid_shape *s, int axis, long *lo, long *hi)
{
    long mirrored[ZOID_SIDES];

    *lo = *hi = 0;
    for (int i = 0; i < s->stages; i++) {
        *lo = zoid_max(*lo, s->reach[i].lo[axis]);
        *hi = zoid_max(*hi, s->reach[i].hi[axis]);
    }
    /* Plane -i is plane i, which may be above p by as much as -i is below it. */
    mirrored[ZOID_LOW] = zoid_face_mirrored(s, axis, ZOID_LOW) ? *lo : 0;
    mirrored[ZOID_HIGH] = zoid_face_mirrored(s, axis, ZOID_HIGH) ? *hi : 0;
    *hi = zoid_max(*hi, mirrored[ZOID_LOW]);
    *lo = zoid_max(*lo, mirrored[ZOID_HIGH]);
}

void zoid_chain_reach(const struct zoid_shape *s, long *lo, long *hi)
{
    zoid_axis_reach(s, zoid_chain(s), lo, hi);
}

long zoid_reach_below(const struct zoid_shape *shape, long lo, long hi)
{
    bool ascends = true;

    for (int s = 0; s < shape->stages; s++)
        ascends = ascends && shape->order[s] == ZOID_ASCENDING;
    if (ascends)
        return zoid_max(lo, hi);
    return shape->alternates ? zoid_max(lo + hi, 2 * hi) : lo + hi;
}
