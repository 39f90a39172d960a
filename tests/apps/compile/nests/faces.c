/* SPDX-License-Identifier: BSD-3-Clause */
/* Values are carried to the faces, which the next step reads. */
void faces(int n, int m, int steps, double c, double a[n][m], double b[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i][j] + c * (a[i - 1][j] - a[i][j + 1]);
        for (int j = 0; j < m; j++) {
            b[0][j] = a[1][j];
            b[n - 1][j] = a[n - 2][j];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}
