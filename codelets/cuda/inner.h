/* SPDX-License-Identifier: BSD-3-Clause */
/* Which points the domain's faces leave a stage to compute, whatever the box: in a launch of
 * several times every level has a box of its own. */
#ifndef ZOID_CODELETS_CUDA_INNER_H
#define ZOID_CODELETS_CUDA_INNER_H

#include "graphs/zoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Farther than any launch goes, from the plane that its planes are counted from. */
enum { ZOID_CUDA_NEVER = 1 << 30 };

/* Of a stage that looks so far. Beyond an open face points go on; at others those are left out that
 * look beyond, which is as many as the stage looks that way. Ends are within ZOID_CUDA_NEVER of
 * `origin` along the chain axis and of 0 along others. Empty where a low end is not below the high
 * one: then the domain is smaller than what the stage looks at. Along axes that there are not it is
 * [0, 0). */
static inline struct zoid_box zoid_cuda_inner(const struct zoid_shape *shape,
                                              const struct zoid_reach *reach, long origin)
{
    struct zoid_box inner = {};

    for (int a = 0; a < shape->dims; a++) {
        const long at = a == zoid_chain(shape) ? origin : 0;
        const long least = at - ZOID_CUDA_NEVER, most = at + ZOID_CUDA_NEVER;

        inner.lo[a] = zoid_face_open(shape, a, ZOID_LOW) ? least : zoid_max(reach->lo[a], least);
        inner.hi[a] =
            zoid_face_open(shape, a, ZOID_HIGH) ? most : zoid_min(shape->n[a] - reach->hi[a], most);
    }
    return inner;
}

#ifdef __cplusplus
}
#endif
#endif
