/* SPDX-License-Identifier: BSD-3-Clause */
/* The central second difference of order 2 r: u'' = sum over |i| <= r of c(r, |i|) u(i). */
#ifndef ZOID_CODELETS_OPS_DIFFERENCE_H
#define ZOID_CODELETS_OPS_DIFFERENCE_H

/* c(r, i) for 1 <= r <= 6, 0 <= i <= r. Folds to a constant where r and i are constants. */
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

#endif
