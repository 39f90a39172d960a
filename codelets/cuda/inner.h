/* SPDX-License-Identifier: BSD-3-Clause */
/* Points that the domain's faces leave a stage to compute, whatever the box: each level of a fused
 * launch has a box of its own. */
#ifndef ZOID_CODELETS_CUDA_INNER_H
#define ZOID_CODELETS_CUDA_INNER_H

#include "graphs/zoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Farther than any launch reaches from its origin, in planes or points. */
enum { ZOID_CUDA_NEVER = 1 << 30 };

/* Returns the points that a stage computes of a field. At an open face they go on; at other faces
 * the outermost layers that the stage leaves out are missing. Bounds lie within ZOID_CUDA_NEVER of
 * `origin` along the chain axis and of 0 along the others. The box is empty (lo >= hi) if the
 * domain has no more layers; along axes beyond dims it is [0, 0). */
static inline struct zoid_box zoid_cuda_inner(const struct zoid_shape *shape,
                                              const struct zoid_reach *leaves, long origin)
{
    struct zoid_box inner = {};

    for (int a = 0; a < shape->dims; a++) {
        const long at = a == zoid_chain(shape) ? origin : 0;
        const long least = at - ZOID_CUDA_NEVER, most = at + ZOID_CUDA_NEVER;

        inner.lo[a] = zoid_face_open(shape, a, ZOID_LOW) ? least : zoid_max(leaves->lo[a], least);
        inner.hi[a] = zoid_face_open(shape, a, ZOID_HIGH)
                          ? most
                          : zoid_min(shape->n[a] - leaves->hi[a], most);
    }
    return inner;
}

#ifdef __cplusplus
}
#endif
#endif
