/* SPDX-License-Identifier: BSD-3-Clause */
/* Two stages, with faces and boxes that differ. */
void fields(int n, int m, int steps, double r, double a[n][m], double b[n][m], const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++)
            a[0][j] = 0.5 * t;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = a[i][j] - 0.5 * (b[i][j] - b[i - 1][j]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                b[i][j] = b[i][j] - r * k[i][j] * (a[i + 1][j] - a[i][j + 1]);
    }
#pragma endscop
}
