/* SPDX-License-Identifier: BSD-3-Clause */
/* The operators a second time, written from docs/operators.md and not from codelets/ops/: in long
 * double, with fields by their roles and boundaries by what they mean. */
#ifndef ZOID_TESTS_CODELETS_DEFINITION_H
#define ZOID_TESTS_CODELETS_DEFINITION_H

#include "tests/codelets/weights.h"

struct definition {
    const struct zoid_op *op;
    const struct zoid_shape *shape; /* the domain and its faces */
    struct zoid_params params;
    struct weights weights;
    long step; /* how many are done */
    long double *field[ZOID_MAX_FIELDS];
};

/* Fields are 0; the rest is as given. Fails the test if nobody has defined the family. */
struct definition *definition_create(const struct zoid_op *op, const struct zoid_shape *shape);
void definition_destroy(struct definition **definition);
long definition_points(const struct zoid_shape *shape);
/* Where point i of a field lies. */
void definition_place(const struct zoid_shape *shape, long i, long p[ZOID_AXES]);
void definition_step(struct definition *definition);

/* What an initial state has in a field where its value in [0, 1) is `value`. */
double definition_initial(const struct zoid_op *op, int field, double value);

/* Element i of a field in a plain array of the operator's type. */
double definition_get(const struct zoid_op *op, const void *field, long i);
void definition_set(const struct zoid_op *op, void *field, long i, double value);
/* The distance from 1 to the next number of the operator's type; 0 for integers. */
double definition_epsilon(const struct zoid_op *op);

#endif
