/* SPDX-License-Identifier: BSD-3-Clause */
/* The example of the literature on tile shapes: an anti-dependence hinders. */
void example(int n, int steps, double a[n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n - 1; i++)
            a[i] = 0.5 * (a[i] + a[i + 1]);
#pragma endscop
}
