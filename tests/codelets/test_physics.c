/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat against its definition, written a second time: weights solved from the Taylor conditions,
 * a step evaluated as a weighted sum in long double, and a sine mode that must decay by the factor
 * that the scheme gives it. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "codelets/run.h"
#include "tests/codelets/sample.h"

enum { STEPS = 3, MAX_RADIUS = 6 };

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

static double element(const struct zoid_op *op, const void *field, long i)
{
    return op->type == ZOID_F32 ? (double)((const zoid_f32 *)field)[i]
                                : ((const zoid_f64 *)field)[i];
}

static void set_element(const struct zoid_op *op, void *field, long i, double value)
{
    if (op->type == ZOID_F32)
        ((zoid_f32 *)field)[i] = (zoid_f32)value;
    else
        ((zoid_f64 *)field)[i] = value;
}

static double epsilon(const struct zoid_op *op)
{
    return op->type == ZOID_F32 ? 0x1p-23 : 0x1p-52;
}

static long volume(const long n[ZOID_AXES])
{
    return n[0] * n[1] * n[2];
}

/* Layers between a point and the domain's nearest face. */
static long depth_of(const struct zoid_op *op, const long n[ZOID_AXES], const long p[ZOID_AXES])
{
    long depth = n[0];

    for (int a = 0; a < op->dims; a++) {
        depth = p[a] < depth ? p[a] : depth;
        depth = n[a] - 1 - p[a] < depth ? n[a] - 1 - p[a] : depth;
    }
    return depth;
}

static void place(const long n[ZOID_AXES], long i, long p[ZOID_AXES])
{
    p[0] = i % n[0];
    p[1] = i / n[0] % n[1];
    p[2] = i / n[0] / n[1];
}

/* One step by the definition. */
static void defined_step(const struct zoid_op *op, const long n[ZOID_AXES], const long double *from,
                         long double *to)
{
    const long stride[ZOID_AXES] = {1, n[0], n[0] * n[1]};
    long double w[MAX_RADIUS + 1];

    taylor_weights(op->radius, w);
    for (long i = 0; i < volume(n); i++) {
        long double sum = op->dims * w[0] * from[i];
        long p[ZOID_AXES];

        place(n, i, p);
        to[i] = from[i];
        if (depth_of(op, n, p) < op->radius)
            continue;
        for (int a = 0; a < op->dims; a++)
            for (int d = 1; d <= op->radius; d++)
                sum += w[d] * (from[i - d * stride[a]] + from[i + d * stride[a]]);
        to[i] += (long double)op->defaults.lambda * sum;
    }
}

/* A domain of a few points more than the boundary layers need. */
static void domain(const struct zoid_op *op, long more, long n[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES; a++)
        n[a] = a < op->dims ? 2 * op->radius + more + a : 1;
}

static const struct zoid_op *heat_variant(int i)
{
    const struct zoid_op *op;

    for (size_t at = 0; (op = zoid_op_at(at)); at++)
        if (op == zoid_op_find("heat", op->dims, op->radius, op->type) && i-- == 0)
            break;
    return op;
}

START_TEST(definition)
{
    const struct zoid_op *op = heat_variant(_i);
    long n[ZOID_AXES];
    long double *exact, *next, *swap;
    void *state, *spare, *result;
    struct zoid_shape shape;

    domain(op, 5, n);
    shape = zoid_op_shape(op, n);
    exact = sample_memory((size_t)volume(n) * sizeof *exact);
    next = sample_memory((size_t)volume(n) * sizeof *next);
    state = sample_memory((size_t)volume(n) * sizeof(double));
    spare = sample_memory((size_t)volume(n) * sizeof(double));
    sample_fill(op->type, 11, 0, (size_t)volume(n), state);
    for (long i = 0; i < volume(n); i++)
        exact[i] = element(op, state, i);
    result = zoid_reference_run(op, &op->defaults, &shape, STEPS, state, spare);
    for (int t = 0; t < STEPS; t++) {
        defined_step(op, n, exact, next);
        swap = exact;
        exact = next;
        next = swap;
    }
    /* Values are at most 1 and a step rounds a few times per axis and distance. */
    for (long i = 0; i < volume(n); i++)
        ck_assert_double_eq_tol(element(op, result, i), (double)exact[i],
                                4 * STEPS * (1 + op->dims * op->radius) * epsilon(op));
    free(exact);
    free(next);
    free(state);
    free(spare);
}
END_TEST

/* The product of sin(k p + 1 / 2) over the axes is an eigenvector of the second differences on an
 * unbounded grid; the boundary layers disturb it from the faces inwards, `radius` layers a step. */
static double mode(const struct zoid_op *op, const double k[ZOID_AXES], const long p[ZOID_AXES])
{
    double value = 1;

    for (int a = 0; a < op->dims; a++)
        value *= sin(k[a] * (double)p[a] + 0.5);
    return value;
}

static double decay(const struct zoid_op *op, const double k[ZOID_AXES])
{
    long double w[MAX_RADIUS + 1], sum = 0;

    taylor_weights(op->radius, w);
    for (int a = 0; a < op->dims; a++) {
        sum += w[0];
        for (int i = 1; i <= op->radius; i++)
            sum += 2 * w[i] * cosl(i * (long double)k[a]);
    }
    return (double)(1 + op->defaults.lambda * sum);
}

START_TEST(sine_mode)
{
    static const double k[ZOID_AXES] = {0.7, 0.4, 1.1};
    const struct zoid_op *op = heat_variant(_i);
    double factor = pow(decay(op, k), STEPS);
    long n[ZOID_AXES], p[ZOID_AXES], seen = 0;
    void *state, *spare, *result;
    struct zoid_shape shape;

    domain(op, 2 * (STEPS - 1) * op->radius + 4, n);
    shape = zoid_op_shape(op, n);
    state = sample_memory((size_t)volume(n) * sizeof(double));
    spare = sample_memory((size_t)volume(n) * sizeof(double));
    for (long i = 0; i < volume(n); i++) {
        place(n, i, p);
        set_element(op, state, i, mode(op, k, p));
    }
    result = zoid_reference_run(op, &op->defaults, &shape, STEPS, state, spare);
    for (long i = 0; i < volume(n); i++) {
        place(n, i, p);
        if (depth_of(op, n, p) < STEPS * op->radius)
            continue;
        seen++;
        ck_assert_double_eq_tol(element(op, result, i), factor * mode(op, k, p),
                                4 * STEPS * (1 + op->dims * op->radius) * epsilon(op));
    }
    ck_assert_int_gt(seen, 0);
    ck_assert_double_lt(factor, 0.99);
    free(state);
    free(spare);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("physics");
    TCase *tcase = tcase_create("heat");
    SRunner *runner = srunner_create(suite);
    int variants = 0, failed;

    while (heat_variant(variants))
        variants++;
    tcase_add_loop_test(tcase, definition, 0, variants);
    tcase_add_loop_test(tcase, sine_mode, 0, variants);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner) || variants == 0;
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
