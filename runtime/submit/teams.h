/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers on cores that run the blocks of a part, each by itself or with a team of cores. */
#ifndef ZOID_RUNTIME_SUBMIT_TEAMS_H
#define ZOID_RUNTIME_SUBMIT_TEAMS_H

#include <starpu.h>

#include "codelets/threads/team.h"
#include "runtime/plan/plan.h"

struct zoid_trace;

/* All zeros: each worker is alone, and all get blocks. */
struct zoid_teams {
    struct zoid_team *of[STARPU_NMAXWORKERS]; /* of each worker; NULL: it is alone */
    /* Workers that get blocks, the first core of each team, for StarPU; if `some`, others do not.
     */
    uint32_t first[STARPU_NMAXWORKERS / 32 + 1];
    bool some;
    int from, to; /* StarPU's workers on cores that are the part's, if there are teams */
};

/* Find the workers of a plan, and make its teams, of consecutive workers, whose first cores share
 * caches if any do.
 * ZOID_RESOURCE: the system refuses threads. Destroy them after a failure, too. */
enum zoid_status zoid_teams_create(struct zoid_teams *teams, const struct zoid_plan *plan);
/* Note the members in a trace, which may be NULL. */
void zoid_teams_trace(const struct zoid_teams *teams, const struct zoid_trace *trace);
void zoid_teams_destroy(struct zoid_teams *teams);
/* Let the workers that get no blocks leave their cores to the teams, or, since another job is
 * about to run, let them not. */
void zoid_teams_wake(const struct zoid_teams *teams, bool awake);

#endif
