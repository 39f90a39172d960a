/* SPDX-License-Identifier: BSD-3-Clause */
void sor_3d(int n, int m, int l, int steps, double a[n][m][l])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    a[i][j][k] =
                        0.14 * (a[i - 1][j][k] + a[i][j - 1][k] + a[i][j][k - 1] + a[i][j][k] +
                                a[i][j][k + 1] + a[i][j + 1][k] + a[i + 1][j][k]);
#pragma endscop
}
