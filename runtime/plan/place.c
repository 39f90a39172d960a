/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/place.h"

#include <string.h>

#include "runtime/machine/capabilities.h"
#include "runtime/plan/tier.h"

const struct zoid_place_type *const zoid_places[ZOID_PLACES] = {
    [ZOID_CORES] = &zoid_place_cores, [ZOID_GPUS] = &zoid_place_gpus, [ZOID_ANY] = &zoid_place_any};

struct zoid_place zoid_place_make(enum zoid_place_kind kind, int workers,
                                  const enum zoid_traversal traversal[], int lanes)
{
    struct zoid_place place = {.kind = kind,
                               .workers = workers,
                               .team = 1,
                               .memory = zoid_places[kind]->memory,
                               .lanes = lanes};

    memcpy(place.traversal, traversal, sizeof place.traversal);
    return place;
}

enum zoid_traversal zoid_place_traversal(const struct zoid_place *place)
{
    return place->traversal[place->crews ? place->crew[place->crews - 1].kind : place->kind];
}

int zoid_place_of_kind(const struct zoid_place *place, enum zoid_place_kind kind)
{
    int workers = place->kind == kind ? place->workers : 0;

    for (int i = 0; i < place->crews; i++)
        workers += place->crew[i].kind == kind ? place->crew[i].workers : 0;
    return workers;
}

bool zoid_plan_on_gpus(const struct zoid_plan *plan)
{
    return zoid_place_of_kind(&plan->place, ZOID_GPUS) > 0;
}

enum zoid_tier_kind zoid_plan_near(const struct zoid_plan *plan)
{
    return zoid_plan_on_gpus(plan) ? ZOID_GPU_MEMORY : plan->place.memory;
}

bool zoid_plan_evicts(const struct zoid_plan *p)
{
    return ZOID_STARPU_EVICTS && zoid_plan_streams(p) && !zoid_plan_stays(p) && !p->serial;
}
