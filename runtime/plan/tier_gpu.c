/* SPDX-License-Identifier: BSD-3-Clause */
/* GPU memory: slabs stay there, or stream through it. */
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

/* Slabs besides those in use, of which there is at least one: one arriving, one leaving, and one in
 * transfer between GPUs. */
enum { SLABS_ON_THE_WAY = ZOID_LEAST_SLABS - 1 };

/* Allocation unit of the driver. */
enum { PAGE = 2 << 20 };

/* Edges that a GPU holds at once if they come and go with the slabs: each lane's slab at work reads
 * some and leaves two, and two arrive or leave with each other slab. */
static uint64_t edges_in_flight(const struct zoid_plan *p, uint64_t slabs, uint64_t lanes)
{
    uint64_t most = 2 * slabs + lanes * (uint64_t)p->census.max_access;

    return zoid_smaller(most, zoid_budget_data(p, ZOID_EDGE));
}

/* Reuse data (skew buffers) that a GPU holds at once: every lane has its own ring. */
static uint64_t reuse_on_gpu(const struct zoid_plan *p, enum zoid_keep keep, uint64_t lanes)
{
    const uint64_t begun = (uint64_t)zoid_place_of(p)->begun;
    const struct zoid_census_row *row = &p->census.kind[ZOID_REUSE];
    uint64_t rings =
        zoid_amount_times(zoid_smaller((uint64_t)row->rows, lanes), (uint64_t)row->cols);
    uint64_t a_block = (uint64_t)(p->census.max_access - p->census.block_slabs);

    return keep == ZOID_KEEP_BLOCKS ? zoid_smaller(rings, begun * a_block) : rings;
}

/* Coefficients that a GPU holds at once: those of a block of each lane, and those that the next
 * blocks need in addition. Two lanes need much the same ones. */
static uint64_t coefficients_at_once(const struct zoid_plan *p, uint64_t lanes)
{
    enum { NEXT = 2 };

    return zoid_smaller(zoid_tier_coefficients(p, 1),
                        lanes * (uint64_t)p->census.max_coefficients + NEXT);
}

/* Slabs that wait between two lanes because these are further apart, since their blocks would share
 * pieces of memory. */
static uint64_t behind(const struct zoid_plan *p, uint64_t lanes)
{
    return zoid_remembers(&p->graph.shape) ? lanes - 1 : 0;
}

/* Slabs of a GPU that does not hold all of them. */
static uint64_t slabs_at_once(const struct zoid_plan *p, enum zoid_keep keep, uint64_t lanes)
{
    const uint64_t open = lanes * (uint64_t)(p->census.open_slabs + 1) - 1 + behind(p, lanes);
    const uint64_t begun = (uint64_t)(zoid_place_of(p)->begun * p->census.block_slabs);

    return SLABS_ON_THE_WAY + (keep == ZOID_KEEP_BLOCKS ? zoid_smaller(begun, open) : open);
}

/* Memory of layers on a GPU that does not hold all of it: what the blocks of all lanes list, and
 * what is between two lanes, or comes or goes, with the slabs. */
static uint64_t memory_at_once(const struct zoid_plan *p, enum zoid_keep keep, uint64_t lanes)
{
    return slabs_at_once(p, keep, lanes) + (lanes + 1) * (uint64_t)p->census.max_memory;
}

/* Data may come to any GPU, except reuse data. */
static uint64_t data_of(const struct zoid_plan *p, int kind)
{
    const enum zoid_keep keep = p->keep[kind][ZOID_GPU_MEMORY];
    const struct zoid_place *place = &p->place;
    const uint64_t data = zoid_budget_data(p, kind);
    const uint64_t lanes =
        ((uint64_t)place->lanes + (uint64_t)place->workers - 1) / (uint64_t)place->workers;

    if (kind == ZOID_REUSE)
        return reuse_on_gpu(p, keep, lanes);
    if (keep == ZOID_KEEP_ALL)
        return data;
    switch (kind) {
    case ZOID_SLAB:
        return zoid_smaller(data, slabs_at_once(p, keep, lanes));
    case ZOID_COEFFICIENT:
        return coefficients_at_once(p, lanes);
    case ZOID_MEMORY:
        return zoid_smaller(data, memory_at_once(p, keep, lanes));
    case ZOID_EDGE:
        return edges_in_flight(p, slabs_at_once(p, keep, lanes), lanes);
    case ZOID_HALO:
    case ZOID_END:
    case ZOID_MESSAGE:
    case ZOID_RELAY:
        return zoid_smaller(data, (uint64_t)zoid_place_of(p)->begun * lanes *
                                      (uint64_t)p->census.max_access);
    default:
        return data;
    }
}

static bool home(const struct zoid_site *site)
{
    (void)site;
    return false;
}

static double up(const struct zoid_rates *rates)
{
    return rates->link_up;
}

static double down(const struct zoid_rates *rates)
{
    return rates->link_down;
}

static enum zoid_status refuse(const struct zoid_shortage *s)
{
    const unsigned long long least = zoid_mib(s->least), has = s->capacity / ZOID_MIB;

    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "needs at least %llu MiB of each GPU's memory, and %llu MiB may be used; use "
                     "{gpu_mem=%lluM}",
                     least, has, least);
}

const struct zoid_tier_type zoid_tier_gpu = {.name = "gpu",
                                             .in = " in the memory of GPUs",
                                             .grain = PAGE,
                                             .data = data_of,
                                             .home = home,
                                             .up = up,
                                             .down = down,
                                             .refuse = refuse};
