/* SPDX-License-Identifier: BSD-3-Clause */
void red_black(int n, int steps, double *u)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                if ((i + j) % 2 == 0)
                    u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] +
                                           u[i * n + j - 1] + u[i * n + (j + 1)]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                if ((i + j) % 2 == 1)
                    u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] +
                                           u[i * n + j - 1] + u[i * n + (j + 1)]);
    }
#pragma endscop
}
