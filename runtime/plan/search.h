/* SPDX-License-Identifier: BSD-3-Clause */
/* The candidates of a plan, and what comes of trying them. */
#ifndef ZOID_RUNTIME_PLAN_SEARCH_H
#define ZOID_RUNTIME_PLAN_SEARCH_H

#include "runtime/plan/cells.h"
#include "runtime/plan/plan.h"

/* What is searched for: a plan of the problem, as the request has it. */
struct zoid_wanted {
    const struct zoid_site *site;
    const struct zoid_problem *problem;
    const struct zoid_request *request; /* an alias is its method */
    const char *name;                   /* of the method, as it was asked for */
    const struct zoid_method *method;   /* NULL: any */
    struct zoid_cell_grid ranks;        /* along each axis */
    struct zoid_tier tier[ZOID_TIERS];  /* as they are without a plan */
};

struct zoid_found {
    bool any;              /* candidate that fits; without one there is no `best` */
    struct zoid_plan best; /* its reason names what came next */
    long censuses;         /* that were made, of which a search has few to make */
    /* Why there is none. */
    bool any_tried;             /* a slab of the height that was asked for */
    long lowest;                /* slab that some method would take, where none took that one */
    bool thin;                  /* cells of several ranks; */
    long epoch;                 /* steps that an epoch could have at most, for their sake */
    uint64_t message;           /* bytes of the least that is too large; 0: there is none */
    bool no_runner;             /* nothing runs some of the blocks that fit */
    uint64_t least[ZOID_TIERS]; /* bytes of the smallest candidate; UINT64_MAX: there is none */
};

/* Tries a fixed list of candidates (cut x place x home x method x slab x depth x lanes), drops
 * those that do not fit and takes the one with the shortest predicted time. The list does not
 * depend on the budget, so the smallest total over it is the smallest budget that works. Fails
 * where memory is short. */
enum zoid_status zoid_search(const struct zoid_wanted *wanted, struct zoid_found *found);

#endif
