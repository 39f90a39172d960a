/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of the reference loop whose fields are accessed by role, as doubles. */
#ifndef ZOID_TESTS_CODELETS_RUN_PLAIN_H
#define ZOID_TESTS_CODELETS_RUN_PLAIN_H

#include "codelets/op.h"

struct plain {
    const struct zoid_op *op;
    struct zoid_params params;
    struct zoid_shape shape;
    long points, steps;
    void *fields, *spare, *result; /* result: the one of the two that holds the state */
};

/* All fields are 0, all faces of all axes are `boundary` unless the operator handles its own edges.
 * The variant must exist. The caller owns the memory and frees it with plain_destroy. */
struct plain plain_create(const struct zoid_op *op, const long n[ZOID_AXES],
                          enum zoid_boundary boundary);
void plain_destroy(struct plain *plain);
/* Runs from the initial state; call it once. */
void plain_run(struct plain *plain, long steps);
double plain_get(const struct plain *plain, int field, long i);
void plain_set(struct plain *plain, int field, long i, double value);
/* Coordinates p of point i of a field. */
void plain_place(const struct plain *plain, long i, long p[ZOID_AXES]);
long plain_index(const struct plain *plain, long x, long y, long z);

#endif
