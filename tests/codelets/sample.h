/* SPDX-License-Identifier: BSD-3-Clause */
/* Random cases and values for the tests of codelets/. */
#ifndef ZOID_TESTS_CODELETS_SAMPLE_H
#define ZOID_TESTS_CODELETS_SAMPLE_H

#include <stdint.h>

#include "codelets/op.h"

uint64_t sample_mix(uint64_t v);

/* Random integer in [lo, hi]; advances *state. */
long sample_between(uint64_t *state, long lo, long hi);

/* Element i of the random initial state. */
double sample_value(uint64_t seed, uint64_t i);
/* Number of operator variants. */
int sample_variants(void);
/* Number of these and of the variants of tests/outside/lopsided.def, and variant i of both. */
int sample_ops(void);
const struct zoid_op *sample_op(int i);
/* Returns the defaults of an operator, with unequal spacing, and a row of the tables of the run for
 * each of the first steps. */
struct zoid_params sample_params(const struct zoid_op *op);
/* Writes `count` elements from index `first`, in the representation of the type. */
void sample_fill(enum zoid_type type, uint64_t seed, uint64_t first, size_t count, void *out);
/* All fields of an operator, one after the other, with values that stay finite under its steps. */
void sample_fields(const struct zoid_op *op, uint64_t seed, size_t points, void *out);
/* Random boundary conditions that the operator supports, for the axes below `axes`. */
void sample_faces(const struct zoid_op *op, uint64_t *random, int axes, struct zoid_shape *shape);
/* Copies the value of the point that a point p, maybe beyond a face, stands for, with its sign
 * turned if that counts so. */
void sample_image(const struct zoid_op *op, const struct zoid_shape *shape, int field,
                  const long p[ZOID_AXES], const void *value, void *out);
/* Fills memory with bytes that are NaN in every floating type and that no field should ever
 * contain. */
void sample_poison(void *out, size_t bytes);
/* malloc; fails the test if there is no memory. */
void *sample_memory(size_t bytes);

#endif
