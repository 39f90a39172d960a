/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops reach other ends of arrays without extents, and those that do not run read nothing. */
#include <math.h>

void reaching(int n, int m, int steps, double r, double *restrict a, double *restrict b,
              const double *restrict k)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] * r + b[i + 1];
        for (int i = 3; i < n - 3; i++)
            b[i] = b[i] - (t < 3 ? fmin(k[t], 0.5) : r);
        for (int i = 4; i < n - 4; i++)
            a[i] = a[i] + b[i + 6] / (n - 8) + (t < 2 ? k[t + 2] : m / (n - 8));
    }
#pragma endscop
}
