/* SPDX-License-Identifier: BSD-3-Clause */
/* A division by 0, in 3 steps, that a comparison of real numbers does not choose; and a table with
 * a value for each step but the first, which is read one back alone. */
void guarded(int n, int m, int steps, double r, double a[n][m], double b[n][m], const double *k)
{
#pragma scop
    for (int t = 1; t < steps; t++)
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = r * a[i - 1][j] + k[t - 1] + (steps == 3.0 ? b[i][j] : 7 / (steps - 3));
#pragma endscop
}
