/* SPDX-License-Identifier: BSD-3-Clause */
/* What the planner knows of the memories that data lie in. Each has a file, which ends in a
 * description. */
#ifndef ZOID_RUNTIME_PLAN_TIER_H
#define ZOID_RUNTIME_PLAN_TIER_H

#include "runtime/plan/plan.h"

/* What is read from a disk or written there starts at, and has, a multiple of this: in the file and
 * in main memory. */
enum { ZOID_DISK_BLOCK = 4096 };

/* A tier that is too small for any plan: bytes of the smallest one, bytes that may be used, and
 * bytes that were asked for. */
struct zoid_shortage {
    const struct zoid_site *site;
    uint64_t least, capacity, asked; /* asked: 0: no limit was */
};

struct zoid_tier_type {
    const char *name; /* in plans */
    const char *in;   /* where data are, after a space */
    uint64_t grain;   /* a datum takes whole ones of so many bytes */
    /* Whether slabs can be at home there. */
    bool (*home)(const struct zoid_site *site);
    /* How many data of a kind are there at once, as the plan's `keep` says. */
    uint64_t (*data)(const struct zoid_plan *plan, int kind);
    /* Seconds a byte takes up, towards who computes, and down; NULL: main memory, which has no way.
     */
    double (*up)(const struct zoid_rates *rates);
    double (*down)(const struct zoid_rates *rates);
    /* Seconds that a datum takes either way beside its bytes; NULL: none that count. */
    double (*datum)(const struct zoid_rates *rates);
    /* Says that there is too little, and what would do. */
    enum zoid_status (*refuse)(const struct zoid_shortage *shortage);
};

extern const struct zoid_tier_type zoid_tier_gpu, zoid_tier_ram, zoid_tier_disk;
/* All of them. */
extern const struct zoid_tier_type *const zoid_tiers[ZOID_TIERS];

/* A tier with nothing in it yet. */
struct zoid_tier zoid_tier_make(enum zoid_tier_kind kind, uint64_t capacity,
                                const struct zoid_rates *rates);

/* Whether a plan has anything there. */
bool zoid_plan_uses(const struct zoid_plan *plan, int tier);
/* Whether all slabs stay in the memory of the place that computes. */
static inline bool zoid_plan_stays(const struct zoid_plan *plan)
{
    return plan->keep[ZOID_SLAB][plan->place[0].memory] == ZOID_KEEP_ALL;
}
/* Whether data of a kind are at home beyond main memory. */
static inline bool zoid_plan_beyond(const struct zoid_plan *plan, int kind)
{
    return plan->home != ZOID_RAM && plan->keep[kind][plan->home] != ZOID_KEEP_NONE;
}

/* Slabs that a GPU has room for at least, unless there are fewer. */
enum { ZOID_LEAST_SLABS = 4 };

/* Data of coefficients that so many workers must hold at once: those of a block each, and of the
 * one that comes next. */
uint64_t zoid_tier_coefficients(const struct zoid_plan *plan, uint64_t workers);

#endif
