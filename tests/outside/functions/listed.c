/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of a small array at fixed indices, by half steps where both arrays begin equal beyond
 * the box, and a product of long integers. */
void listed(int n, int m, int steps, float r, float a[n][m], float b[n][m], const float *k)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = k[0] * (a[i][j] + k[3] * a[i - 1][j]) + r * (steps * 100003l);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = k[0] * (b[i][j] + k[3] * b[i - 1][j]) + r * (steps * 100003l);
    }
#pragma endscop
}
