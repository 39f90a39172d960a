/* SPDX-License-Identifier: BSD-3-Clause */
/* What the point update of an operator is written in.
 *
 * ZOID_POINT(family) { ... } defines it for one kind of VALUE: a scalar, or a vector of
 * neighbours along x. D (dimensions), R (radius) and S (stage) are constants in it, `at` is where
 * it stands: at->t is the time it computes, at->p[axis] the coordinates of the (first) point,
 * at->n[axis] the size of the domain. All points of a vector have the same t, y and z: conditions
 * on these are plain C.
 *
 * Whoever compiles updates defines ZOID_INLINE and `struct zoid_at` (with t, p, n and params), and
 * for each ZOID_VALUE it includes ops.def with the type value_X and the functions
 *
 *     fma_X(a, b, c)     splat_X(double)     load_X(at, D, field, dx, dy, dz)
 *     select_x_X(at, lo, hi, a, b)           put_X(at, field, value)
 *     every_other_X(at, D, parity, a, b)
 *
 * and with + - * / where values are real numbers; where they are integers, ZOID_INTEGERS_X is 1,
 * and there are + - & | ^ and equal_X(a, b) instead of fma_X. Where there are places of several
 * types, updates are templates: ZOID_ANY_AT is `template <class At>`, and ZOID_AT is At. */
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

/* a b + c, rounded once. Results are the same everywhere only if every product that is added to
 * something goes through here. */
#define FMA(a, b, c) ZOID_JOIN(fma_, ZOID_VALUE)(a, b, c)

/* A double that is the same for all points, rounded once. */
#define SPLAT(constant) ZOID_JOIN(splat_, ZOID_VALUE)(constant)

/* A field at an offset from the point, at the time before; where the stage takes points in order,
 * of a field that it writes, what is there when the point's turn has come, before its first PUT.
 * Beyond the domain it is some number, that may be loaded but not used. */
#define U(field, dx, dy, dz) ZOID_JOIN(load_, ZOID_VALUE)(at, D, field, dx, dy, dz)
#define ALONG(field, axis, distance)                                     \
    U(field, (axis) == 0 ? (distance) : 0, (axis) == 1 ? (distance) : 0, \
      (axis) == 2 ? (distance) : 0)

/* The sum of the two neighbours along x of the point beside which it stands. */
#define BOTH(field, dy, dz) (U(field, -1, dy, dz) + U(field, 1, dy, dz))

/* a where lo <= x < hi, b elsewhere. */
#define SELECT_X(lo, hi, a, b) ZOID_JOIN(select_x_, ZOID_VALUE)(at, lo, hi, a, b)

/* a where the coordinates' sum and `parity` are even together or odd together, b elsewhere. */
#define EVERY_OTHER(parity, a, b) ZOID_JOIN(every_other_, ZOID_VALUE)(at, D, parity, a, b)

/* For integers: 1 where a and b are the same, 0 elsewhere. */
#define EQUAL(a, b) ZOID_JOIN(equal_, ZOID_VALUE)(a, b)

/* The new value of a field that the stage writes. */
#define PUT(field, value) ZOID_JOIN(put_, ZOID_VALUE)(at, field, value)

/* A parameter by its place in the row's list, a double. It is the same at all times; what shall
 * differ from time to time is made of it and of at->t, in double, with + - * / alone. */
#define PARAM(number) (at->params->value[number])

/* Before a loop whose bounds are constants: offsets and coefficients then are constants too. */
#define UNROLL _Pragma("GCC unroll 16")

#endif
