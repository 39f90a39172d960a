/* SPDX-License-Identifier: BSD-3-Clause */
/* In place, downwards along an axis, and two arrays of unlike boxes in a stage of any order. */
void downward(int n, int m, int steps, double r, double a[n][m], double b[n][m],
              const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            for (int j = m - 3; j >= 0; j--)
                a[i][j] = r * (a[i][j + 1] - a[i + 1][j]) + k[i][j];
        for (int i = 2; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                b[i][j] = b[i][j] + r * a[i - 2][j + 1];
        for (int j = 0; j < m; j++)
            b[0][j] = k[0][j];
        for (int i = 0; i < n - 10; i++)
            for (int j = 1; j < m; j++)
                b[i][j] = 0.5 * b[i][j];
    }
#pragma endscop
}
