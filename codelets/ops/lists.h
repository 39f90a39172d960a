/* SPDX-License-Identifier: BSD-3-Clause */
/* Expansion of rows of ops.def into variants. The lists in a row call their first argument once per
 * element, so a family expands to one
 *
 *     ZOID_VARIANT(variant, family, dims, radius, type, stages, initialisers...)
 *
 * for every combination. The file that includes ops.def defines ZOID_VARIANT. */
#ifndef ZOID_CODELETS_OPS_LISTS_H
#define ZOID_CODELETS_OPS_LISTS_H

#define DIMS_1(M, ...) M(1, __VA_ARGS__)
#define DIMS_2(M, ...) M(2, __VA_ARGS__)
#define DIMS_3(M, ...) M(3, __VA_ARGS__)
#define DIMS_ALL(M, ...) DIMS_1(M, __VA_ARGS__) DIMS_2(M, __VA_ARGS__) DIMS_3(M, __VA_ARGS__)

#define RADII_1(M, ...) M(1, __VA_ARGS__)
#define RADII_2(M, ...) M(2, __VA_ARGS__)
#define RADII_1_TO_6(M, ...) \
    M(1, __VA_ARGS__)        \
    M(2, __VA_ARGS__)        \
    M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(5, __VA_ARGS__) M(6, __VA_ARGS__)

#define TYPES_F(M, ...) M(f32, __VA_ARGS__) M(f64, __VA_ARGS__)
#define TYPES_U8(M, ...) M(u8, __VA_ARGS__)

/* Stages, all of them in a step. */
#define STAGES_1(M, ...) M(0, __VA_ARGS__)
#define STAGES_2(M, ...) M(0, __VA_ARGS__) M(1, __VA_ARGS__)
/* Alternating stages, one per step: fields 0 and 1 of the first are fields 1 and 0 of the second.
 */
#define TURNS_2(M, ...) STAGES_2(M, __VA_ARGS__)
#define ZOID_STEP_STAGES_1 1
#define ZOID_STEP_STAGES_2 2
#define ZOID_STEP_TURNS_2 1

/* Names of variants: of ZOID_FAMILY with dimensions, radius and type, like heat3d_r1_f32; of
 * ZOID_SINGLE, whose lists of dimensions and radii have one element each, like box27_f32. */
#define ZOID_FAMILY(family, dims, radii, types, stages, ...) \
    dims(ZOID_EACH_RADIUS, FULL, family, radii, types, stages, __VA_ARGS__)
#define ZOID_SINGLE(family, dims, radii, types, stages, ...) \
    dims(ZOID_EACH_RADIUS, SHORT, family, radii, types, stages, __VA_ARGS__)
#define ZOID_EACH_RADIUS(nd, naming, family, radii, types, stages, ...) \
    radii(ZOID_EACH_TYPE, nd, naming, family, types, stages, __VA_ARGS__)
#define ZOID_EACH_TYPE(nr, nd, naming, family, types, stages, ...) \
    types(ZOID_EACH_VARIANT, nr, nd, naming, family, stages, __VA_ARGS__)
#define ZOID_EACH_VARIANT(type, nr, nd, naming, family, ...) \
    ZOID_NAMED_##naming(family, nd, nr, type, __VA_ARGS__)
