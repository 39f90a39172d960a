/* SPDX-License-Identifier: BSD-3-Clause */
/* Values chosen by all comparisons, of NaNs and zeros too, and functions. */
#include <math.h>

void choices_float(int n, int m, int steps, float r, float a[n][m], const float b[n][m],
                   const float k[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                float s = a[i - 1][j] < b[i][j] ? a[i][j + 1] : k[i][j];
                s += b[i][j] <= k[i][j] ? -a[i][j] : b[i][j + 1] > s ? fabsf(s) : -s;
                s *= a[i][j] >= k[i][j] ? 3 : a[i][j] == s ? 1 : 2;
                s = b[i][j] != k[i][j] ? s : sqrtf(s);
                a[i][j] = s - (t < 2 ? r : -s);
            }
#pragma endscop
}
