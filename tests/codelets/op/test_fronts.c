/* SPDX-License-Identifier: BSD-3-Clause */
/* labels: repeats */
/* Waves travel at the speed of their medium, from a point and as plane waves, and a sponge absorbs
 * them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codelets/run_plain.h"
#include "tests/suite.h"

enum { VX, VY, VZ, SXX, RHO = 9, LAMBDA, MU };

/* A uniform medium with cp = 2 and cs = 1. */
static const double rho = 1.25, lambda = 2.5, mu = 1.25;

static void uniform(struct plain *p)
{
    for (long i = 0; i < p->points; i++) {
        plain_set(p, RHO, i, rho);
        plain_set(p, LAMBDA, i, lambda);
        plain_set(p, MU, i, mu);
    }
}

/* ---- planes -------------------------------------------------------------------------------- */

/* Velocities sin(k x) along an axis and no stress make a standing wave: P if they point along the
 * axis, else S. Exact differences in time advance its phase by 2 asin(c k' dt / 2) a step, where k'
 * is the wave number of the staggered difference. The first step leaves the velocities unchanged,
 * since there is no stress yet: phase 0 lies half way between the two. */
static void plane_wave(int axis, int moves)
{
    const double k = 2 * acos(-1) / 24,
                 c = axis == moves ? sqrt((lambda + 2 * mu) / rho) : sqrt(mu / rho);
    const double slope = 2 * (9.0 / 8 * sin(k / 2) - 1.0 / 24 * sin(3 * k / 2));
    const long steps = 37;
    long n[ZOID_AXES] = {1, 1, 1};
    struct plain p;
    double angle;

    n[axis] = 24;
    p = plain_create(zoid_op_find("seismic", 3, 2, ZOID_F64), n, ZOID_PERIODIC);
    uniform(&p);
    for (long i = 0; i < p.points; i++)
        plain_set(&p, VX + moves, i, sin(k * (double)i));
    angle = 2 * asin(c * slope * p.params.value[0] / 2);
    plain_run(&p, steps);
    for (long i = 0; i < p.points; i++)
        ck_assert_double_eq_tol(
            plain_get(&p, VX + moves, i),
            cos(((double)steps - 0.5) * angle) / cos(angle / 2) * sin(k * (double)i), 1e-12);
    plain_destroy(&p);
}

START_TEST(plane_waves)
{
    plane_wave(_i / 3, _i % 3);
}
END_TEST

/* ---- points -------------------------------------------------------------------------------- */

enum { N = 61, MIDDLE = N / 2 };

static double hump(const long p[ZOID_AXES])
{
    double r2 = 0;

    for (int a = 0; a < ZOID_AXES; a++)
        r2 += pow((double)(p[a] - MIDDLE), 2);
    return exp(-r2 / (2 * 1.5 * 1.5));
}

/* The state after some steps from a hump in one field, or in `count` consecutive ones. */
static struct plain from_point(int field, int count, long steps)
{
    struct plain p = plain_create(zoid_op_find("seismic", 3, 2, ZOID_F32), (const long[]){N, N, N},
                                  ZOID_DIRICHLET);

    uniform(&p);
    for (long i = 0; i < p.points; i++)
        for (int f = field; f < field + count; f++) {
            long at[ZOID_AXES];

            plain_place(&p, i, at);
            plain_set(&p, f, i, hump(at));
        }
    plain_run(&p, steps);
    return p;
}

/* Position of a wavefront of a velocity on the ray from the middle along an axis: the mean distance
 * of the points from `lo` to `hi` away, weighted by the squared velocity. */
static double front(const struct plain *p, int field, int axis, long lo, long hi)
{
    double sum = 0, weight = 0;

    for (long d = lo; d <= hi; d++) {
        long at[ZOID_AXES] = {MIDDLE, MIDDLE, MIDDLE};
        double v;

        at[axis] += d;
        v = plain_get(p, field, plain_index(p, at[0], at[1], at[2]));
        sum += v * v * (double)d;
        weight += v * v;
    }
    ck_assert_double_gt(weight, 0);
    return sum / weight;
}