#define ZOID_NAMED_FULL(family, nd, nr, type, ...) \
    ZOID_VARIANT(family##nd##d_r##nr##_##type, family, nd, nr, type, __VA_ARGS__)
#define ZOID_NAMED_SHORT(family, nd, nr, type, ...) \
    ZOID_VARIANT(family##_##type, family, nd, nr, type, __VA_ARGS__)

/* Defined for integer values, by the name in ZOID_VALUE: they have other families than real
 * numbers. */
#define ZOID_INTEGERS_u8 1

/* In a row: the same reach in all directions of the operator's dimensions. */
#define AROUND(r)                                    \
    {                                                \
        .lo = ZOID_AXES_OF(r), .hi = ZOID_AXES_OF(r) \
    }
#define ZOID_AXES_OF(r)                       \
    {                                         \
        (r), D > 1 ? (r) : 0, D > 2 ? (r) : 0 \
    }

/* Returns |c0| + 2 (|c1| + ... + |cr|) of the second difference: the magnitude of its response to
 * alternating values. */
double zoid_second_differences(int radius);
struct zoid_op;
/* Returns the number of weights of the star stencil of second differences: at index 0 that of the
 * point, then, by distance, those along each axis. And returns the weight with an index, which for
 * a spacing h is times (h[0] / h[axis])^2. */
int zoid_star_weights(const struct zoid_op *op);
double zoid_star_weight(const struct zoid_op *op, const double *h, int i);
/* Returns the sum of (h[0] / h[axis])^2 over the axes. */
double zoid_star_axes(const struct zoid_op *op, const double *h);

/* Initial values, stability and constants, before the rows and in them. Only the table defines
 * ZOID_TABLE. */
#ifdef ZOID_TABLE
#define ZOID_FILL(name, of_v)                                        \
    static inline void zoid_fill_##name(size_t count, double *value) \
    {                                                                \
        for (size_t i = 0; i < count; i++) {                         \
            const double v = value[i];                               \
                                                                     \
            value[i] = of_v;                                         \
        }                                                            \
    }
#define FILL(name) zoid_fill_##name
/* The same for stability: `squared` is an expression of op, the parameters p and a point's
 * coefficients c. */
#define ZOID_STABILITY(name, squared)                                                             \
    static inline double zoid_stability_##name(const struct zoid_op *op,                          \
                                               const struct zoid_params *params, const double *c) \
    {                                                                                             \
        const double *p = params->value, *h = params->spacing;                                    \
                                                                                                  \
        (void)op, (void)p, (void)h, (void)c;                                                      \
        return squared;                                                                           \
    }
#define STABILITY(name) zoid_stability_##name
/* The same for speeds of waves. */
#define ZOID_SPEED(name, of_waves)                                                            \
    static inline double zoid_speed_##name(const struct zoid_op *op,                          \
                                           const struct zoid_params *params, const double *c) \
    {                                                                                         \
        const double *p = params->value;                                                      \
                                                                                              \
        (void)op, (void)p, (void)c;                                                           \
        return of_waves;                                                                      \
    }
#define SPEED(name) zoid_speed_##name
/* The same for constants: `count` of them, of which `of_i` is number i, expressions of op, p and
 * the spacing h. */
#define ZOID_CONSTANTS(name, count, of_i)                                                       \
    static inline int zoid_constants_##name(const struct zoid_op *op,                           \
                                            const struct zoid_params *params, double *constant) \
    {                                                                                           \
        const double *p = params->value, *h = params->spacing;                                  \
        const int n = (count);                                                                  \
                                                                                                \
        (void)op, (void)p, (void)h;                                                             \
        for (int i = 0; i < n && i < ZOID_MAX_CONSTANTS; i++)                                   \
            constant[i] = of_i;                                                                 \
        return n;                                                                               \
    }
#define CONSTANTS(name) zoid_constants_##name
/* Runner of sweeps in order in SIMD lanes, for the updates that lanes support: see cpu/lanes.h. */
extern const struct zoid_block_runner *const zoid_lane_runners[];
#define IN_LANES zoid_lane_runners
#else
#define ZOID_FILL(name, of_v)
#define FILL(name) NULL
#define ZOID_STABILITY(name, squared)
#define STABILITY(name) NULL
#define ZOID_SPEED(name, of_waves)
#define SPEED(name) NULL
#define ZOID_CONSTANTS(name, count, of_i)
#define CONSTANTS(name) NULL
#define IN_LANES NULL
#endif

#define ZOID_PASTE(a, b) a##b
#define ZOID_JOIN(a, b) ZOID_PASTE(a, b)

#endif
