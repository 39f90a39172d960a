/* SPDX-License-Identifier: BSD-3-Clause */
/* In place, with two coefficients and a parameter. */
void in_place(int n, int m, int steps, double r, double a[n][m], const double b[n][m],
              const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] += r * k[i][j] * (a[i - 1][j] + a[i][j + 1]) - b[i][j];
    }
#pragma endscop
}
