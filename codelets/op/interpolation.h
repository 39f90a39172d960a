/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpolation between grid points. */
#ifndef ZOID_CODELETS_OP_INTERPOLATION_H
#define ZOID_CODELETS_OP_INTERPOLATION_H

#include "graphs/zoid.h"

/* An interpolation node: a grid point with its weight. */
struct zoid_interpolation_node {
    long at[ZOID_AXES];
    double weight;
};
enum { ZOID_INTERPOLATION_NODES = 1 << ZOID_AXES };

/* Computes the multilinear interpolation stencil of a position: up to 2^ZOID_AXES grid points with
 * nonzero weights, x fastest. Weights are products over the axes, in their order. Indices wrap
 * around along periodic axes. Returns the number of nodes. */
int zoid_interpolation_nodes(const struct zoid_shape *shape, const double at[ZOID_AXES],
                             struct zoid_interpolation_node corner[ZOID_INTERPOLATION_NODES]);

#endif
