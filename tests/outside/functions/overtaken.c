/* SPDX-License-Identifier: BSD-3-Clause */
/* Three arrays that take turns, and one in place: values of the times before, in order. */
void overtaken(int n, int m, int steps, double r, double a[3][n][m], double b[n][m],
               const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m; j++) {
                a[(t + 1) % 3][i][j] = r * a[t % 3][i][j - 1] - b[i - 1][j] +
                                       k[i][j] * a[(t + 2) % 3][i + 1][j - 1] + a[t % 3][i + 1][j];
                b[i][j] += 0.5 * a[(t + 1) % 3][i][j];
            }
#pragma endscop
}
