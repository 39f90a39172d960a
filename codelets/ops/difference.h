/* SPDX-License-Identifier: BSD-3-Clause */
/* Finite differences for operators. */
#ifndef ZOID_CODELETS_OPS_DIFFERENCE_H
#define ZOID_CODELETS_OPS_DIFFERENCE_H

/* Coefficients of the central second difference of order 2 r: u'' = sum over |i| <= r of c(r, |i|)
 * u(i), for 1 <= r <= 6, 0 <= i <= r. Folds to a constant if r and i are constants. */
ZOID_INLINE double zoid_second_difference(int r, int i)
{
    const double c[6][7] = {
        {-2.0, 1.0},
        {-5.0 / 2, 4.0 / 3, -1.0 / 12},
        {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90},
        {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560},
        {-5269.0 / 1800, 5.0 / 3, -5.0 / 21, 5.0 / 126, -5.0 / 1008, 1.0 / 3150},
        {-5369.0 / 1800, 12.0 / 7, -15.0 / 56, 10.0 / 189, -1.0 / 112, 2.0 / 1925, -1.0 / 16632},
    };

    return c[r - 1][i];
}

/* Coefficients of the central first difference of order 2 r: u' = sum over 1 <= i <= r of
 * e(r, i) (u(i) - u(-i)). */
ZOID_INLINE double zoid_first_difference(int r, int i)
{
    const double e[6][7] = {
        {0, 1.0 / 2},
        {0, 2.0 / 3, -1.0 / 12},
        {0, 3.0 / 4, -3.0 / 20, 1.0 / 60},
        {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280},
        {0, 5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260},
        {0, 6.0 / 7, -15.0 / 56, 5.0 / 63, -1.0 / 56, 1.0 / 385, -1.0 / 5544},
    };

    return e[r - 1][i];
}

/* Sum of the second differences of a field along all axes, accumulated one by one, from the nearest
 * points outwards. The row's constants begin with the weights (zoid_star_weight). */
#define SECOND_DIFFERENCES(field, acc)                                              \
    do {                                                                            \
        acc = CONSTANT(0) * U(field, 0, 0, 0);                                      \
        UNROLL                                                                      \
        for (int i_ = 1; i_ <= R; i_++) {                                           \
            UNROLL                                                                  \
            for (int axis_ = 0; axis_ < D; axis_++)                                 \
                acc = FMA(CONSTANT(1 + (i_ - 1) * D + axis_),                       \
                          ALONG(field, axis_, -i_) + ALONG(field, axis_, i_), acc); \
        }                                                                           \
    } while (0)

/* The first difference of order 4 at the midpoint between a point and the next one up an axis (up =
 * 1) or down (up = 0), from the two nearest points and the two beyond them. Linear: NEAR and FAR
 * terms of several differences may be summed first. */
#define STAGGERED_NEAR(field, axis, up) (ALONG(field, axis, up) - ALONG(field, axis, (up)-1))
#define STAGGERED_FAR(field, axis, up) (ALONG(field, axis, (up) + 1) - ALONG(field, axis, (up)-2))
#define STAGGERED(near, far) FMA(SPLAT(9.0 / 8), near, SPLAT(-1.0 / 24) * (far))

#endif
