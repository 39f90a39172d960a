/* SPDX-License-Identifier: BSD-3-Clause */
void sor_1d(int n, int steps, double a[n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.33 * (a[i - 1] + a[i] + a[i + 1]);
#pragma endscop
}
