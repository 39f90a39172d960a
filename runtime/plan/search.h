/* SPDX-License-Identifier: BSD-3-Clause */
/* Search for a plan among candidates. */
#ifndef ZOID_RUNTIME_PLAN_SEARCH_H
#define ZOID_RUNTIME_PLAN_SEARCH_H

#include "runtime/plan/cells.h"
#include "runtime/plan/plans.h"

/* Input of a search: a plan of the problem, as the request has it. */
struct zoid_wanted {
    const struct zoid_site *site;
    const struct zoid_problem *problem;
    const struct zoid_request *request; /* with the method instead of an alias */
    const char *name;                   /* requested name of the method */
    const struct zoid_method *method;   /* NULL: any */
    struct zoid_cell_grid ranks;        /* along each axis */
    bool visit;                         /* epochs of ranks are one visit */
    double known;                       /* seconds of a plan with other ranks; 0: none */
    const struct zoid_split *split;     /* among places of this process; NULL: there is one */
    struct zoid_tier tier[ZOID_TIERS];  /* empty tiers */
};

struct zoid_found {
    bool any;              /* some candidate fits; otherwise `best` is not set */
    struct zoid_plan best; /* its reason names the runner-up */
    long censuses;         /* made by the search, which aims at few */
    /* Why no candidate fits: */
    bool any_tried; /* some method takes slabs of the requested height */
    long lowest; /* the lowest slab that some method takes, if no method takes the requested one */
    bool thin;   /* cells of several ranks are too thin; */
    long epoch;  /* the most steps of an epoch that these allow */
    uint64_t
        message;    /* least size of a message beyond MPI's limit, in bytes; 0: all are within it */
    bool no_runner; /* some candidates fit and have no runner */
    uint64_t least[ZOID_TIERS]; /* bytes of the smallest candidate; UINT64_MAX: no candidate */
};

/* Try a fixed list of candidates (cut x place x home x method x slab x depth x lanes), drop those
 * that do not fit and return the one with the shortest predicted time. The list does not depend on
 * the budget, so that the smallest total over it is the smallest sufficient budget. ZOID_RESOURCE:
 * out of memory. A search that finds nothing returns ZOID_OK. */
enum zoid_status zoid_search(const struct zoid_wanted *wanted, struct zoid_found *found);

#endif
