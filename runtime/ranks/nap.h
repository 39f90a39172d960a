/* SPDX-License-Identifier: BSD-3-Clause */
/* How to wait for what nobody tells us of, so that it has to be looked at again and again. */
#ifndef ZOID_RUNTIME_RANKS_NAP_H
#define ZOID_RUNTIME_RANKS_NAP_H

/* One wait; all zero before it. */
struct zoid_nap {
    double since; /* when it began, by zoid_machine_clock */
    double next;  /* seconds that the next nap takes */
};

/* To be called after each look that was in vain. Returns at once as long as the wait is short: what
 * another rank answers from a core of its own comes within microseconds. From then on it sleeps,
 * each time longer by a quarter and at most `longest` seconds: what takes long is noticed late by a
 * quarter of that. It never yields: Linux may give a core to nobody else, the kernel's own threads
 * included, as long as threads of one session give it to each other (docs/design/ranks.md, Halts).
 */
void zoid_nap(struct zoid_nap *nap, double longest);

#endif
