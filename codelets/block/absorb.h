/* SPDX-License-Identifier: BSD-3-Clause */
/* Absorbing boundaries (ZOID_ABSORB): damping layers without memory of their own. At a distance d
 * from the face, whose r outermost layers the stencil leaves out, with L points of a layer, the
 * reflection R and the speed V of waves in points of the axis a step:
 *
 *     q = (r + L - d) / L, at most 1          0 from d = r + L on
 *     x = 4 V ln(1 / R) / (2 L) (q q q)       in double
 *
 * If fields change roles from step to step, so that a stage writes u(t + 1) from u(t) and u(t - 1):
 *
 *     u(t + 1) = fma(m, u(t), k u(t + 1))     k = 1 / (1 + x), m = x / (1 + x), each rounded once
 *
 * Otherwise each value that a stage has written is multiplied by exp(-x), rounded once. Once per
 * face, the low one before the high one, x before y before z; before sponges. */
#ifndef ZOID_CODELETS_BLOCK_ABSORB_H
#define ZOID_CODELETS_BLOCK_ABSORB_H

#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns true if a boundary of the domain absorbs. */
bool zoid_absorbs(const struct zoid_shape *shape);
/* Writes k, or exp(-x), and m of n points of a layer along an axis, from index `first` on; index 0
 * is the outermost point that is computed. Lower indices have its factors; the highest index is
 * params->absorb.points - 1. */
void zoid_absorb_factors(const struct zoid_op *op, const struct zoid_params *params, int axis,
                         long first, long n, double *k, double *m);
/* Returns the bytes of the table of all these factors; initializes it in memory of the caller. */
size_t zoid_absorb_bytes(const struct zoid_params *params);
void zoid_absorb_make(const struct zoid_op *op, const struct zoid_params *params, double *table);

/* Returns the points of `box` in the layer at a boundary, for a field whose stage leaves out the
 * layers `leaves`. */
struct zoid_box zoid_absorb_box(const struct zoid_shape *shape, const struct zoid_params *params,
                                const struct zoid_reach *leaves, int axis, int side,
                                const struct zoid_box *box);
/* Returns the index in such a layer of index i of an axis. */
static inline long zoid_absorb_index(const struct zoid_shape *shape,
                                     const struct zoid_reach *leaves, int axis, int side, long i)
{
    return side == ZOID_LOW ? i - leaves->lo[axis] : shape->n[axis] - 1 - i - leaves->hi[axis];
}

/* Damps the values that a sweep's stage has written in such layers. */
void zoid_absorb_sweep(const struct zoid_sweep *sweep);

#ifdef __cplusplus
}
#endif
#endif
