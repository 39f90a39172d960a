/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps in order: point by point, in place. */
#ifndef ZOID_CODELETS_CPU_ORDER_H
#define ZOID_CODELETS_CPU_ORDER_H

#include "codelets/sweep.h"

/* A row of points from p on along x, which a stage computes at time t in place.
 * from[f][ZOID_MAX_REACH + i] is the address of its first point in field f, i planes further up.
 * The stage writes field f to to[f], which equals from[f][ZOID_MAX_REACH]: points before the
 * current one have their new values. If a field has a box of its own, `inside` and `skips` count:
 * unless the stencils of all points are inside the domain, reads from outside give the nearest
 * point; fields in `skips` keep their values. */
struct zoid_row {
    const struct zoid_params *params;
    const long *n; /* size of the domain */
    long t, p[ZOID_AXES], count;
    long pitch; /* stride of the rows of a plane, in elements */
    bool inside;
    unsigned skips; /* bit f: field f */
    const void *from[ZOID_MAX_FIELDS][2 * ZOID_MAX_REACH + 1];
    void *to[ZOID_MAX_FIELDS];
};

/* Executes a sweep whose stage ascends, on a core. */
void zoid_sweep_in_order(const struct zoid_sweep *sweep);

#endif
