/* SPDX-License-Identifier: BSD-3-Clause */
void heat_7(int n, int m, int steps, double a[n][m], double b[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.14 * (a[i - 1][j - 1] + a[i - 1][j] + a[i][j - 1] + a[i][j] +
                                  a[i][j + 1] + a[i + 1][j] + a[i + 1][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}
