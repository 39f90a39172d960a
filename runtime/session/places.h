/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of places while a session runs: a trial of the two best ways to use them, and an end to
 * a place that has become too slow. No step is computed twice. */
#ifndef ZOID_RUNTIME_SESSION_PLACES_H
#define ZOID_RUNTIME_SESSION_PLACES_H

#include "runtime/session/session.h"

/* The job was filled: let its runs leave a place that slows them. */
void zoid_places_settle(struct zoid_session *session);
/* Before the first steps of a run up to `step`: if two ways to use the places are predicted to take
 * about as long, and a change costs little of the run, run two epochs of each, and go on with the
 * faster one. Fails as zoid_run_loop_until. */
enum zoid_status zoid_places_try(struct zoid_session *session, long step);

#endif
