/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/tier.h"

#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/place.h"

const struct zoid_tier_type *const zoid_tiers[ZOID_TIERS] = {
    [ZOID_GPU_MEMORY] = &zoid_tier_gpu, [ZOID_RAM] = &zoid_tier_ram, [ZOID_DISK] = &zoid_tier_disk};

struct zoid_tier zoid_tier_make(enum zoid_tier_kind kind, uint64_t capacity,
                                const struct zoid_rates *rates)
{
    const struct zoid_tier_type *type = zoid_tiers[kind];

    return (struct zoid_tier){.name = type->name,
                              .capacity = capacity,
                              .grain = type->grain,
                              .up = type->up ? type->up(rates) : 0,
                              .down = type->down ? type->down(rates) : 0};
}

bool zoid_plan_uses(const struct zoid_plan *p, int tier)
{
    return tier == ZOID_RAM || tier == (int)p->home || tier == (int)zoid_plan_near(p);
}

bool zoid_plan_stays(const struct zoid_plan *p)
{
    return p->keep[ZOID_SLAB][zoid_plan_near(p)] == ZOID_KEEP_ALL;
}

uint64_t zoid_tier_coefficients(const struct zoid_plan *p, uint64_t workers)
{
    uint64_t two = 2 * (uint64_t)p->census.max_coefficients;

    return zoid_smaller(zoid_amount_times(two, workers), zoid_budget_data(p, ZOID_COEFFICIENT));
}
