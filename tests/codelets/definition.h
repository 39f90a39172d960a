/* SPDX-License-Identifier: BSD-3-Clause */
/* A second implementation of the operators, from docs/operators.md and independent of
 * codelets/ops/: in long double, with fields by role and boundaries by definition. */
#ifndef ZOID_TESTS_CODELETS_DEFINITION_H
#define ZOID_TESTS_CODELETS_DEFINITION_H

#include "tests/codelets/weights.h"

struct definition {
    const struct zoid_op *op;
    const struct zoid_shape *shape; /* the domain and its faces */
    struct zoid_params params;
    struct weights weights;
    long step; /* steps done */
    long double *field[ZOID_MAX_FIELDS];
};

/* Fields are zero-initialised; the rest is as given. Fails the test if the family has no
 * definition. Owned by the caller, who frees it with definition_destroy. */
struct definition *definition_create(const struct zoid_op *op, const struct zoid_shape *shape,
                                     const struct zoid_params *params);
void definition_destroy(struct definition **definition);
long definition_points(const struct zoid_shape *shape);
/* Coordinates p of point i of a field. */
void definition_place(const struct zoid_shape *shape, long i, long p[ZOID_AXES]);
void definition_step(struct definition *definition);

/* Initial value of a field for the random value `value` in [0, 1). */
double definition_initial(const struct zoid_op *op, int field, double value);

/* Element i of a field in a plain array of the operator's type. */
double definition_get(const struct zoid_op *op, const void *field, long i);
void definition_set(const struct zoid_op *op, void *field, long i, double value);
/* Machine epsilon of the operator's type; 0 for integers. */
double definition_epsilon(const struct zoid_op *op);

#endif
