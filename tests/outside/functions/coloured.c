/* SPDX-License-Identifier: BSD-3-Clause */
/* Two colours. */
void coloured(int n, int m, int steps, double r, double a[n][m], double b[n][m],
              const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == 0)
                    a[i][j] = r * (a[i - 1][j] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == 1)
                    a[i][j] = r * (a[i - 1][j] + a[i][j + 1]);
    }
#pragma endscop
}
