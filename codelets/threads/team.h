/* SPDX-License-Identifier: BSD-3-Clause */
/* A team: threads that run one function together, on cores of their own. The thread that calls is
 * its first member. */
#ifndef ZOID_CODELETS_THREADS_TEAM_H
#define ZOID_CODELETS_THREADS_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "codelets/sweep.h"

struct zoid_team;

/* Creates a team of `members` members, of which each but the first is a thread that calls bind(arg,
 * member) before anything else (NULL: nothing). Of fewer members, or NULL, if the system refuses
 * threads; NULL if members < 2. */
struct zoid_team *zoid_team_create(int members, void (*bind)(void *arg, int member), void *arg);
/* Ends its threads and sets *team to NULL; no-op if it is NULL. */
void zoid_team_destroy(struct zoid_team **team);
/* Returns the number of its members; 1 for NULL. */
int zoid_team_size(const struct zoid_team *team);
/* Calls body(arg, member) on each member at once; returns when all calls have returned. One caller
 * at a time. */
void zoid_team_call(struct zoid_team *team, void (*body)(void *arg, int member), void *arg);

/* Progress of a member that others wait for: everything before `at` is done. LONG_MIN: nothing,
 * LONG_MAX: everything. */
struct zoid_front {
    _Alignas(ZOID_LINE) _Atomic long at;
};

/* Time that a member waits for another one. */
struct zoid_team_wait {
    long turns;   /* of the wait in progress; 0: none */
    double since; /* when it began */
    double waited;
};
/* Lets a short time pass; leaves the core to others if the wait has been long. */
void zoid_team_wait(struct zoid_team_wait *wait);
/* Ends a wait, if there is one. */
void zoid_team_waited(struct zoid_team_wait *wait);
/* Waits until a front is at `at` or beyond; returns where it is. */
long zoid_team_await(const struct zoid_front *front, long at, struct zoid_team_wait *wait);
/* Publishes that everything before `at` is done. */
void zoid_team_publish(struct zoid_front *front, long at);

/* Seconds of a team since they were taken last. */
struct zoid_team_time {
    double core;   /* that the members but the first had a core */
    double waited; /* by all members, for one another */
};
/* Adds what a member has waited, from a call of zoid_team_call. */
void zoid_team_spent(struct zoid_team *team, const struct zoid_team_wait *wait);
/* Returns the times, and begins anew; zeros for NULL. Not during a call of zoid_team_call. */
struct zoid_team_time zoid_team_take(struct zoid_team *team);

#endif
