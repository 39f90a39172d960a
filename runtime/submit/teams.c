/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/teams.h"

#include <string.h>

#include "runtime/config.h"
#include "runtime/error.h"
#include "runtime/memory/scratch.h"
#include "runtime/plan/place.h"
#include "runtime/ranks/cores.h"
#include "runtime/ranks/yielding.h"
#include "runtime/trace/trace.h"

/* A member of a team that is being created. */
struct seat {
    const int *worker;
    int first, workers;
};

/* Bind a member to its worker's core, if workers are bound; members beyond the last worker stay
 * where they are. */
static void sit(void *arg, int member)
{
    const struct seat *seat = arg;
    const int i = seat->first + member;

    if (i < seat->workers && !zoid_cores_unbound())
        zoid_core_bind(seat->worker[i]);
}

static int cores(int worker[STARPU_NMAXWORKERS])
{
    return (int)starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, worker, STARPU_NMAXWORKERS);
}

enum zoid_status zoid_teams_create(struct zoid_teams *teams, const struct zoid_plan *plan)
{
    const struct zoid_place *place = &plan->place;
    const int team = zoid_max(place->team, 1), end = place->first + place->workers * team;
    int worker[STARPU_NMAXWORKERS];
    const int n = cores(worker);

    memset(teams, 0, sizeof *teams);
    if (zoid_plan_streams(plan) || (team == 1 && !place->shares))
        return ZOID_OK;
    teams->some = true;
    for (int i = place->first; i < end && i < n; i += team)
        teams->first[worker[i] / 32] |= 1u << worker[i] % 32;
    /* In a simulation the worker of a team sleeps for all of it. */
    if (team == 1 || ZOID_SIMULATED)
        return ZOID_OK;
    teams->from = place->first;
    teams->to = place->shares ? zoid_min(end, n) : n;
    for (int i = place->first; i < end && i < n; i += team) {
        struct zoid_team *t = zoid_team_create(team, sit, &(struct seat){worker, i, teams->to});

        teams->of[worker[i]] = t;
        if (zoid_team_size(t) < team)
            return zoid_fail(ZOID_RESOURCE,
                             "a team of %d needs %d threads, and the system gives %d; name a "
                             "smaller team, or raise the limit of threads (ulimit -u)",
                             team, team - 1, zoid_team_size(t) - 1);
    }
    return ZOID_OK;
}

static bool gets_blocks(const struct zoid_teams *teams, int worker)
{
    return teams->first[worker / 32] >> worker % 32 & 1;
}

void zoid_teams_trace(const struct zoid_teams *teams, const struct zoid_trace *trace)
{
    int worker[STARPU_NMAXWORKERS];

    if (teams->to)
        cores(worker);
    for (int i = teams->from, first = i; i < teams->to; i++) {
        if (gets_blocks(teams, worker[i]))
            first = i;
        else if (i - first < zoid_team_size(teams->of[worker[first]]))
            zoid_trace_team(trace, worker[i], worker[first]);
    }
}

void zoid_teams_destroy(struct zoid_teams *teams)
{
    if (!teams->some)
        return;
    zoid_teams_wake(teams, false);
    for (int i = 0; i < STARPU_NMAXWORKERS; i++)
        zoid_team_destroy(&teams->of[i]);
    teams->some = false;
}

void zoid_teams_wake(const struct zoid_teams *teams, bool awake)
{
    int worker[STARPU_NMAXWORKERS];

    if (teams->to)
        cores(worker);
    for (int i = teams->from; i < teams->to; i++)
        zoid_yielding_rest(worker[i], awake && !gets_blocks(teams, worker[i]));
}
