/* SPDX-License-Identifier: BSD-3-Clause */
/* Both loops run down, and the slower index is the inner one. */
void backwards(int n, int m, int steps, double *a)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int j = m - 1; j > 0; j--)
            for (int i = n - 1; i >= 1; --i)
                a[i * m + j] = 0.5 * (a[i * m + j - 1] + a[(i - 1) * m + j]);
#pragma endscop
}
