/* SPDX-License-Identifier: BSD-3-Clause */
/* The best of a number of candidates, and the best one with another method, place or home. */
#ifndef ZOID_RUNTIME_PLAN_RANKING_H
#define ZOID_RUNTIME_PLAN_RANKING_H

#include "runtime/plan/plan.h"

/* Least seconds of plans of ranks with an epoch and an exchange, by a kind of place. */
struct zoid_compared {
    enum zoid_place_kind place;
    long epoch;
    enum zoid_exchange exchange;
    double seconds;
};
enum { ZOID_COMPARED_MOST = 64 };

struct zoid_ranking {
    bool any, any_other;
    struct zoid_plan best, other;
    int compared; /* further pairs are not kept */
    struct zoid_compared by[ZOID_COMPARED_MOST];
};

/* Add a candidate whose cost is known. The first of equally fast ones wins. */
void zoid_ranking_add(struct zoid_ranking *ranking, const struct zoid_plan *plan);
/* Add the candidates of another ranking. */
void zoid_ranking_join(struct zoid_ranking *ranking, const struct zoid_ranking *with);
/* Add what was compared of plans of a kind of place. */
void zoid_ranking_keep_compared(struct zoid_ranking *ranking, const struct zoid_ranking *with,
                                enum zoid_place_kind place);
/* Return the seconds that a candidate has to beat to change the ranking. */
double zoid_ranking_bar(const struct zoid_ranking *ranking, const struct zoid_plan *plan);
/* Append the runner-up, and its seconds, to the reason of the best plan; and let it have the epoch
 * and the exchange that came second. */
void zoid_ranking_explain(const struct zoid_ranking *ranking, struct zoid_plan *best);

#endif
