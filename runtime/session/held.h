/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of faces that are held, from the setting `held` or, for those that it does not give, from
 * the checkpoint that the session restarts from. */
#ifndef ZOID_RUNTIME_SESSION_HELD_H
#define ZOID_RUNTIME_SESSION_HELD_H

#include "runtime/session/output/stored.h"
#include "runtime/session/points_list.h"

struct zoid_session;

/* Owns the series that the parameters of the problem point to. */
struct zoid_held_faces {
    struct zoid_held_face {
        struct zoid_source_recipe recipe;
        long samples; /* 0: not given */
        double *series;
    } face[ZOID_AXES * ZOID_SIDES]; /* by axis, then side */
};

/* Read the series of a session and set them in its problem; call it before the run allocates
 * memory. Collective. ZOID_BAD_ARGUMENT: as zoid_problem_check, a malformed series, or a held face
 * without one. ZOID_RESOURCE: a file cannot be read. */
enum zoid_status zoid_held_open(struct zoid_session *session);
/* Call after the jobs of the problem are destroyed, which borrow the series. */
void zoid_held_close(struct zoid_held_faces *held);
/* Store those that are given. */
enum zoid_status zoid_held_store(const struct zoid_held_faces *held, struct zoid_stored *stored);

#endif
