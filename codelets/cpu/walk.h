/* SPDX-License-Identifier: BSD-3-Clause */
/* Traversal of a sweep on a core, by planes and bundles of rows. The function for a bundle is
 * compiled once per instruction set, type and operator; see traverse.c. */
#ifndef ZOID_CODELETS_CPU_WALK_H
#define ZOID_CODELETS_CPU_WALK_H

#include "codelets/sweep.h"

/* Most planes of a bundle: neighbours along the chain axis share most of their loads. */
enum { ZOID_ABREAST = 2 };

/* A bundle: rows of one plane, or of ZOID_ABREAST consecutive ones, in which the stage computes
 * points. Repeated `times` times, for the planes above; all pointers then advance
 * by that many planes. In 1-D, where a plane is a point, one row that is a part of the line. */
struct zoid_bundle {
    const struct zoid_params *params;
    const double *tables; /* their row at t; set by the function for a bundle */
    const struct zoid_layout *layout;
    const long *n; /* size of the domain */
    long t, plane; /* index of the lowest plane */
    long times;
    long lo[2], hi[2]; /* x and y to write */
    /* x at which all written fields are computed from points inside the domain. Empty: there is
     * none, or rows that the stage reads are outside. */
    struct zoid_range whole;
    /* x to compute of each field that has a box of its own; otherwise those in `whole`. Others are
     * carried. */
    struct zoid_range computed[ZOID_MAX_FIELDS];
    /* in[f][ZOID_MAX_REACH + i] is field f of plane + i, for the planes that the stage reads; any
     * plane for those outside the domain. */
    const void *in[ZOID_MAX_FIELDS][2 * ZOID_MAX_REACH + ZOID_ABREAST];
    const void *kept[ZOID_ABREAST][ZOID_MAX_FIELDS]; /* carried into fields that it writes */
    void *out[ZOID_ABREAST];
    size_t out_field;
};

typedef void zoid_bundle_fn(const struct zoid_bundle *bundle);

/* Functions per stage: [0] for one plane, [1] for ZOID_ABREAST. */
typedef zoid_bundle_fn *const zoid_bundle_pair[2];

void zoid_walk(const struct zoid_sweep *sweep, zoid_bundle_pair *stage);

#endif
