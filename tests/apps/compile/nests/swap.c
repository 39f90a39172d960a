/* SPDX-License-Identifier: BSD-3-Clause */
void turns(int n, int steps, double *restrict a, double *restrict b)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        double *c = a;
        a = b;
        b = c;
    }
#pragma endscop
}
