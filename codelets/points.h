/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources add to a field while it is computed, and receivers look at one. Both are at places that
 * need not be points of the domain: a place is some of its points, with weights. */
#ifndef ZOID_CODELETS_POINTS_H
#define ZOID_CODELETS_POINTS_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place is counted in points, from the field's own point 0: of staggered fields each has its own.
 * 0 beyond the operator's dimensions. */

/* The step from s to s + 1 adds weight * series[s] to each point of the place, and nothing once the
 * series has ended; where the operator names a gain, the value of that coefficient at the point
 * times as much. In double, rounded once, after the stage that writes the field and after sponges.
 * Of sources that meet at a point the first one adds first. */
struct zoid_source {
    int field;
    double at[ZOID_AXES];
    long samples;
    const double *series; /* the caller's, who keeps it as long as what it was given to */
};

/* What a receiver sees of a step is the sum of weight * value over the points of its place, in
 * double, in their order. */
struct zoid_receiver {
    int field;
    double at[ZOID_AXES];
};

struct zoid_points {
    size_t sources, receivers;
    const struct zoid_source *source;
    const struct zoid_receiver *receiver;
};

/* A point of a place. */
struct zoid_corner {
    long at[ZOID_AXES];
    double weight;
};
enum { ZOID_CORNERS = 1 << ZOID_AXES };

/* The points of a place, x fastest: those around it that weigh something, and each as much along
 * every axis as the place is near it; the product is taken in the order of the axes. Returns how
 * many. Beyond the last point of a periodic axis comes the first one. */
int zoid_corners(const struct zoid_shape *shape, const double at[ZOID_AXES],
                 struct zoid_corner corner[ZOID_CORNERS]);

#ifdef __cplusplus
}
#endif
#endif
