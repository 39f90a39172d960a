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
    const long *border; /* parts + 1 planes, from 0 on; the same in all processes */
    long line;          /* planes that the part has room for; 0: those that it needs */
};

/* Places of a site that may share the domain of a problem, the lower planes first. */
struct zoid_sharing {
    const struct zoid_site *site;
    const struct zoid_problem *problem;
    const struct zoid_request *request;
    int places;
    struct zoid_place seat[ZOID_PARTS_MOST]; /* kind, workers, first, shares */
    long fair; /* planes of the first place if all are to take as long */
};

/* Return ZOID_BAD_ARGUMENT, with a message, if the request does not let these places share. */
enum zoid_status zoid_sharing_check(const struct zoid_sharing *sharing);
/* Plan for one place by itself, as zoid_plan_at. `only`: it has the request's method and sizes;
 * otherwise those that it has beside the other places. An epoch that is named is that of cells. */
enum zoid_status zoid_sharing_alone(const struct zoid_sharing *sharing, int place, bool only,
                                    struct zoid_plan *plan);
/* Plan for all places, whose seconds for the whole run `alone` are known, or guessed. Fails as
 * zoid_plans_make. */
enum zoid_status zoid_sharing_split(struct zoid_sharing *sharing, const double alone[],
                                    struct zoid_plans *plans);

/* Have the graphs of copied plans of several parts refer to their own borders. */
void zoid_plans_keep_borders(struct zoid_plans *plans);

/* Predicted seconds of the part that takes longest, or of all in turn. */
double zoid_plans_seconds(const struct zoid_plans *plans);

/* As zoid_plans_make. */
enum zoid_status zoid_plans_at(const struct zoid_site *site, const struct zoid_problem *problem,
                               const struct zoid_request *request, struct zoid_plans *plans);

#endif
