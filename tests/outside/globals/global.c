/* SPDX-License-Identifier: BSD-3-Clause */
/* A nest on arrays of the file: its own ones and another file's, arrays and pointers. */
#define N 30
#define M 20

double a[N][M], (*p)[M];
extern double a[N][M]; /* as a header has it */
extern double (*q)[M];
extern const double k[][M];
double *list;

void global(int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                q[i][j] = p[i - 1][j] * 0.5 + k[i][j + 1] * a[i][j] + list[2];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                a[i][j] += q[i][j - 1];
        double(*c)[M] = p;
        p = q;
        q = c;
    }
#pragma endscop
}
