/* SPDX-License-Identifier: BSD-3-Clause */
#define N 20
#define M (30)

float u[3][N][M], speed[N][M];

void mod3(int steps, const float gain[steps])
{
#pragma scop
    for (int t = 2; t < steps; t++)
        for (int y = 2; y < N - 2; y++)
            for (int x = 2; x < M - 2; x++) {
                const float here = u[t % 3][y][x];

                u[(t + 1) % 3][y][x] = 2 * here - u[(t - 1) % 3][y][x] +
                                       speed[y][x] * (u[t % 3][y - 2][x] - here) * gain[t - 1];
            }
#pragma endscop
}
