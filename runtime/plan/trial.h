/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials of single candidates of a search: whether each fits, and its predicted seconds. */
#ifndef ZOID_RUNTIME_PLAN_TRIAL_H
#define ZOID_RUNTIME_PLAN_TRIAL_H

#include "runtime/plan/budget.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/finalists.h"
#include "runtime/plan/ranking.h"
#include "runtime/plan/search.h"

/* For slabs of a height and a number of lanes: the depth of the deepest blocks that fit, or may
 * fit, and of the least deep ones that do not. */
struct zoid_depths {
    long deep, too_deep;
};

/* Most halvings of the number of lanes; more than any machine's workers allow. */
enum { ZOID_TRIAL_LANES = 32 };

/* For each way of exchange, the messages of the last candidate, and their dependences. */
struct zoid_messages_known {
    long cells[ZOID_AXES], rows, epoch, line;
    struct zoid_messages messages;
};

/* State of a search: candidates that were tried, and the one being tried. */
struct zoid_trial {
    const struct zoid_wanted *wanted;
    struct zoid_found *found;
    struct zoid_model model;
    struct zoid_ranking ranking;
    bool scouts;                    /* only a sample of candidates is tried, */
    struct zoid_ranking scouted;    /* and the best of this cut's sample */
    const struct zoid_plan *around; /* only candidates of similar height and depth; NULL: any */
    struct zoid_finalists *finalists;
    struct zoid_ranking listed; /* plans of a method by teams, of which the best is listed */
    /* The candidate being tried, outermost loop first; cells are those of a rank. */
    struct zoid_cell_grid grid;
    enum zoid_place_kind place;
    int team; /* cores of a worker */
    enum zoid_tier_kind home;
    struct zoid_graph last;                      /* tried, with one lane */
    struct zoid_depths depths[ZOID_TRIAL_LANES]; /* for each number of lanes, in that order */
    struct zoid_depths *at;                      /* the entry of the number being tried */
    bool fitted, passed_over; /* it fits in some variant; it was skipped as hopeless */
    struct zoid_pieces_known pieces;
    struct zoid_memory_known memory;
    struct zoid_messages_known messages[2];
};

/* Returns the workers of the place being tried. */
int zoid_trial_workers(const struct zoid_trial *trial);
/* Tries a candidate: both ways of exchange, if they differ and the request names neither, each with
 * the epochs that may pay. Adds those that fit to the ranking. `graph` is as before afterwards. */
void zoid_trial_consider(struct zoid_trial *trial, struct zoid_graph *graph);
/* Lists the best plan by teams since the last call, if the request lists plans. */
void zoid_trial_list_teams(struct zoid_trial *trial);

#endif
