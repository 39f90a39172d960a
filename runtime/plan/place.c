/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/place.h"

#include "runtime/machine/capabilities.h"
#include "runtime/plan/tier.h"

const struct zoid_place_type *const zoid_places[ZOID_PLACES] = {
    [ZOID_CORES] = &zoid_place_cores, [ZOID_GPUS] = &zoid_place_gpus};

struct zoid_place zoid_place_make(enum zoid_place_kind kind, int workers,
                                  enum zoid_traversal traversal, int lanes)
{
    return (struct zoid_place){.kind = kind,
                               .workers = workers,
                               .team = 1,
                               .memory = zoid_places[kind]->memory,
                               .traversal = traversal,
                               .lanes = lanes};
}

bool zoid_plan_evicts(const struct zoid_plan *p)
{
    return ZOID_STARPU_EVICTS && zoid_plan_streams(p) && !zoid_plan_stays(p) && !p->serial;
}
