/* SPDX-License-Identifier: BSD-3-Clause */
/* Relaxation of a point of Poisson's equation. The neighbours that precede the point in its order
 * are added last, so that the critical path from point to point is one fma. */
#ifndef ZOID_CODELETS_OPS_RELAX_H
#define ZOID_CODELETS_OPS_RELAX_H

#define RELAX_Q SPLAT(PARAM(0) / (2 * D))
#define RELAX_KEEP SPLAT(1 - PARAM(0))

/* The point's own term: without a right-hand side, and with that of field 1. */
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
