/* SPDX-License-Identifier: BSD-3-Clause */
void waves(int nz, int ny, int nx, int steps, float *u, float *v, const float *c)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++) {
                    const float w = u[(k * ny + j) * nx + i];
                    v[(k * ny + j) * nx + i] =
                        fmaf(c[(k * ny + j) * nx + i],
                             u[((k - 1) * ny + j) * nx + i] + u[k * ny * nx + (j + 1) * nx + i - 1],
                             2.0f * w - v[k * nx * ny + j * nx + i]);
                }
        float *other = u;
        u = v;
        v = other;
    }
#pragma endscop
}
