/* SPDX-License-Identifier: BSD-3-Clause */
/* Two fields in one body: in place, and the second reads the first's new value. */
void body(int n, int steps, double u[n][n], double v[n][n], double damp)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n - 1; j++) {
                double s = u[i - 1][j] + u[i][j + 1];
                s *= damp;
                u[i][j] = 0.5 * (s + v[i - 1][j]);
                v[i][j] = v[i][j] - u[i][j];
            }
#pragma endscop
}
