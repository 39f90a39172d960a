/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory tiers, as the planner sees them. Each has a file, which ends in its description. */
#ifndef ZOID_RUNTIME_PLAN_TIER_H
#define ZOID_RUNTIME_PLAN_TIER_H

#include "runtime/plan/plan.h"

/* Alignment of transfers to and from a disk, in bytes: of offsets and sizes, in the file and in
 * main memory. */
enum { ZOID_DISK_BLOCK = 4096 };

/* A tier that is too small for any plan: bytes of the smallest plan, usable bytes, and requested
 * bytes. */
struct zoid_shortage {
    const struct zoid_site *site;
    uint64_t least, capacity, asked; /* asked: 0: no limit */
};

struct zoid_tier_type {
    const char *name; /* in plans */
    const char *in;   /* " in ...": where data are, in messages */
    uint64_t grain;   /* allocation unit of a datum, in bytes */
    /* Return whether slabs can be at home there. */
    bool (*home)(const struct zoid_site *site);
    /* Return how many data of a kind it holds at once, by the plan's `keep`. */
    uint64_t (*data)(const struct zoid_plan *plan, int kind);
    /* Return the seconds per byte up, towards the device, and down; NULL: main memory, which has no
     * link. */
    double (*up)(const struct zoid_rates *rates);
    double (*down)(const struct zoid_rates *rates);
    /* Return the seconds per datum, either way, besides its bytes; NULL: negligible. */
    double (*datum)(const struct zoid_rates *rates);
    /* Report the shortage, and a remedy, as a failure. */
    enum zoid_status (*refuse)(const struct zoid_shortage *shortage);
};

extern const struct zoid_tier_type zoid_tier_gpu, zoid_tier_ram, zoid_tier_disk;
/* All tiers. */
extern const struct zoid_tier_type *const zoid_tiers[ZOID_TIERS];

/* Return an empty tier. */
struct zoid_tier zoid_tier_make(enum zoid_tier_kind kind, uint64_t capacity,
                                const struct zoid_rates *rates);

/* Return whether a plan has any data there. */
bool zoid_plan_uses(const struct zoid_plan *plan, int tier);
/* Return whether all slabs stay in the memory of the plan's place. */
bool zoid_plan_stays(const struct zoid_plan *plan);
/* Return whether data of a kind are at home beyond main memory. */
static inline bool zoid_plan_beyond(const struct zoid_plan *plan, int kind)
{
    return plan->home != ZOID_RAM && plan->keep[kind][plan->home] != ZOID_KEEP_NONE;
}

/* Slabs that a GPU has room for at least, unless there are fewer. */
enum { ZOID_LEAST_SLABS = 4 };

/* Return the number of coefficient data that `workers` workers need at once: those of a block each,
 * and of the next one. */
uint64_t zoid_tier_coefficients(const struct zoid_plan *plan, uint64_t workers);

#endif