/* A push along z: a P front along z, an S front along x and y. */
START_TEST(push)
{
    const long steps = 60;
    struct plain p = from_point(VZ, 1, steps);
    const double t = (double)steps * p.params.value[0], cp = sqrt((lambda + 2 * mu) / rho),
                 cs = sqrt(mu / rho);
    const long between = lround((cp + cs) / 2 * t);

    ck_assert_double_eq_tol(front(&p, VZ, 2, between, MIDDLE - 2), cp * t, 0.04 * cp * t);
    ck_assert_double_eq_tol(front(&p, VZ, 0, between / 2, between), cs * t, 0.06 * cs * t);
    ck_assert_double_eq_tol(front(&p, VZ, 1, between / 2, between), cs * t, 0.06 * cs * t);
    plain_destroy(&p);
}
END_TEST

/* Pressure at a point makes a P front in all directions and no S front. */
START_TEST(explosion)
{
    const long steps = 60;
    struct plain p = from_point(SXX, 3, steps);
    const double cp = sqrt((lambda + 2 * mu) / rho), r = cp * (double)steps * p.params.value[0];

    for (int a = 0; a < ZOID_AXES; a++) {
        const long on_ray[ZOID_AXES] = {MIDDLE + (a == 0) * lround(r),
                                        MIDDLE + (a == 1) * lround(r),
                                        MIDDLE + (a == 2) * lround(r)};
        const long i = plain_index(&p, on_ray[0], on_ray[1], on_ray[2]);

        ck_assert_double_eq_tol(front(&p, a, a, MIDDLE / 2, MIDDLE - 2), r, 0.04 * r);
        for (int b = 0; b < ZOID_AXES; b++)
            if (b != a)
                ck_assert_double_lt(fabs(plain_get(&p, b, i)), 0.1 * fabs(plain_get(&p, a, i)));
    }
    plain_destroy(&p);
}
END_TEST

/* ---- sponges ------------------------------------------------------------------------------- */

/* The rest of a hump in the middle of the plane, at the time when its reflection would have
 * returned from the faces. */
static double left_of_wave(enum zoid_boundary boundary)
{
    const long n = 121, middle = n / 2, steps = 400;
    struct plain p =
        plain_create(zoid_op_find("wave", 2, 2, ZOID_F32), (const long[]){n, n, 1}, boundary);
    double sum = 0;

    for (long i = 0; i < p.points; i++) {
        double x = (double)(i % n - middle), y = (double)(i / n - middle);
        double u = exp(-(x * x + y * y) / 18);

        plain_set(&p, 0, i, u);
        plain_set(&p, 1, i, u);
        plain_set(&p, 2, i, 0.09);
    }
    plain_run(&p, steps);
    for (long i = 0; i < p.points; i++)
        sum += pow(plain_get(&p, 0, i), 2);
    plain_destroy(&p);
    return sum;
}

START_TEST(sponge_wave)
{
    ck_assert_double_lt(left_of_wave(ZOID_SPONGE), 0.03 * left_of_wave(ZOID_DIRICHLET));
}
END_TEST

/* The same along a line of points; the other axes are periodic and constant. */
static double left_of_shock(enum zoid_boundary boundary)
{
    struct plain p = plain_create(zoid_op_find("seismic", 3, 2, ZOID_F32),
                                  (const long[]){121, 1, 1}, ZOID_PERIODIC);
    double sum = 0;

    memset(p.shape.face[0], boundary, sizeof p.shape.face[0]);
    uniform(&p);
    for (long i = 0; i < p.points; i++)
        plain_set(&p, VX, i, exp(-pow((double)(i - 60), 2) / 18));
    plain_run(&p, 400);
    for (long i = 0; i < p.points; i++)
        sum += pow(plain_get(&p, VX, i), 2) + pow(plain_get(&p, SXX, i), 2);
    plain_destroy(&p);
    return sum;
}

START_TEST(sponge_seismic)
{
    ck_assert_double_lt(left_of_shock(ZOID_SPONGE), 0.03 * left_of_shock(ZOID_DIRICHLET));
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, plane_waves, 0, 9);
    tcase_add_test(tests, push);
    tcase_add_test(tests, explosion);
    tcase_add_test(tests, sponge_wave);
    tcase_add_test(tests, sponge_seismic);
}

int main(void)
{
    return run_suite("fronts", 240, add);
}
