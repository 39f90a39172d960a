/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the run: an array by the time, from 1, before and after it, in a face and in a box, and
 * integers that are no extents. */
void driven(int n, int m, int steps, double r, double a[n][m], double b[n][m], const double *k)
{
#pragma scop
    for (int t = 1; t <= steps; t++) {
        for (int j = 0; j < m; j++)
            a[0][j] = k[t];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = r * a[i][j] + k[t + 1] * b[i - 1][j] + 1 / (steps + 1.0);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                b[i][j] = a[i][j - 1] - b[i][j] * (7 * (t - steps) / 2 < t - 3 ? t : steps / 2) -
                          k[t - 1];
    }
#pragma endscop
}
