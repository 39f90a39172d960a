/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/sequential.h"

#include <math.h>

/* ---- a point ------------------------------------------------------------------------------- */

/* Relaxes point `i`; its neighbours along axis a are at stride[a]. A backward sweep iterates in
 * reverse along all axes. */
#define RELAX(T, fused)                                                                     \
    static void relax_##T(const struct sequential *s, long i, const long stride[ZOID_AXES], \
                          int step)                                                         \
    {                                                                                       \
        const zoid_##T q = (zoid_##T)(s->omega / (2 * s->dims));                            \
        const zoid_##T keep = (zoid_##T)(1 - s->omega), *b = s->b;                          \
        zoid_##T *u = s->u, t, later;                                                       \
                                                                                            \
        if (b) {                                                                            \
            const zoid_##T right = q * b[i];                                                \
                                                                                            \
            t = fused(keep, u[i], right);                                                   \
        } else {                                                                            \
            t = keep * u[i];                                                                \
        }                                                                                   \
        later = u[i + step * stride[0]];                                                    \
        for (int a = 1; a < s->dims; a++)                                                   \
            later = later + u[i + step * stride[a]];                                        \
        t = fused(q, later, t);                                                             \
        for (int a = s->dims - 1; a >= 0; a--)                                              \
            t = fused(q, u[i - step * stride[a]], t);                                       \
        u[i] = t;                                                                           \
    }

RELAX(f32, fmaf)
RELAX(f64, fma)

/* Coordinates of inner points start at 0. */
static void relax(const struct sequential *s, const long at[ZOID_AXES], int step)
{
    const long stride[ZOID_AXES] = {1, s->n[0], s->n[0] * s->n[1]};
    long i = 0;

    for (int a = 0; a < s->dims; a++)
        i += (at[a] + 1) * stride[a];
    if (s->type == ZOID_F32)
        relax_f32(s, i, stride, step);
    else
        relax_f64(s, i, stride, step);
}

/* ---- SSOR ---------------------------------------------------------------------------------- */

void sequential_ssor(const struct sequential *s, long layers, long sweeps)
{
    const long n[ZOID_AXES] = {s->n[0] - 2, s->dims > 1 ? s->n[1] - 2 : 1,
                               s->dims > 2 ? s->n[2] - 2 : 1};

    for (long sweep = 0; sweep < sweeps; sweep++) {
        const bool down = sweep / layers % 2;

        for (long z = 0; z < n[2]; z++)
            for (long y = 0; y < n[1]; y++)
                for (long x = 0; x < n[0]; x++) {
                    const long up[ZOID_AXES] = {x, y, z};
                    const long mirrored[ZOID_AXES] = {n[0] - 1 - x, n[1] - 1 - y, n[2] - 1 - z};

                    relax(s, down ? mirrored : up, down ? -1 : 1);
                }
    }
}

/* ---- MLSOR --------------------------------------------------------------------------------- */

/* A visit of `layers` layers; a mirrored one maps point i of an axis to S P - 1 - i. */
struct visit {
    const struct sequential *s;
    long p, layers;
    bool mirrored;
};

static long subdomains(const struct visit *v, int axis)
{
    return (v->s->n[axis] - 2 + v->p - 1) / v->p;
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

/* Relaxes a point of the padded mesh, if it lies in the domain. */
static void visit_point(const struct visit *v, const long point[ZOID_AXES])
{
    long at[ZOID_AXES] = {0};

    for (int a = 0; a < v->s->dims; a++) {
        at[a] = v->mirrored ? subdomains(v, a) * v->p - 1 - point[a] : point[a];
        if (at[a] < 0 || at[a] >= v->s->n[a] - 2)
            return;
    }
    relax(v->s, at, v->mirrored ? -1 : 1);
}

/* Range of part `part` of subdomain s at layer k, along an axis of the domain. */
static void range_of(const struct visit *v, int axis, long s, long k, int part, long *lo, long *hi)
{
    const long end = least((s + 1) * v->p + k, subdomains(v, axis) * v->p);
    const long cut = least((s + 1) * v->p - 1 - k, end);

    *lo = part == 1 ? (s == 0 ? 0 : s * v->p + k) : cut;
    *hi = part == 1 ? cut : end;
}

/* Part a of lines, b of rows, c along x, of one subdomain: all layers. */
static void visit_subdomain(const struct visit *v, const long s[ZOID_AXES],
                            const int part[ZOID_AXES])
{
    for (long k = 0; k < v->layers; k++) {
        long lo[ZOID_AXES] = {0}, hi[ZOID_AXES] = {1, 1, 1}, at[ZOID_AXES];

        for (int a = 0; a < v->s->dims; a++)
            range_of(v, a, s[a], k, part[a], &lo[a], &hi[a]);
        for (at[2] = lo[2]; at[2] < hi[2]; at[2]++)
            for (at[1] = lo[1]; at[1] < hi[1]; at[1]++)
                for (at[0] = lo[0]; at[0] < hi[0]; at[0]++)
                    visit_point(v, at);
    }
}

static void visit_kernel(const struct visit *v, const int part[ZOID_AXES])
{
    long end[ZOID_AXES] = {1, 1, 1}, s[ZOID_AXES];

    for (int a = 0; a < v->s->dims; a++)
        end[a] = subdomains(v, a);
    for (s[2] = 0; s[2] < end[2]; s[2]++)
        for (s[1] = 0; s[1] < end[1]; s[1]++)
            for (s[0] = 0; s[0] < end[0]; s[0]++)
                visit_subdomain(v, s, part);
}

void sequential_mlsor(const struct sequential *s, const struct sequential_mlsor *kind, long sweeps)
{
    const int kernels = 1 << s->dims;

    for (long done = 0, visit = 0; done < sweeps; done += kind->layers, visit++) {
        const struct visit v = {.s = s,
                                .p = kind->subdomain,
                                .layers = least(kind->layers, sweeps - done),
                                .mirrored = !kind->forward && visit % 2};

        for (int kernel = 0; kernel < kernels; kernel++) {
            int part[ZOID_AXES] = {1, 1, 1};

            for (int a = 0; a < s->dims; a++)
                part[a] = 1 + (kernel >> a & 1);
            visit_kernel(&v, part);
        }
    }
}
