/* SPDX-License-Identifier: BSD-3-Clause */
/* In place, in boxes that differ: two arrays in one sweep, a face, and a sweep of one of them. */
void ordered(int n, int m, int steps, float r, float a[n][m], float b[n][m], const float k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m - 2; j++) {
                a[i][j] = 0.25f * (a[i - 1][j] + a[i][j + 1]) + r * k[i][j];
                b[i][j] = b[i][j] * 0.5f - a[i][j];
            }
        for (int i = 0; i < n; i++)
            a[i][m - 1] = 0.5f * b[i][m - 1];
        for (int i = 0; i < n - 1; i++)
            for (int j = 3; j < m; j++)
                b[i][j] = 0.5f * b[i][j - 2] + k[i + 1][j - 1];
    }
#pragma endscop
}
