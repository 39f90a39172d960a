/* SPDX-License-Identifier: BSD-3-Clause */
void sor(int n, int m, long steps, float omega, float (*restrict u)[m], const float k[n])
{
#pragma scop
    for (long t = 1; t <= steps; t++)
        for (int i = n - 2; i >= 1; i--)
            for (int j = 1; j < m - 1; ++j) {
                float s = u[i - 1][j] + u[i + 1][j];
                s += u[i][j - 1];
                u[i][j] =
                    (1 - omega) * u[i][j] + omega * 0.25f * (s + u[i][j + 1]) * k[i] * (t / 2);
            }
#pragma endscop
}
