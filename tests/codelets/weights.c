/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codelets/sample.h"

enum { MAX_RADIUS = 6 };

/* The weights w of u'' = w[0] u(0) + sum over i of w[i] (u(-i) + u(i)) that are exact for the
 * powers 0, 2, ... 2 r: w[0] + 2 sum w[i] = 0, 2 sum i^2 w[i] = 2, and 2 sum i^2m w[i] = 0 for the
 * other m <= r. Gauss-Jordan; the matrix is a Vandermonde one, regular for distinct i^2. */
static void taylor_weights(int r, long double w[MAX_RADIUS + 1])
{
    long double a[MAX_RADIUS][MAX_RADIUS + 1];

    for (int m = 0; m < r; m++) {
        for (int i = 0; i < r; i++)
            a[m][i] = 2 * powl(i + 1, 2 * (m + 1));
        a[m][r] = m == 0 ? 2 : 0;
    }
    for (int p = 0; p < r; p++)
        for (int m = 0; m < r; m++) {
            long double factor = a[m][p] / a[p][p];

            for (int i = p; i <= r && m != p; i++)
                a[m][i] -= factor * a[p][i];
        }
    w[0] = 0;
    for (int i = 1; i <= r; i++) {
        w[i] = a[i - 1][r] / a[i - 1][i - 1];
        w[0] -= 2 * w[i];
    }
}

static void add(struct weights *w, long double weight, const long offset[ZOID_AXES])
{
    struct sample_point sample_point = {.weight = weight};

    memcpy(sample_point.offset, offset, sizeof sample_point.offset);
    w->sample_point = realloc(w->sample_point, (size_t)(w->n + 1) * sizeof *w->sample_point);
    w->sample_point[w->n++] = sample_point;
}

/* Adds `centre` at the point, and `factor` times the second differences along all axes. */
static void add_star(struct weights *w, const struct zoid_op *op, long double centre,
                     long double factor)
{
    long double c[MAX_RADIUS + 1];

    taylor_weights(op->radius, c);
    add(w, centre + factor * op->dims * c[0], (long[ZOID_AXES]){0});
    for (int a = 0; a < op->dims; a++)
        for (long i = 1; i <= op->radius; i++)
            for (int sign = -1; sign <= 1; sign += 2) {
                long offset[ZOID_AXES] = {0};

                offset[a] = sign * i;
                add(w, factor * c[i], offset);
            }
}

/* Adds weight[i] for the neighbours that differ in i coordinates, by one. */
static void add_box(struct weights *w, const struct zoid_op *op, const long double weight[4])
{
    for (int i = 0; i < 27; i++) {
        long d[ZOID_AXES] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        int differ = (d[0] != 0) + (d[1] != 0) + (d[2] != 0);

        if ((op->dims > 1 || d[1] == 0) && (op->dims > 2 || d[2] == 0) && weight[differ] != 0)
            add(w, weight[differ], d);
    }
}

static void add_triangles(struct weights *w, long double lambda)
{
    static const long neighbour[6][ZOID_AXES] = {{1, 0},  {-1, 0}, {0, 1},
                                                 {0, -1}, {1, 1},  {-1, -1}};

    add(w, 1 - 6 * lambda, (long[ZOID_AXES]){0});
    for (int i = 0; i < 6; i++)
        add(w, lambda, neighbour[i]);
}

struct weights weights_of(const struct zoid_op *op)
{
    const long double lambda = zoid_op_defaults(op).value[0];
    struct weights w = {.n = 0};

    if (strcmp(op->family, "heat") == 0)
        add_star(&w, op, 1, lambda);
    else if (strcmp(op->family, "wave") == 0)
        add_star(&w, op, 0, 1);
    else if (strcmp(op->family, "heat2d7") == 0)
        add_triangles(&w, lambda);
    else if (strcmp(op->family, "jacobi1d") == 0)
        add_box(&w, op, (const long double[4]){1 / 3.0L, 1 / 3.0L});
    else if (strcmp(op->family, "jacobi2d") == 0)
        add_box(&w, op, (const long double[4]){0.2L, 0.2L});
    else if (strcmp(op->family, "box19") == 0)
        add_box(&w, op, (const long double[4]){0.4L, 0.06L, 0.02L});
    else if (strcmp(op->family, "box27") == 0)
        add_box(&w, op, (const long double[4]){0.3L, 0.05L, 0.02L, 0.02L});
    return w;
}

void weights_free(struct weights *weights)
{
    free(weights->sample_point);
    *weights = (struct weights){.n = 0};
}

long double weights_factor(const struct weights *weights, const double k[ZOID_AXES])
{
    long double sum = 0;

    for (int i = 0; i < weights->n; i++) {
        const struct sample_point *sample_point = &weights->sample_point[i];
        long double phase = 0;

        for (int a = 0; a < ZOID_AXES; a++)
            phase += (long double)k[a] * sample_point->offset[a];
        sum += sample_point->weight * cosl(phase);
    }
    return sum;
}
