/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting by polling, for events that no other thread signals. */
#ifndef ZOID_RUNTIME_RANKS_NAP_H
#define ZOID_RUNTIME_RANKS_NAP_H

/* State of one wait; initialize it to zeros. */
struct zoid_nap {
    double since; /* start of the wait, by zoid_machine_clock */
    double next;  /* seconds of the next sleep */
};

/* Call after each unsuccessful poll. Returns at once while the wait is short, since a rank with a
 * core of its own answers within microseconds. Then it sleeps, a quarter longer each time and at
 * most `longest` seconds, so that an event is noticed late by at most a quarter of the wait. It
 * never yields: as long as the threads of a session yield to each other, Linux may give the core to
 * no other thread, the kernel's own included (docs/design/ranks.md, Halts). */
void zoid_nap(struct zoid_nap *nap, double longest);
/* Return the seconds of the next sleep of a wait that sleeps from its first unsuccessful poll on,
 * by the caller. */
double zoid_nap_next(struct zoid_nap *nap, double longest);

#endif
