/* SPDX-License-Identifier: BSD-3-Clause */
void choose(long n, int steps, double limit, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (long i = 0; i <= n - 2; i += 1) {
            double d = fabs(b[i] - a[1 + i]), low = -limit;
            d = d > limit ? limit : d;
            a[i] -= fmax(low, sqrt(d)) / (t < 3 ? 1 : n / 2);
        }
#pragma endscop
}
