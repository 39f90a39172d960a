/* SPDX-License-Identifier: BSD-3-Clause */
/* What relaxations of Poisson's equation share: the new value of a point, those of its neighbours
 * that come before it last, so that points in order wait for one another for one fma alone. */
#ifndef ZOID_CODELETS_OPS_RELAX_H
#define ZOID_CODELETS_OPS_RELAX_H

#define RELAX_Q SPLAT(PARAM(0) / (2 * D))
#define RELAX_KEEP SPLAT(1 - PARAM(0))

/* What a point adds to its neighbours: without a right-hand side, and with that of field 1. */
#define RELAX_REST (RELAX_KEEP * U(0, 0, 0, 0))
#define RELAX_REST_RHS FMA(RELAX_KEEP, U(0, 0, 0, 0), U(1, 0, 0, 0) * RELAX_Q)

#define RELAXED(rest, relaxed)                               \
    do {                                                     \
        VALUE after_ = U(0, 1, 0, 0);                        \
                                                             \
        if (D > 1)                                           \
            after_ = after_ + U(0, 0, 1, 0);                 \
        if (D > 2)                                           \
            after_ = after_ + U(0, 0, 0, 1);                 \
        relaxed = FMA(RELAX_Q, after_, rest);                \
        if (D > 2)                                           \
            relaxed = FMA(RELAX_Q, U(0, 0, 0, -1), relaxed); \
        if (D > 1)                                           \
            relaxed = FMA(RELAX_Q, U(0, 0, -1, 0), relaxed); \
        relaxed = FMA(RELAX_Q, U(0, -1, 0, 0), relaxed);     \
    } while (0)

#endif
