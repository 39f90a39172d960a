/* SPDX-License-Identifier: BSD-3-Clause */
void wave(int n, int steps, double u[2][n][n], const double c[n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[(t + 1) % 2][i][j] =
                    2 * u[t % 2][i][j] - u[(t + 1) % 2][i][j] +
                    c[i][j] * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j] - 2 * u[t % 2][i][j]);
#pragma endscop
}
