/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/residence.h"

#include "graphs/kinds.h"

enum zoid_residence zoid_residence_after(const struct zoid_access *a,
                                         const struct zoid_residence_in *in)
{
    const struct zoid_kind_type *kind = &zoid_kinds[a->datum.kind];
    const bool kept = in->kept[a->datum.kind], dead = a->next == ZOID_NEXT_DEAD;

    if (kept && (kind->home == ZOID_HOME_PLACE || dead || !zoid_access_writes(a) || !in->last))
        return ZOID_STAYS;
    switch (a->next) {
    case ZOID_NEXT_SAME:
        return ZOID_STAYS;
    case ZOID_NEXT_LANE:
        if (in->next_lane_here)
            return ZOID_STAYS;
        return kind->constant ? ZOID_DROPPED : ZOID_HANDED_ON;
    case ZOID_NEXT_RAM:
        return kind->constant ? ZOID_DROPPED : ZOID_GOES_HOME;
    default:
        return a->datum.kind == ZOID_SLAB ? ZOID_GOES_HOME : ZOID_DROPPED;
    }
}
