/* SPDX-License-Identifier: BSD-3-Clause */
/* Perfectly matched layers (ZOID_PML): points near a boundary have memory, read and written at
 * the point alone, once a time. At a distance d from the boundary, whose r outermost layers the
 * stencil leaves out, with L points of a layer, the reflection R, the shift F of the frequency in
 * cycles a step, the speed V of waves in points of the axis a step, and s = dx / h of the axis, in
 * double:
 *
 *     G = pi F    q = (r + L - d) / L     S = 4 V ln(1 / R) / (2 L)
 *     sigma = S (q q q)                   beta = sigma + G            beta' = 3 S (q q)
 *     a = exp(-beta)                      m = a - 1                   b = sigma / beta m
 *     aq = -beta' a                       bq = G beta' / (beta beta) m + sigma / beta aq
 *     da = aq (-1 / L s)                  db = bq (-1 / L s)          both negated at a high end
 *
 * a, b, da and db are rounded to the type once. After a stage has computed u(t + 1), with d1 the
 * first difference of order 2 r and d2 the second difference of u(t) along the axis, and the
 * coefficient c:
 *
 *     P = fma(b, d2, fma(db, d1, fma(da, psi, a P)))      with the old psi
 *     psi = fma(b, d1, a psi)
 *     zeta = fma(b, d2 + P, a zeta)                       with the new P
 *     u(t + 1) = fma(c, P + zeta, u(t + 1))
 *
 * Boundary by boundary, the low one before the high one, x before y before z; after layers that
 * absorb, before sponges. psi, P and zeta are 0 initially, and belong to the boundary. */
#ifndef ZOID_CODELETS_BLOCK_LAYER_H
#define ZOID_CODELETS_BLOCK_LAYER_H

#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of memory per point and boundary: psi, P and zeta. */
enum { ZOID_LAYER_VALUES = 3 };
/* Coefficients of an index: a, b, da and db. */
enum { ZOID_LAYER_COEFFICIENTS = 4 };

/* The layer at a boundary: indices [lo, hi) along its axis, of which a cell's window has [from,
 * to). In the memory of a plane psi of the point (x, y) lies at element `at` + x + y * `row`, and P
 * and zeta follow `apart` elements further each; x and y are 0 along axes that planes do not have.
 */
struct zoid_layer_face {
    bool there;
    long lo, hi, from, to;
    long at, row, apart;
};

/* All layers, and the layout of their memory. A piece of planes has, plane after plane:
 *  - for each boundary of y, if that is no chain axis: psi, P, zeta, each the layer's rows of the
 * layout;
 *  - for each boundary of x, if that is no chain axis: for each row of the domain, or of the
 * window, psi, P, zeta, each the layer's values, padded;
 *  - if the plane is in a layer along the chain axis: psi, P, zeta, each a plane. */
struct zoid_layers {
    bool any;
    int dims, chain;
    long points;
    struct zoid_layer_face face[ZOID_AXES][ZOID_SIDES];
    long beside; /* elements of a plane, without the planes of layers along the chain axis */
    long whole;  /* elements of a plane of a field */
};

/* Returns the layers of a run. `layout` is that of whole planes, or of a cell's; NULL: only indices
 * are set. */
struct zoid_layers zoid_layers_of(const struct zoid_op *op, const struct zoid_shape *shape,
                                  const struct zoid_params *params,
                                  const struct zoid_layout *layout);
#ifdef __CUDACC__
#define ZOID_ON_GPUS_TOO __host__ __device__
#else
#define ZOID_ON_GPUS_TOO
#endif

/* Returns the planes of [lo, hi) that layers along the chain axis have. */
ZOID_ON_GPUS_TOO static inline long zoid_layers_across(const struct zoid_layers *l, long lo,
                                                       long hi)
{
    long planes = 0;

    for (int side = 0; side < ZOID_SIDES; side++) {
        const struct zoid_layer_face *face = &l->face[l->chain][side];
        const long from = lo > face->lo ? lo : face->lo, to = hi < face->hi ? hi : face->hi;

        planes += face->there && to > from ? to - from : 0;
    }
    return planes;
}
/* Returns the elements of the memory of planes [lo, hi), and so of a piece that begins at plane lo
 * before plane hi. */
ZOID_ON_GPUS_TOO static inline long zoid_layers_elements(const struct zoid_layers *l, long lo,
                                                         long hi)
{
    return (hi - lo) * l->beside + ZOID_LAYER_VALUES * l->whole * zoid_layers_across(l, lo, hi);
}
/* Returns the element of psi of a point of `plane` in the layer at a boundary, in a piece that
 * begins at plane lo. */
ZOID_ON_GPUS_TOO static inline long zoid_layers_at(const struct zoid_layers *l,
                                                   const struct zoid_layer_face *face, long lo,
                                                   long plane, long x, long y)
{
    return zoid_layers_elements(l, lo, plane) + face->at + y * face->row + x;
}

/* Returns the reflection of a run's layers, given or by default. */
double zoid_layer_reflection(const struct zoid_params *params);
/* Writes a, b, da and db of index i of a layer, counted from its low end. */
void zoid_layer_coefficients(const struct zoid_params *params, int axis, int side, long i,
                             double coefficient[ZOID_LAYER_COEFFICIENTS]);
/* Returns the bytes of the table of those of all axes; initializes it in memory of the caller: for
 * each axis and index from the outermost point that is computed, those of a low boundary. */
size_t zoid_layer_bytes(const struct zoid_params *params);
void zoid_layer_make(const struct zoid_params *params, double *table);

/* Applies the layers to the values that a sweep's stage has written, and updates the memory of
 * these points. */
void zoid_layer_sweep(const struct zoid_sweep *sweep);

#ifdef __cplusplus
}
#endif
#endif
