/* SPDX-License-Identifier: BSD-3-Clause */
/* Three times. */
void waves(int n, int m, int steps, double u[3][n][m], const double c[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 2) % 3][i][j] =
                    2 * u[(t + 1) % 3][i][j] - u[t % 3][i][j] +
                    c[i][j] * (u[(t + 1) % 3][i - 1][j] + u[(t + 1) % 3][i + 1][j] +
                               u[(t + 1) % 3][i][j - 1] + u[(t + 1) % 3][i][j + 1] -
                               4 * u[(t + 1) % 3][i][j]);
#pragma endscop
}
