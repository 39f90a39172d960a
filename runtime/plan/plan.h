/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner for callers that know a machine but open no context on it. */
#ifndef ZOID_RUNTIME_PLAN_PLAN_H
#define ZOID_RUNTIME_PLAN_PLAN_H

#include "runtime/machine/rates.h"

/* Input of a plan: a machine and its rates, the workers, and the memory that data may use. */
struct zoid_site {
    const struct zoid_machine *machine;
    const struct zoid_rates *rates;
    int workers[ZOID_PLACES];       /* 0: the place is not available */
    uint64_t capacity[ZOID_TIERS];  /* usable bytes; for GPUs, of each */
    uint64_t others;                /* bytes of main memory that other jobs have reserved */
    const char *folder[ZOID_TIERS]; /* of tiers beyond main memory; NULL: not available */
    /* This rank, and the number of ranks; 0 ranks: one. Rank -1: plans are of none of them, but of
     * the one that sends most. */
    int rank, ranks;
    int ways; /* least associativity of the level-1 caches of all ranks; 0: any */
    /* Crews of ANY place, whose workers are those of the other kinds as well, and the policy of
     * StarPU that deals them blocks; NULL: its policy cannot. */
    int crews;
    struct zoid_crew crew[ZOID_PARTS_MOST];
    const char *policy;
    int busy;        /* cores of other parts, at the same memory */
    bool gpu_wanted; /* cores must not be used instead, even if GPUs cannot run the operator */
};

/* Return the planes of a leaf of `bytes` bytes, within a cell's owned points: two buffers of the
 * state and the coefficients. */
long zoid_plan_leaf(const struct zoid_problem *problem, const struct zoid_graph *graph,
                    uint64_t bytes);

/* Return the planes of scratch that a worker needs, for a plan whose graph, census and place are
 * set. */
long zoid_plan_scratch(const struct zoid_plan *plan);

struct zoid_split;
/* As zoid_plan_make; for a part of a domain that is split, or for all of it (NULL). A part's plan
 * is that of the rank which needs most memory. */
enum zoid_status zoid_plan_part_at(const struct zoid_site *site, const struct zoid_problem *problem,
                                   const struct zoid_request *request,
                                   const struct zoid_split *split, struct zoid_plan *plan);
/* Turn a plan for one rank of the site into that of its own; part of the process as before. */
void zoid_plan_take_rank(const struct zoid_site *site, struct zoid_plan *plan);
/* As zoid_plan_make. */
enum zoid_status zoid_plan_at(const struct zoid_site *site, const struct zoid_problem *problem,
                              const struct zoid_request *request, struct zoid_plan *plan);

#endif
