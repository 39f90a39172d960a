/* SPDX-License-Identifier: BSD-3-Clause */
/* Places by name, as in cores:2+gpus, and the workers of a site that each of them has. */
#ifndef ZOID_RUNTIME_PLAN_PLACES_H
#define ZOID_RUNTIME_PLAN_PLACES_H

#include "runtime/plan/plan.h"

/* The places that a text names; workers 0: all that are left. */
struct zoid_places_named {
    int places;
    struct {
        enum zoid_place_kind kind;
        int workers;
    } place[ZOID_PARTS_MOST];
};
enum zoid_status zoid_places_parse(const char *text, struct zoid_places_named *named);

/* Return the workers of a kind that places may have: a limit to GPU memory asks for a GPU, and
 * leaves the cores to places that are named. */
int zoid_places_workers(const struct zoid_site *site, enum zoid_place_kind kind);

/* Give places their kinds and workers (first, and whether others share that kind): those that are
 * named, one after the other, and the rest to the one of that kind without a number.
 * ZOID_BAD_ARGUMENT, or ZOID_RESOURCE for GPUs: there are fewer. */
enum zoid_status zoid_places_seat(const struct zoid_site *site,
                                  const struct zoid_places_named *named, struct zoid_place seat[]);

#endif
