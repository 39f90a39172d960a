/* SPDX-License-Identifier: BSD-3-Clause */
/* One field by half steps, where both arrays begin equal beyond the box. */
void halves(int n, int m, int steps, float r, float a[n][m], float b[n][m], const float *k)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = r * (a[i][j] + a[i - 1][j] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = r * (b[i][j] + b[i - 1][j] + b[i][j + 1]);
    }
#pragma endscop
}
