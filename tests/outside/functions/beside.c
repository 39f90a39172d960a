/* SPDX-License-Identifier: BSD-3-Clause */
/* Two arrays that change places, and a third one. */
void beside(int n, int m, int steps, double r, double (*a)[m], double (*b)[m], double (*k)[m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = r * a[i + 1][j] + k[i][j] * b[i][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                k[i][j] = k[i][j] - b[i - 1][j];
        double(*c)[m] = a;
        a = b;
        b = c;
    }
#pragma endscop
}
