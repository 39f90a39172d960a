/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that take turns by a swap, and a profile. */
void swapped(int n, int m, int steps, float r, float (*a)[m], float (*b)[m], const float *k)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i][j] + r * k[i] * (a[i - 1][j] - a[i + 1][j]);
        float(*c)[m] = a;
        a = b;
        b = c;
    }
#pragma endscop
}
