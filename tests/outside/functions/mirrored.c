/* SPDX-License-Identifier: BSD-3-Clause */
/* Down along one axis and up along the other, with a field beside it. */
void mirrored(int n, int m, int steps, double r, double a[n][m], double b[n][m],
              const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = n - 2; i >= 1; i--)
            for (int j = 1; j < m; j++)
                a[i][j] = r * (a[i + 1][j] + a[i][j - 1]) + k[i][j] * b[i][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                b[i][j] += a[i][j];
    }
#pragma endscop
}
