/* SPDX-License-Identifier: BSD-3-Clause */
/* The best of some candidates, and the best of another method, place or home than that. */
#ifndef ZOID_RUNTIME_PLAN_RANKING_H
#define ZOID_RUNTIME_PLAN_RANKING_H

#include "runtime/plan/plan.h"

struct zoid_ranking {
    bool any, any_other;
    struct zoid_plan best, other;
};

/* A candidate whose cost is known. Of several that take as long the first one counts. */
void zoid_ranking_add(struct zoid_ranking *ranking, const struct zoid_plan *plan);
/* Those of another ranking. */
void zoid_ranking_join(struct zoid_ranking *ranking, const struct zoid_ranking *with);
/* The seconds that a candidate has to take less than to change any of it. */
double zoid_ranking_bar(const struct zoid_ranking *ranking, const struct zoid_plan *plan);
/* The reason of the best goes on with what came next, and what that would take. */
void zoid_ranking_explain(const struct zoid_ranking *ranking, struct zoid_plan *best);

#endif
