/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources, which add to a field during the computation, and receivers, which sample one. Their
 * positions need not be grid points: each is interpolated from some grid points, with weights. */
#ifndef ZOID_CODELETS_POINTS_H
#define ZOID_CODELETS_POINTS_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Positions are in units of points, from the field's own point 0: staggered fields have different
 * origins. 0 beyond the operator's dimensions. */

/* The step from s to s + 1 adds weight * series[s] to each interpolation node of the position, and
 * nothing after the end of the series. If the operator has a gain, the term is multiplied by that
 * coefficient at the point. Computed in double and rounded once, after the stage that writes the
 * field and after sponges. Sources that share a point add in their order. */
struct zoid_source {
    int field;
    double at[ZOID_AXES];
    long samples;
    const double *series; /* the caller's; must outlive the object that the source was passed to */
};

/* A receiver records, per step, the sum of weight * value over the interpolation nodes of its
 * position, in double, in their order. */
struct zoid_receiver {
    int field;
    double at[ZOID_AXES];
};

struct zoid_points {
    size_t sources, receivers;
    const struct zoid_source *source;
    const struct zoid_receiver *receiver;
};

#ifdef __cplusplus
}
#endif
#endif
