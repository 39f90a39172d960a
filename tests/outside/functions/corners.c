/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that take turns, in a box that leaves more than they look at, and at other faces. */
void corners(int n, int m, int steps, double r, double a[2][n][m], double b[n][m],
             const double k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n; i++)
            for (int j = 0; j < m - 3; j++)
                a[(t + 1) % 2][i][j] = r * a[t % 2][i - 1][j] + k[i][j] * a[t % 2][i][j + 1];
    }
#pragma endscop
}
