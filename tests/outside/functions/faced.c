/* SPDX-License-Identifier: BSD-3-Clause */
/* In place, with faces that look at points beside them, and a division that small arrays forbid. */
void faced(int n, int m, int steps, double r, double a[n][m], double b[n][m], const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = r * a[i - 1][j] + k[i][j] * (6 / (n - 1));
        for (int j = 0; j < m; j++)
            a[0][j] = a[1][j];
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                b[i][j] = a[i][j - 1] - b[i][j] / (1 + t / n);
        for (int i = 0; i < n; i++)
            b[i][1] = a[i][2] * (m / (n - 1));
    }
#pragma endscop
}
