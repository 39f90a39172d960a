/* SPDX-License-Identifier: BSD-3-Clause */
/* Two arrays that take turns at points of one colour, and another one that reads them. */
void blinking(int n, int m, int steps, double r, double a[2][n][m], double b[n][m],
              const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                if ((i + j) % 2 == 1)
                    a[(t + 1) & 1][i][j] = r * a[t & 1][i][j] + k[i][j + 1] - b[i][j];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = b[i][j] * r - a[(t + 1) & 1][i - 1][j];
    }
#pragma endscop
}
