/* SPDX-License-Identifier: BSD-3-Clause */
/* The best candidates on cores alone by the census, a few of each method with and without cells,
 * and of ranks with each epoch and exchange. A simulated schedule then determines their order. */
#ifndef ZOID_RUNTIME_PLAN_FINALISTS_H
#define ZOID_RUNTIME_PLAN_FINALISTS_H

#include "runtime/plan/ranking.h"

enum { ZOID_FINALISTS = 5, ZOID_FINALS = 16, ZOID_EXCHANGED = 24 };

struct zoid_model; /* runtime/plan/estimate.h */

struct zoid_finalists {
    struct zoid_plan plan[ZOID_FINALS][ZOID_FINALISTS]; /* of each kind, best first */
    int plans[ZOID_FINALS];
    struct zoid_plan exchanged[ZOID_EXCHANGED]; /* the best with each epoch and exchange */
    int exchanges;
};

/* Add a candidate on cores whose cost is known. A candidate that is there already is not added
 * again. */
void zoid_finalists_add(struct zoid_finalists *finalists, const struct zoid_plan *plan);
/* The same for the best candidate of ranks on GPUs with an epoch and an exchange. */
void zoid_finalists_add_exchanged(struct zoid_finalists *finalists, const struct zoid_plan *plan);
/* Rank the best candidate, and those of ranks with each epoch and exchange, by replays of their
 * exchanges (runtime/plan/replay.h). */
void zoid_finalists_replay(struct zoid_finalists *finalists, const struct zoid_model *model,
                           struct zoid_ranking *ranking);
/* Rank the candidates again, by their schedules, together with those of other places in
 * `ranking`. */
void zoid_finalists_rank(struct zoid_finalists *finalists, const struct zoid_model *model,
                         struct zoid_ranking *ranking);

#endif
