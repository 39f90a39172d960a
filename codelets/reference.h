/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain loop nest that results are compared with. */
#ifndef ZOID_CODELETS_REFERENCE_H
#define ZOID_CODELETS_REFERENCE_H

#include <stdbool.h>

#include "codelets/points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One row of points, from p on along x, that a stage computes at time t: the fields of the time
 * before and the coefficients are in `from`, those that it writes in `to`, as for
 * zoid_reference_run. */
struct zoid_loop {
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    long t, p[ZOID_AXES], count;
    bool inside; /* everything that the points read lies in the domain */
    const void *from[ZOID_MAX_FIELDS];
    void *to[ZOID_MAX_FIELDS];
};

/* The plain loop nest: `steps` steps over whole fields, after `start` others. */
struct zoid_reference {
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    long start, steps;
    int threads;                      /* at most, for each stage */
    const struct zoid_points *points; /* NULL: none */
    /* What their receivers see, a row of all of them after each step, the first before any; NULL:
     * nobody wants it. */
    double *seen;
};

/* `state` has the state fields and then the coefficients, field after field, each n[2] * n[1] *
 * n[0] points, x fastest, no padding, but no coefficients that come in pieces; `spare` has room for
 * the state fields. Whichever of the two
 * holds the result is returned. State fields are those that the stages number, before as after: a
 * field is where zoid_op_stored has it after as many steps. */
void *zoid_reference_run(const struct zoid_reference *run, void *state, void *spare);

#ifdef __cplusplus
}
#endif
#endif
