/* SPDX-License-Identifier: BSD-3-Clause */
/* The same in three. */
void thirds(int n, int m, int steps, double r, double a[3][n][m], double b[n][m],
            const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[(t + 1) % 3][i][j] = a[t % 3][i][j] - r * a[(t + 2) % 3][i][j] +
                                       k[i][j] * (a[t % 3][i - 1][j] - a[t % 3][i][j + 1]);
    }
#pragma endscop
}
