/* SPDX-License-Identifier: BSD-3-Clause */
/* How a row of ops.def becomes variants. The lists that a row names call their first argument once
 * for each of their elements, so a family expands to one
 *
 *     ZOID_VARIANT(variant, family, dims, radius, type, stages, initialisers...)
 *
 * for every combination, which the includer of ops.def defines. */
#ifndef ZOID_CODELETS_OPS_LISTS_H
#define ZOID_CODELETS_OPS_LISTS_H

#define DIMS_3(M, ...) M(3, __VA_ARGS__)

#define RADII_1(M, ...) M(1, __VA_ARGS__)

#define TYPES_F(M, ...) M(f32, __VA_ARGS__) M(f64, __VA_ARGS__)

/* Stages of a step. */
#define STAGES_1(M, ...) M(0, __VA_ARGS__)

#define ZOID_FAMILY(family, dims, radii, types, stages, ...) \
    dims(ZOID_EACH_RADIUS, family, radii, types, stages, __VA_ARGS__)
#define ZOID_EACH_RADIUS(nd, family, radii, types, stages, ...) \
    radii(ZOID_EACH_TYPE, nd, family, types, stages, __VA_ARGS__)
#define ZOID_EACH_TYPE(nr, nd, family, types, stages, ...) \
    types(ZOID_EACH_VARIANT, nr, nd, family, stages, __VA_ARGS__)
#define ZOID_EACH_VARIANT(type, nr, nd, family, stages, ...) \
    ZOID_VARIANT(family##nd##d_r##nr##_##type, family, nd, nr, type, stages, __VA_ARGS__)

/* In a row: the same reach in all directions of the operator's dimensions. */
#define AROUND(r)                                    \
    {                                                \
        .lo = ZOID_AXES_OF(r), .hi = ZOID_AXES_OF(r) \
    }
#define ZOID_AXES_OF(r)                       \
    {                                         \
        (r), D > 1 ? (r) : 0, D > 2 ? (r) : 0 \
    }

#define ZOID_PASTE(a, b) a##b
#define ZOID_JOIN(a, b) ZOID_PASTE(a, b)

#endif
