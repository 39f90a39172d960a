/* SPDX-License-Identifier: BSD-3-Clause */
/* What the planner knows of those who compute. Each has its estimate in a file of its own, which
 * ends in a description. */
#ifndef ZOID_RUNTIME_PLAN_PLACE_H
#define ZOID_RUNTIME_PLAN_PLACE_H

#include "runtime/plan/estimate.h"

struct zoid_place_type {
    const char *workers; /* in plans */
    const char *on;      /* where blocks run, after a space */
    /* The tier where it finds data. If that is not main memory, data stream through it while blocks
     * run, and a lane belongs to a worker. */
    enum zoid_tier_kind memory;
    /* Blocks of a worker whose data are held: one runs, one is next, and where data come over a
     * link those of a third are asked for. */
    int begun;
    int beside; /* slabs in main memory beside those that blocks hold, where they are at home beyond
                 */
    /* Whether it can compute with the operator. */
    bool (*can)(const struct zoid_op *op);
    /* Planes that a worker computes at a time. */
    long (*batch)(const struct zoid_graph *graph);
    /* zoid_graph.at_once of its graphs. */
    long (*at_once)(const struct zoid_op *op);
    struct zoid_cost (*estimate)(const struct zoid_model *model, struct zoid_plan *plan);
};

extern const struct zoid_place_type zoid_place_cores, zoid_place_gpus;
extern const struct zoid_place_type *const zoid_places[ZOID_PLACES];

/* Whether data stream to who computes, through a memory of its own. */
static inline bool zoid_streams(enum zoid_place_kind kind)
{
    return zoid_places[kind]->memory != ZOID_RAM;
}

static inline bool zoid_plan_streams(const struct zoid_plan *plan)
{
    return zoid_streams(plan->place[0].kind);
}

/* Whether the runtime says what leaves the memory of who computes, and when: where data come and go
 * while blocks run. Otherwise StarPU evicts what it thinks fit. */
bool zoid_plan_evicts(const struct zoid_plan *plan);

static inline const struct zoid_place_type *zoid_place_of(const struct zoid_plan *plan)
{
    return zoid_places[plan->place[0].kind];
}

/* So many workers of a kind, with so many lanes. */
struct zoid_place zoid_place_make(enum zoid_place_kind kind, int workers,
                                  enum zoid_traversal traversal, int lanes);

#endif
