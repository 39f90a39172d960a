/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps in order: one point after the other, in place. */
#ifndef ZOID_CODELETS_ORDER_H
#define ZOID_CODELETS_ORDER_H

#include "codelets/sweep.h"

/* Points from p on along x that a stage computes at time t where they lie. Field f has the first of
 * them at from[f][ZOID_MAX_REACH], and in the plane that is i planes further up at from[f][
 * ZOID_MAX_REACH + i]. What the stage writes of it goes to to[f], which is from[f][ZOID_MAX_REACH]
 * too: so points before one are as they have become. */
struct zoid_row {
    const struct zoid_params *params;
    const long *n; /* the domain */
    long t, p[ZOID_AXES], count;
    long pitch; /* elements from a row of a plane to the next */
    const void *from[ZOID_MAX_FIELDS][2 * ZOID_MAX_REACH + 1];
    void *to[ZOID_MAX_FIELDS];
};

/* A sweep whose stage ascends, on a core. */
void zoid_sweep_in_order(const struct zoid_sweep *sweep);

#endif
