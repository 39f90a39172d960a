/* SPDX-License-Identifier: BSD-3-Clause */
/* The update of SOR (ops/sor.h) at `u` of type `here`, in rows and planes of `row` and `plane`
 * values, with the factors q and keep, which are computed once. The includer defines FMA, and D. */
#ifndef ZOID_CODELETS_WAVEFRONT_UPDATE_H
#define ZOID_CODELETS_WAVEFRONT_UPDATE_H

#include "codelets/ops/relax.h"

#define VALUE here
#define SPLAT(constant) ((here)(constant))
#define PARAM(number) omega
#define U(field, dx, dy, dz) u[(dx) + (dy)*row + (dz)*plane]

#define WAVEFRONT_FACTORS const here q = SPLAT(PARAM(0) / (2 * D)), keep = SPLAT(1 - PARAM(0))
#undef RELAX_Q
#undef RELAX_KEEP
#define RELAX_Q q
#define RELAX_KEEP keep

/* A point that is not `inside` is computed, too: loads do not wait for the test. */
#define WAVEFRONT_UPDATE(inside)      \
    do {                              \
        VALUE relaxed;                \
                                      \
        RELAXED(RELAX_REST, relaxed); \
        if (inside)                   \
            *u = relaxed;             \
    } while (0)

#endif
