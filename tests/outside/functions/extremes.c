/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's functions of two values, of which one may be a NaN. */
#include <math.h>

void extremes(int n, int m, int steps, double r, double a[n][m], double b[n][m], const double *k)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = fmin(a[i][j - 1], a[i][j + 1]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = -fmax(b[i][j - 1], fabs(b[i][j + 1]));
    }
#pragma endscop
}
