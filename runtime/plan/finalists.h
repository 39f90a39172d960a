/* SPDX-License-Identifier: BSD-3-Clause */
/* The candidates on cores that take the least by the census, a few of each method, whole and in
 * cells; of these a schedule says what they take. */
#ifndef ZOID_RUNTIME_PLAN_FINALISTS_H
#define ZOID_RUNTIME_PLAN_FINALISTS_H

#include "runtime/plan/ranking.h"

enum { ZOID_FINALISTS = 5, ZOID_FINALS = 16 };

struct zoid_model; /* runtime/plan/estimate.h */

struct zoid_finalists {
    struct zoid_plan plan[ZOID_FINALS][ZOID_FINALISTS]; /* of each kind, the best first */
    int plans[ZOID_FINALS];
};

/* A candidate on cores whose cost is known; one that is there already is not added again. */
void zoid_finalists_add(struct zoid_finalists *finalists, const struct zoid_plan *plan);
/* Ranks them anew, by schedules, beside what the ranking has of other places. */
void zoid_finalists_rank(struct zoid_finalists *finalists, const struct zoid_model *model,
                         struct zoid_ranking *ranking);

#endif
