/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that take turns, of which the newest is not read. */
void unread(int n, int m, int steps, double r, double a[2][n], double b[n], const double k[n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            a[(t + 1) % 2][i] = k[i - 1] - r * a[(t + 1) % 2][i];
#pragma endscop
}
