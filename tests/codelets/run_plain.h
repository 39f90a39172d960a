/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of the reference loop, with fields that are read and written by role, as doubles. */
#ifndef ZOID_TESTS_CODELETS_RUN_PLAIN_H
#define ZOID_TESTS_CODELETS_RUN_PLAIN_H

#include "codelets/op.h"

struct plain {
    const struct zoid_op *op;
    struct zoid_params params;
    struct zoid_shape shape;
    long points, steps;
    void *fields, *spare, *result; /* result: whichever of the two holds the state */
};

/* All fields 0, all faces of all axes `boundary` unless the operator has edges of its own. The
 * variant must exist. */
struct plain plain_create(const struct zoid_op *op, const long n[ZOID_AXES],
                          enum zoid_boundary boundary);
void plain_destroy(struct plain *plain);
/* From the initial state; once. */
void plain_run(struct plain *plain, long steps);
double plain_get(const struct plain *plain, int field, long i);
void plain_set(struct plain *plain, int field, long i, double value);
/* Point i of a field is at p. */
void plain_place(const struct plain *plain, long i, long p[ZOID_AXES]);
long plain_index(const struct plain *plain, long x, long y, long z);

#endif
