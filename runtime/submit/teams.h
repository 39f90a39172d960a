/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers that are teams of cores, for the blocks of a job. */
#ifndef ZOID_RUNTIME_SUBMIT_TEAMS_H
#define ZOID_RUNTIME_SUBMIT_TEAMS_H

#include <starpu.h>

#include "codelets/team.h"
#include "runtime/plan/plan.h"

/* All zeros: each worker is alone. */
struct zoid_trace;

struct zoid_teams {
    struct zoid_team *of[STARPU_NMAXWORKERS]; /* of each worker; NULL: it is alone */
    /* Workers that get blocks, the first core of each team, for StarPU; if others do not. */
    uint32_t first[STARPU_NMAXWORKERS / 32 + 1];
    bool any;
};

/* Make the teams of a plan, of consecutive workers, whose first cores share caches if any do.
 * ZOID_RESOURCE: the system refuses threads. Destroy them after a failure, too. */
enum zoid_status zoid_teams_create(struct zoid_teams *teams, const struct zoid_plan *plan);
/* Note the members in a trace, which may be NULL. */
void zoid_teams_trace(const struct zoid_teams *teams, const struct zoid_trace *trace);
void zoid_teams_destroy(struct zoid_teams *teams);
/* Let the workers that get no blocks leave their cores to the teams, or, since another job is
 * about to run, let them not. */
void zoid_teams_wake(const struct zoid_teams *teams, bool awake);

#endif
