/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner as it is to those who know a machine but open no context of it. */
#ifndef ZOID_RUNTIME_PLAN_PLAN_H
#define ZOID_RUNTIME_PLAN_PLAN_H

#include "runtime/machine/rates.h"

/* What a plan is made for: a machine and its rates, who may compute, and where data may lie. */
struct zoid_site {
    const struct zoid_machine *machine;
    const struct zoid_rates *rates;
    int workers[ZOID_PLACES];       /* 0: the place is not to be had */
    uint64_t capacity[ZOID_TIERS];  /* bytes that may be used; of GPUs, of each */
    const char *folder[ZOID_TIERS]; /* of tiers beyond main memory; NULL: there is none */
    int rank, ranks;                /* which one this is, and how many there are; 0 ranks: one */
    int ways;        /* of the cores' first-level cache, of all ranks the least; 0: any */
    bool gpu_wanted; /* cores are no answer, also where GPUs cannot do it */
};

/* Planes that a recursion may leave in one leaf of so many bytes, of a cell its own points: they
 * move between two buffers, beside their coefficients. */
long zoid_plan_leaf(const struct zoid_problem *problem, const struct zoid_graph *graph,
                    uint64_t bytes);

/* Planes of scratch that a worker needs, of a plan whose graph, census and place are there. */
long zoid_plan_scratch(const struct zoid_plan *plan);

/* As zoid_plan_make. */
enum zoid_status zoid_plan_at(const struct zoid_site *site, const struct zoid_problem *problem,
                              const struct zoid_request *request, struct zoid_plan *plan);

#endif
