/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of several places: each computes a part [subdomain] of the domain, one above the other, and
 * owns the memory of its part. */
#ifndef ZOID_RUNTIME_PLAN_PLANS_H
#define ZOID_RUNTIME_PLAN_PLANS_H

#include "runtime/plan/plan.h"

/* A part of a domain that is cut along the chain axis: between border[part] and border[part + 1].
 * All parts have the same epoch. */
struct zoid_split {
    int parts, part;
    const long *border; /* parts + 1 planes, from 0 on */
    long line;          /* planes that the part has room for; 0: those that it needs */
};

/* The places that a text names, as in cores:2+gpus; workers 0: all that are left. */
struct zoid_places_named {
    int places;
    struct {
        enum zoid_place_kind kind;
        int workers;
    } place[ZOID_PARTS_MOST];
};
enum zoid_status zoid_places_parse(const char *text, struct zoid_places_named *named);

/* As zoid_plans_make. */
enum zoid_status zoid_plans_at(const struct zoid_site *site, const struct zoid_problem *problem,
                               const struct zoid_request *request, struct zoid_plans *plans);

#endif
