/* SPDX-License-Identifier: BSD-3-Clause */
/* What the CPU traversals share: the walk of a sweep over planes and bundles of rows. What it does
 * with a bundle is compiled once per instruction set, type and operator; see traverse.c. */
#ifndef ZOID_CODELETS_CPU_WALK_H
#define ZOID_CODELETS_CPU_WALK_H

#include "codelets/sweep.h"

/* Planes that a bundle can span: neighbours along the chain axis share most of what they read. */
enum { ZOID_ABREAST = 2 };

/* Rows of one plane, or of ZOID_ABREAST consecutive ones, none of them in the layers that the
 * stage's reach leaves out; and then of the planes above, and so on, `times` times, all that is
 * pointed to lying that many planes further on. In 1-D, where a plane is a point, one row that is a
 * part of the line. */
struct zoid_bundle {
    const struct zoid_params *params;
    const struct zoid_layout *layout;
    const long *n; /* the domain */
    long t, plane; /* the lowest plane's coordinate */
    long times;
    long lo[2], hi[2];       /* x and y to write */
    long inner_lo, inner_hi; /* x to compute, within lo ... hi; the rest is carried */
    /* Field f of plane + i is in[f][ZOID_MAX_REACH + i]; those that the stage reads. */
    const void *in[ZOID_MAX_FIELDS][2 * ZOID_MAX_REACH + ZOID_ABREAST];
    const void *kept[ZOID_ABREAST][ZOID_MAX_FIELDS]; /* what is carried into those it writes */
    void *out[ZOID_ABREAST];
    size_t out_field;
};

typedef void zoid_bundle_fn(const struct zoid_bundle *bundle);

/* For each stage, what computes the fields that it writes: [0] of one plane, [1] of ZOID_ABREAST.
 */
typedef zoid_bundle_fn *const zoid_bundle_pair[2];

void zoid_walk(const struct zoid_sweep *sweep, zoid_bundle_pair *stage);

#endif
