/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that take turns by %, from time 3. */
void turns(int n, int m, int steps, double r, double a[2][n][m], double b[n][m],
           const double k[n][m])
{
#pragma scop
    for (int t = 3; t < steps + 3; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[(t + 1) % 2][i][j] = r * a[t % 2][i - 1][j] + k[i][j] * a[t % 2][i][j + 1] + t;
    }
#pragma endscop
}
