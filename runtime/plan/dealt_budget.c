/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of GPUs as a cache of main memory. StarPU's scheduler fetches the data of a block when it
 * queues it at a GPU. Two blocks whose data cannot both be there would evict each other's for ever,
 * so no more are in flight than fit, all of them at one GPU. */
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/dealt.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

/* One block runs while the data of another arrive. */
enum { LEAST = 2 };

/* One PART-th of the memory is for data on their way back. */
enum { PART = 5 };

static uint64_t datum_bytes(const struct zoid_plan *p, int kind)
{
    return zoid_budget_datum_in(p, kind, ZOID_GPU_MEMORY);
}

/* Bytes that a block accesses, at most. */
static uint64_t block_bytes(const struct zoid_plan *p)
{
    const struct zoid_census *c = &p->census;
    const long others = c->max_access - c->block_slabs - c->max_coefficients - c->max_memory -
                        c->max_halos - c->max_messages;
    const uint64_t other =
        zoid_larger(zoid_larger(datum_bytes(p, ZOID_EDGE), datum_bytes(p, ZOID_REUSE)),
                    datum_bytes(p, ZOID_END));
    uint64_t sum = zoid_amount_times((uint64_t)c->block_slabs, datum_bytes(p, ZOID_SLAB));

    sum = zoid_amount_plus(
        sum, zoid_amount_times((uint64_t)c->max_coefficients, datum_bytes(p, ZOID_COEFFICIENT)));
    sum = zoid_amount_plus(sum,
                           zoid_amount_times((uint64_t)c->max_memory, datum_bytes(p, ZOID_MEMORY)));
    sum =
        zoid_amount_plus(sum, zoid_amount_times((uint64_t)c->max_halos, datum_bytes(p, ZOID_HALO)));
    return zoid_amount_plus(sum, zoid_amount_times(others > 0 ? (uint64_t)others : 0, other));
}

/* Bytes of all data, and of the scratch. */
static uint64_t all_bytes(const struct zoid_plan *p)
{
    uint64_t sum = zoid_budget_scratch_in(p, ZOID_GPU_MEMORY);

    for (int k = 0; k < ZOID_KINDS; k++)
        sum = zoid_amount_plus(sum,
                               zoid_budget_data_in(p, k, ZOID_GPU_MEMORY, zoid_budget_data(p, k)));
    return sum;
}

void zoid_dealt_limit(struct zoid_plan *p)
{
    static const long most = 1 << 20;
    const uint64_t capacity = p->tier[ZOID_GPU_MEMORY].capacity,
                   scratch = zoid_budget_scratch_in(p, ZOID_GPU_MEMORY);
    const uint64_t room = capacity > scratch ? capacity - scratch : 0;
    const uint64_t fit = (room - room / PART) / zoid_larger(block_bytes(p), 1);
    const bool stays = all_bytes(p) <= capacity;

    if (!zoid_plan_on_gpus(p))
        return;
    for (int k = 0; k < ZOID_KINDS; k++)
        p->keep[k][ZOID_GPU_MEMORY] = stays ? ZOID_KEEP_ALL : ZOID_KEEP_BLOCKS;
    p->place.flight = stays || fit > (uint64_t)most ? most : zoid_max((long)fit, LEAST);
}

uint64_t zoid_dealt_bytes(const struct zoid_plan *p)
{
    uint64_t blocks;

    if (!zoid_plan_on_gpus(p))
        return 0;
    if (zoid_plan_stays(p))
        return all_bytes(p);
    blocks = zoid_amount_times((uint64_t)p->place.flight, block_bytes(p));
    return zoid_amount_plus(zoid_budget_scratch_in(p, ZOID_GPU_MEMORY),
                            zoid_amount_plus(blocks, blocks / (PART - 1)));
}
