/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain loop nest, as the reference for results. */
#ifndef ZOID_CODELETS_OP_REFERENCE_H
#define ZOID_CODELETS_OP_REFERENCE_H

#include <stdbool.h>

#include "codelets/points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of points from p on along x that a stage computes at time t. `from` has the fields of the
 * time before and the coefficients, `to` those that the stage writes, with the layout of
 * zoid_reference_run. */
struct zoid_loop {
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    long t, p[ZOID_AXES], count;
    bool inside;    /* the stencils of all its points are inside the domain */
    unsigned skips; /* bit f: field f has a box of its own, which has none of its points */
    const void *from[ZOID_MAX_FIELDS];
    void *to[ZOID_MAX_FIELDS];
};

/* Arguments of the plain loop nest: `steps` steps over whole fields, after `start` others. */
struct zoid_reference {
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    long start, steps;
    int threads;                      /* most threads of a stage */
    const struct zoid_points *points; /* sources and receivers, or NULL */
    /* Receivers' values, one row per state: first the initial one, then one after each step; NULL:
     * not recorded. */
    double *seen;
    void *memory; /* of layers that match: zoid_reference_memory bytes, zeros before time 0 */
};

/* Returns the bytes of the memory of perfectly matched layers (ZOID_PML); 0 without such
 * boundaries. */
size_t zoid_reference_memory(const struct zoid_op *op, const struct zoid_shape *shape,
                             const struct zoid_params *params);
/* Applies these layers to the points of a box of a field that a stage has computed, and updates
 * their memory. */
void zoid_reference_remember(const struct zoid_loop *loop, const struct zoid_box *box, int field,
                             void *memory);

/* Runs the loop nest; returns `state` or `spare`, the one with the result. `state` has the state
 * fields, then the coefficients, field after field, each n[2] * n[1] * n[0] points, x fastest,
 * without padding; coefficients that come in pieces are not included. `spare` has room for the
 * state fields. Both are the caller's. Fields are indexed as the stages number them, before and
 * after the run: zoid_op_stored maps a field after `start` and after all steps. */
void *zoid_reference_run(const struct zoid_reference *run, void *state, void *spare);

#ifdef __cplusplus
}
#endif
#endif
