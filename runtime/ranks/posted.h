/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from their submission to their end; a thread that carries them (post.h) does the rest:
 *
 *   submitted:  StarPU      acquired:            carried:             ended:
 *   the datum is acquired   zoid_post_acquired   by the thread   -->  the datum is released */
#ifndef ZOID_RUNTIME_RANKS_POSTED_H
#define ZOID_RUNTIME_RANKS_POSTED_H

#include <stdbool.h>

#include "runtime/ranks/message_requests.h"

struct zoid_posted {
    struct zoid_message_request request;
    bool sends;
    struct zoid_posted *next; /* the carrier's */
};

/* ---- of the carrier ------------------------------------------------------------------------- */

/* Return whether messages may have that tag. */
bool zoid_post_has_tag(long tag);
/* Have room for one more message than the `in_flight` ones. False: out of memory. Calls do not
 * overlap. */
bool zoid_post_reserve(long in_flight);
/* Carry it. Called by any thread, and never for more messages than there is room for. */
void zoid_post_acquired(struct zoid_posted *posted);

/* ---- for the carrier ------------------------------------------------------------------------ */

/* A message is sent or has come: release its datum, and free it. */
void zoid_posted_end(struct zoid_posted *posted);
/* So many have ended; call after that. */
void zoid_posted_count(int ended);

#endif
