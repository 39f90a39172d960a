/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of devices that compute blocks (places), as the planner sees them. Each has a file with
 * its estimate, which ends in its description. */
#ifndef ZOID_RUNTIME_PLAN_PLACE_H
#define ZOID_RUNTIME_PLAN_PLACE_H

#include "runtime/plan/estimate.h"

struct zoid_place_type {
    const char *name;    /* as in {places} */
    const char *workers; /* name of its workers in plans */
    const char *on;      /* " on ...": where blocks run, in messages */
    /* Tier in which blocks access their data. If it is not main memory, data stream through it
     * while blocks run, and a lane belongs to a worker. */
    enum zoid_tier_kind memory;
    /* Blocks per worker whose data are pinned: one runs, one is next, and if data come over a link,
     * a third is being prefetched. */
    int begun;
    /* Slabs in main memory besides those of blocks, if slabs are at home beyond it. */
    int beside;
    /* Return whether it can compute with the operator. */
    bool (*can)(const struct zoid_op *op);
    /* Return the planes that a worker computes at a time. */
    long (*batch)(const struct zoid_graph *graph);
    /* Return zoid_graph.at_once for its graphs; NULL: no limit. */
    long (*at_once)(const struct zoid_op *op);
    /* Return the seconds that a worker, or a team, takes for blocks of a plan; `estimate` is made
     * of these. NULL for `any`, whose workers are of the other types. */
    double (*block)(const struct zoid_model *model, const struct zoid_plan *plan,
                    const struct zoid_block_extent *extent);
    struct zoid_cost (*estimate)(const struct zoid_model *model, struct zoid_plan *plan);
};

extern const struct zoid_place_type zoid_place_cores, zoid_place_gpus, zoid_place_any;
extern const struct zoid_place_type *const zoid_places[ZOID_PLACES];

static inline long zoid_place_at_once(enum zoid_place_kind kind, const struct zoid_op *op)
{
    return zoid_places[kind]->at_once ? zoid_places[kind]->at_once(op) : 0;
}

/* Return whether data stream to the device through a memory of its own. */
static inline bool zoid_streams(enum zoid_place_kind kind)
{
    return zoid_places[kind]->memory != ZOID_RAM;
}

static inline bool zoid_plan_streams(const struct zoid_plan *plan)
{
    return zoid_streams(plan->place.kind);
}

/* Return the workers of a kind that take part, and whether GPUs are among them. */
int zoid_place_of_kind(const struct zoid_place *place, enum zoid_place_kind kind);
bool zoid_plan_on_gpus(const struct zoid_plan *plan);
/* Return the tier nearest to devices in which blocks access their data: of ANY place with GPUs,
 * their memory, which is a cache of main memory then. */
enum zoid_tier_kind zoid_plan_near(const struct zoid_plan *plan);

/* Return whether the runtime decides what is evicted from the memory of the device, and when: if
 * data come and go while blocks run. Otherwise StarPU decides. */
bool zoid_plan_evicts(const struct zoid_plan *plan);

static inline const struct zoid_place_type *zoid_place_of(const struct zoid_plan *plan)
{
    return zoid_places[plan->place.kind];
}

/* Return a place of `workers` workers of that kind, with `lanes` lanes, where workers of each kind
 * have a traversal. */
struct zoid_place zoid_place_make(enum zoid_place_kind kind, int workers,
                                  const enum zoid_traversal traversal[], int lanes);
/* Return how its workers traverse blocks; of ANY place, the last crew. */
enum zoid_traversal zoid_place_traversal(const struct zoid_place *place);
/* Return the cores of a place, or its GPUs. */
static inline int zoid_place_all(const struct zoid_place *place)
{
    return place->workers * (place->team > 1 ? place->team : 1);
}

/* Return the workers of a number of cores in teams. */
static inline int zoid_place_teams(int cores, int team)
{
    return cores < team ? cores > 0 : cores / team;
}

#endif
