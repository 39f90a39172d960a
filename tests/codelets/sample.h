/* SPDX-License-Identifier: BSD-3-Clause */
/* Random cases and values for the tests of codelets/. */
#ifndef ZOID_TESTS_CODELETS_SAMPLE_H
#define ZOID_TESTS_CODELETS_SAMPLE_H

#include <stdint.h>

#include "codelets/op.h"

uint64_t sample_mix(uint64_t v);

/* lo <= value <= hi; every call moves the state on. */
long sample_between(uint64_t *state, long lo, long hi);

/* Element i of the random initial state. */
double sample_value(uint64_t seed, uint64_t i);
/* How many variants of operators there are. */
int sample_variants(void);
/* `count` elements from element `first` on, as the type holds them. */
void sample_fill(enum zoid_type type, uint64_t seed, uint64_t first, size_t count, void *out);
/* All fields of an operator, one after the other: a state that its steps keep finite. */
void sample_fields(const struct zoid_op *op, uint64_t seed, size_t points, void *out);
/* Random faces that the operator has, for the axes below `axes`. */
void sample_faces(const struct zoid_op *op, uint64_t *random, int axes, struct zoid_shape *shape);
/* Bytes that are a NaN in every floating type, and that no field should ever show. */
void sample_poison(void *out, size_t bytes);
/* malloc, or the end of the test. */
void *sample_memory(size_t bytes);

#endif
