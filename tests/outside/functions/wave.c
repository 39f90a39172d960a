/* SPDX-License-Identifier: BSD-3-Clause */
/* Two times before the new one, in two arrays. */
void wave(int n, int m, int steps, double r, double a[2][n][m], double b[n][m],
          const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[(t + 1) % 2][i][j] = 2 * a[t % 2][i][j] - a[(t + 1) % 2][i][j] +
                                       k[i][j] * (a[t % 2][i - 1][j] - a[t % 2][i][j + 1]);
    }
#pragma endscop
}
