/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers of a run. */
#ifndef ZOID_RUNTIME_SESSION_POINTS_H
#define ZOID_RUNTIME_SESSION_POINTS_H

#include "runtime/session/points_list.h"
#include "runtime/zoid_advanced.h"

struct zoid_session;

/* Read sources and receivers from the settings, or if these have none, from the checkpoint that the
 * session restarts from; add them to its problem, and check it. Without any, *list is unchanged.
 * Collective: all ranks fail together. ZOID_BAD_ARGUMENT: as zoid_problem_check, or a malformed
 * source, receiver or file. ZOID_RESOURCE: a file cannot be read. */
enum zoid_status zoid_point_list_open(struct zoid_session *session, struct zoid_point_list **list);
/* Sources and receivers that a program adds as numbers. Owns its texts and series; zeros are an
 * empty one. */
struct zoid_added_point {
    char *field; /* NULL: the only one that can have points */
    double at[ZOID_AXES];
    bool physical;                    /* in m, s and Hz rather than points and steps */
    struct zoid_source_recipe recipe; /* of sources; a delay of 0 is a period */
    double *number;
    long samples;
};
struct zoid_added_points {
    size_t sources, receivers;
    struct zoid_added_point *source, *receiver;
};

/* Append a copy of a point. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_added_source(struct zoid_added_points *added,
                                   const struct zoid_added_point *source);
enum zoid_status zoid_added_receiver(struct zoid_added_points *added,
                                     const struct zoid_added_point *receiver);
void zoid_added_clear(struct zoid_added_points *added);

/* Call after the jobs of the problem are destroyed, which borrow the list. */
void zoid_point_list_close(struct zoid_point_list **list);

#endif
