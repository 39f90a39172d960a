/* SPDX-License-Identifier: BSD-3-Clause */
/* The language of point updates.
 *
 * ZOID_POINT(family) { ... } defines an update for one kind of VALUE: a scalar, or a vector of
 * neighbours along x. D (dimensions), R (radius) and S (stage) are constants in it. `at` is the
 * position: at->t is the time to compute, at->p[axis] the index of the (first) point, at->n[axis]
 * the size of the domain. All points of a vector have the same t, y and z: conditions on these are
 * plain C.
 *
 * A file that compiles updates defines ZOID_INLINE and `struct zoid_at` (with t, p, n and params),
 * and for each ZOID_VALUE for which it includes ops.def, the type value_X and the functions
 *
 *     fma_X(a, b, c)     splat_X(double)     load_X(at, D, field, dx, dy, dz)
 *     select_x_X(at, lo, hi, a, b)           put_X(at, field, value)
 *     every_other_X(at, D, parity, a, b)
 *     less_X(a, b, c, d)   at_most_X(a, b, c, d)   same_as_X(a, b, c, d)
 *     abs_X(a)   neg_X(a)   sqrt_X(a)
 *     constant_X(at, number)   table_X(at, number)
 *
 * and + - * / for real numbers. For integers, ZOID_INTEGERS_X is 1, and there are + - & | ^ and
 * equal_X(a, b) instead of fma_X and of the last two lines. If positions have several types,
 * updates are templates: ZOID_ANY_AT is `template <class At>`, and ZOID_AT is At. */
#ifndef ZOID_CODELETS_OPS_POINT_H
#define ZOID_CODELETS_OPS_POINT_H

#include "codelets/ops/lists.h"

#ifndef ZOID_AT
#define ZOID_AT struct zoid_at
#define ZOID_ANY_AT
#endif

#define ZOID_POINT(family)                                                \
    ZOID_ANY_AT ZOID_INLINE void ZOID_JOIN(zoid_##family##_, ZOID_VALUE)( \
        const ZOID_AT *at, const int D __attribute__((unused)),           \
        const int R __attribute__((unused)), const int S __attribute__((unused)))

#define VALUE ZOID_JOIN(value_, ZOID_VALUE)

/* a b + c, rounded once. Results are bitwise equal on all devices only if every product that is
 * added to another value is computed by FMA. */
#define FMA(a, b, c) ZOID_JOIN(fma_, ZOID_VALUE)(a, b, c)

/* Broadcasts a double to all points, rounded once. */
#define SPLAT(constant) ZOID_JOIN(splat_, ZOID_VALUE)(constant)

/* Loads a field at an offset from the point, at the time before. If the stage takes points in order
 * and writes the field: its value at the point's turn, before the first PUT. Outside the domain:
 * some value, valid to load but not to use. */
#define U(field, dx, dy, dz) ZOID_JOIN(load_, ZOID_VALUE)(at, D, field, dx, dy, dz)
#define ALONG(field, axis, distance)                                     \
    U(field, (axis) == 0 ? (distance) : 0, (axis) == 1 ? (distance) : 0, \
      (axis) == 2 ? (distance) : 0)

/* Sum of the two x neighbours of the point at offset (dy, dz). */
#define BOTH(field, dy, dz) (U(field, -1, dy, dz) + U(field, 1, dy, dz))

/* a if lo <= x < hi, otherwise b. */
#define SELECT_X(lo, hi, a, b) ZOID_JOIN(select_x_, ZOID_VALUE)(at, lo, hi, a, b)

/* a if the sum of the indices and `parity` are both even or both odd, otherwise b. */
#define EVERY_OTHER(parity, a, b) ZOID_JOIN(every_other_, ZOID_VALUE)(at, D, parity, a, b)

/* Returns c if a < b, a <= b, or a == b, otherwise d, bit for bit. As in C, comparisons with a NaN
 * are false, and -0 equals 0. */
#define LESS(a, b, c, d) ZOID_JOIN(less_, ZOID_VALUE)(a, b, c, d)
#define AT_MOST(a, b, c, d) ZOID_JOIN(at_most_, ZOID_VALUE)(a, b, c, d)
#define SAME_AS(a, b, c, d) ZOID_JOIN(same_as_, ZOID_VALUE)(a, b, c, d)

/* Returns a without its sign, and with the other sign, also of a NaN and of 0. */
#define ABS(a) ZOID_JOIN(abs_, ZOID_VALUE)(a)
#define NEG(a) ZOID_JOIN(neg_, ZOID_VALUE)(a)

/* Returns the square root, rounded once; a NaN as it is; below 0 the NaN of x86-64 processors. */
#define SQRT(a) ZOID_JOIN(sqrt_, ZOID_VALUE)(a)

/* For integers: 1 if a == b, otherwise 0. */
#define EQUAL(a, b) ZOID_JOIN(equal_, ZOID_VALUE)(a, b)

/* Stores the new value of a field that the stage writes. */
#define PUT(field, value) ZOID_JOIN(put_, ZOID_VALUE)(at, field, value)

/* A parameter by its index in the row's list, a double. It is constant over time; compute
 * time-dependent factors from it and at->t, in double, with + - * / only. */
#define PARAM(number) (at->params->value[number])

/* A constant of the row, by its index: it is computed when a run begins, and rounded to the type.
 */
#define CONSTANT(number) ZOID_JOIN(constant_, ZOID_VALUE)(at, number)

/* The value of a table of the run, by its index in the row's list, at the step of at->t. */
#define TABLE(number) ZOID_JOIN(table_, ZOID_VALUE)(at, number)

/* Unrolls a loop with constant bounds, so that offsets and coefficients are constants too. */
#define UNROLL _Pragma("GCC unroll 16")

#endif
