/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties known without a run: decay factors of modes, conserved sums, limits of iterations,
 * convergence orders, patterns counted by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codelets/definition.h"
#include "tests/codelets/run_plain.h"
#include "tests/codelets/sample.h"
#include "tests/suite.h"

static const double pi = 3.14159265358979323846;

/* ---- weighted sums ------------------------------------------------------------------------- */

enum { MODE_STEPS = 5 };

/* Variants of families whose field is replaced by a weighted sum. */
static const struct zoid_op *linear_variant(int i)
{
    const struct zoid_op *op;

    for (size_t at = 0; (op = zoid_op_at(at)); at++) {
        const struct zoid_params params = zoid_op_defaults(op);
        struct weights weights = weights_of(op, &params);
        bool linear = weights.n > 0 && !op->rotates;

        weights_free(&weights);
        if (linear && i-- == 0)
            break;
    }
    return op;
}

static double phase_at(const struct plain *p, const double k[ZOID_AXES], long i)
{
    double phase = 0.5;
    long at[ZOID_AXES];

    plain_place(p, i, at);
    for (int a = 0; a < p->op->dims; a++)
        phase += k[a] * (double)at[a];
    return phase;
}

/* On a periodic domain a plane wave keeps its shape and is scaled by a known factor each step. */
START_TEST(modes)
{
    const struct zoid_op *op = linear_variant(_i);
    const long n[ZOID_AXES] = {12, 10, 9};
    const double k[ZOID_AXES] = {2 * pi / 12, -4 * pi / 10, 2 * pi / 9};
    struct plain p = plain_create(op, n, ZOID_PERIODIC);
    const struct zoid_params params = zoid_op_defaults(op);
    struct weights weights = weights_of(op, &params);
    double factor = pow((double)weights_factor(&weights, k), MODE_STEPS);

    for (long i = 0; i < p.points; i++)
        plain_set(&p, 0, i, cos(phase_at(&p, k, i)));
    plain_run(&p, MODE_STEPS);
    for (long i = 0; i < p.points; i++)
        ck_assert_double_eq_tol(plain_get(&p, 0, i), factor * cos(phase_at(&p, k, i)),
                                4 * MODE_STEPS * (1 + op->dims * op->radius) *
                                    definition_epsilon(op));
    ck_assert_double_lt(fabs(factor), 0.99);
    weights_free(&weights);
    plain_destroy(&p);
}
END_TEST

/* Weights add up to 1: the total is conserved, and a constant stays. */
START_TEST(conservation)
{
    const struct zoid_op *op = linear_variant(_i);
    const long n[ZOID_AXES] = {9, 8, 7};
    struct plain p = plain_create(op, n, ZOID_PERIODIC);
    double before = 0, after = 0;

    for (long i = 0; i < p.points; i++) {
        plain_set(&p, 0, i, sample_value(5, (uint64_t)i));
        before += sample_value(5, (uint64_t)i);
    }
    plain_run(&p, 10);
    for (long i = 0; i < p.points; i++)
        after += plain_get(&p, 0, i);
    ck_assert_double_eq_tol(before, after, 40 * definition_epsilon(op) * (double)p.points);
    plain_destroy(&p);
}
END_TEST

/* Image of point i in a domain mirrored along the axes of a mask. */
static long mirrored(const struct plain *p, int axes, long i)
{
    long at[ZOID_AXES];

    plain_place(p, i, at);
    for (int a = 0; a < p->op->dims; a++)
        at[a] = axes >> a & 1 ? p->shape.n[a] - 1 - at[a] : at[a];
    return plain_index(p, at[0], at[1], at[2]);
}

/* A field and its mirror image have mirrored results, to the bit. */
static void check_mirror(const struct zoid_op *op, int axes)
{
    const long n[ZOID_AXES] = {2 * op->radius + 6, 2 * op->radius + 5, 2 * op->radius + 3};
    struct plain p = plain_create(op, n, ZOID_DIRICHLET), q = plain_create(op, n, ZOID_DIRICHLET);

    for (long i = 0; i < p.points; i++) {
        plain_set(&p, 0, i, sample_value(9, (uint64_t)i));
        plain_set(&q, 0, mirrored(&q, axes, i), sample_value(9, (uint64_t)i));
    }
    plain_run(&p, 3);
    plain_run(&q, 3);
    for (long i = 0; i < p.points; i++)
        ck_assert_double_eq(plain_get(&p, 0, i), plain_get(&q, 0, mirrored(&q, axes, i)));
    plain_destroy(&p);
    plain_destroy(&q);
}

/* The neighbours of heat2d7 are symmetric only if both axes are mirrored. */
START_TEST(mirrors)
{
    const struct zoid_op *op = linear_variant(_i);
    const int all = (1 << op->dims) - 1;

    for (int axes = 1; axes <= all; axes++)
        if (axes == all || strcmp(op->family, "heat2d7") != 0)
            check_mirror(op, axes);
}
END_TEST

/* The limit of the iteration, at which each point is the mean of its neighbours: a line in 1-D, for
 * jacobi2d for instance x^2 - y^2. The slowest mode bounds the error. */
static double harmonic(const struct zoid_op *op, const long p[ZOID_AXES])
{
    double x = (double)p[0] / 10, y = (double)p[1] / 10;

    return op->dims == 1 ? 0.3 + x : x * x - y * y;
}

START_TEST(jacobi_ends)
{
    const char *family = _i ? "jacobi2d" : "jacobi1d";
    const struct zoid_op *op = zoid_op_find(family, 1 + _i, 1, ZOID_F64);
    const long n[ZOID_AXES] = {11, _i ? 9 : 1, 1};
    struct plain p = plain_create(op, n, ZOID_DIRICHLET);
    const double slow =
        _i ? (1 + 2 * cos(pi / 10) + 2 * cos(pi / 8)) / 5 : (1 + 2 * cos(pi / 10)) / 3;
    const long steps = 150;
    double error = 0;

    for (long i = 0; i < p.points; i++) {
        long at[ZOID_AXES];
        bool face;

        plain_place(&p, i, at);
        face = at[0] == 0 || at[0] == n[0] - 1 || (_i && (at[1] == 0 || at[1] == n[1] - 1));
        plain_set(&p, 0, i, harmonic(op, at) + (face ? 0 : sample_value(3, (uint64_t)i) - 0.5));
    }
    plain_run(&p, steps);
    for (long i = 0; i < p.points; i++) {
        long at[ZOID_AXES];

        plain_place(&p, i, at);
        error += pow(plain_get(&p, 0, i) - harmonic(op, at), 2);
    }
    /* The symmetric iteration reduces the norm of the error at least by the factor `slow` a
     * step. */
    ck_assert_double_le(sqrt(error), pow(slow, (double)steps) * 0.5 * sqrt((double)p.points));
    ck_assert_double_gt(sqrt(error), 0);
    plain_destroy(&p);
}
END_TEST

/* ---- wave ---------------------------------------------------------------------------------- */

/* Error for the wave sin(x + y + z) cos(omega t) on a periodic cube of side 2 pi at speed 1. With
 * `discrete`, against the solution with exact differences in space at this dt, which leaves the
 * error in space; else against the wave itself. */
static double wave_error(int dims, int radius, long n, long steps, bool discrete)
{
    const double h = 2 * pi / (double)n, dt = 1.0 / (double)steps, speed = sqrt((double)dims);
    const double omega = discrete ? 2 / dt * asin(speed * dt / 2) : speed;
    struct plain p = plain_create(zoid_op_find("wave", dims, radius, ZOID_F64),
                                  (const long[]){n, n, n}, ZOID_PERIODIC);
    const double k[ZOID_AXES] = {h, h, h};
    double error = 0;

    for (long i = 0; i < p.points; i++) {
        plain_set(&p, 0, i, sin(phase_at(&p, k, i)));
        plain_set(&p, 1, i, sin(phase_at(&p, k, i)) * cos(omega * -dt));
        plain_set(&p, 2, i, dt * dt / (h * h));
    }
    plain_run(&p, steps);
    for (long i = 0; i < p.points; i++)
        error = fmax(error, fabs(plain_get(&p, 0, i) - sin(phase_at(&p, k, i)) * cos(omega)));
    plain_destroy(&p);
    return error;
}

/* Half the grid spacing reduces the error by 2 to the order. */
START_TEST(wave_order_in_space)
{
    const int dims = 1 + _i / 6, radius = 1 + _i % 6;
    const long n = radius < 6 ? 8 : 6, steps = 40;
    double order = log2(wave_error(dims, radius, n, steps, true) /
                        wave_error(dims, radius, 2 * n, steps, true));

    ck_assert_double_eq_tol(order, 2 * radius, 0.15 * radius);
}
END_TEST

/* With space as good as exact, the remaining error is that of time, of order 2. */
START_TEST(wave_order_in_time)
{
    double order = log2(wave_error(1, 6, 24, 40, false) / wave_error(1, 6, 24, 80, false));

    ck_assert_double_eq_tol(order, 2, 0.02);
}
END_TEST

/* ---- life ---------------------------------------------------------------------------------- */

static struct plain cells(int n, const long (*alive)[ZOID_AXES], long steps)
{
    struct plain p = plain_create(zoid_op_find("life3d", 3, 1, ZOID_U8), (const long[]){12, 11, 9},
                                  ZOID_DIRICHLET);

    for (int i = 0; i < n; i++)
        plain_set(&p, 0, plain_index(&p, alive[i][0], alive[i][1], alive[i][2]), 1);
    plain_run(&p, steps);
    return p;
}

static int count_alive(const struct plain *p)
{
    int n = 0;

    for (long i = 0; i < p->points; i++)
        n += plain_get(p, 0, i) == 1;
    return n;
}

static void expect_cells(int n, const long (*alive)[ZOID_AXES], const int *count, int steps)
{
    for (int t = 0; t <= steps; t++) {
        struct plain p = cells(n, alive, t);

        ck_assert_int_eq(count_alive(&p), count[t]);
        plain_destroy(&p);
    }
}

/* Every cell of a block of 8 has 7 neighbours, and no empty cell has 5. */
START_TEST(life_block)
{
    long block[8][ZOID_AXES];
    struct plain p;

    for (int i = 0; i < 8; i++) {
        block[i][0] = 5 + i % 2;
        block[i][1] = 4 + i / 2 % 2;
        block[i][2] = 3 + i / 4;
    }
    expect_cells(8, (const long(*)[ZOID_AXES])block, (const int[]){8, 8, 8}, 2);
    p = cells(8, (const long(*)[ZOID_AXES])block, 2);
    for (int i = 0; i < 8; i++)
        ck_assert_double_eq(
            plain_get(&p, 0, plain_index(&p, block[i][0], block[i][1], block[i][2])), 1);
    plain_destroy(&p);
}
END_TEST

/* A flat cross of 5: the two cells above and below its centre see all 5 and are born. Then every
 * cell on the 12 edges around this star sees 5 of its 7. */
START_TEST(life_cross)
{
    static const long cross[5][ZOID_AXES] = {{5, 5, 4}, {4, 5, 4}, {6, 5, 4}, {5, 4, 4}, {5, 6, 4}};

    expect_cells(5, cross, (const int[]){5, 7, 19}, 2);
}
END_TEST

/* Three in a row: the ends have one neighbour, the middle has two; then the last one is alone. */
START_TEST(life_dies)
{
    static const long row[3][ZOID_AXES] = {{4, 5, 4}, {5, 5, 4}, {6, 5, 4}};

    expect_cells(3, row, (const int[]){3, 1, 0}, 2);
}
END_TEST

/* A full cube of 27: only its corners have few enough neighbours to survive, and then they are
 * isolated. */
START_TEST(life_crowded)
{
    long cube[27][ZOID_AXES];

    for (int i = 0; i < 27; i++) {
        cube[i][0] = 4 + i % 3;
        cube[i][1] = 4 + i / 3 % 3;
        cube[i][2] = 3 + i / 9;
    }
    expect_cells(27, (const long(*)[ZOID_AXES])cube, (const int[]){27, 8, 0}, 2);
}
END_TEST

/* ---- fdtd2d -------------------------------------------------------------------------------- */

/* Three steps from nothing, by hand. Step 0 writes 0 to the source; step 1 writes 1, so that row 0
 * of hz becomes 0.7; step 2 writes 2. The last column and row of hz stay 0. */
START_TEST(fdtd_by_hand)
{
    static const double ex[3][4] = {{0, 0, 0, 0.35}, {0}, {0}};
    static const double ey[3][4] = {{2, 2, 2, 2}, {0.35, 0.35, 0.35, 0}, {0}};
    static const double hz[3][4] = {{1.855, 1.855, 1.61, 0}, {0.245, 0.245, 0.245, 0}, {0}};
    struct plain p = plain_create(zoid_op_find("fdtd2d", 2, 1, ZOID_F64), (const long[]){4, 3, 1},
                                  ZOID_DIRICHLET);

    plain_run(&p, 3);
    for (long i = 0; i < p.points; i++) {
        ck_assert_double_eq_tol(plain_get(&p, 0, i), ex[i / 4][i % 4], 1e-15);
        ck_assert_double_eq_tol(plain_get(&p, 1, i), ey[i / 4][i % 4], 1e-15);
        ck_assert_double_eq_tol(plain_get(&p, 2, i), hz[i / 4][i % 4], 1e-15);
    }
    plain_destroy(&p);
}
END_TEST

enum { FDTD_N = 140 };

/* State after some steps from a hump of hz in the middle, far from the source. */
static struct plain hump(long steps)
{
    struct plain p = plain_create(zoid_op_find("fdtd2d", 2, 1, ZOID_F64),
                                  (const long[]){FDTD_N, FDTD_N, 1}, ZOID_DIRICHLET);

    for (long i = 0; i < p.points; i++) {
        double x = (double)(i % FDTD_N - FDTD_N / 2), y = (double)(i / FDTD_N - FDTD_N / 2);

        if (fabs(x) < 12 && fabs(y) < 12)
            plain_set(&p, 2, i, exp(-(x * x + y * y) / 12));
    }
    plain_run(&p, steps);
    return p;
}

/* Energy that this scheme conserves: the sum of (ex^2 + ey^2) / 0.5 at a step and of hz^2 / 0.7, hz
 * being taken before and after it; over rows that the source cannot have reached. */
static double fdtd_energy(long steps)
{
    struct plain before = hump(steps), after = hump(steps + 1);
    double sum = 0;

    for (long i = (steps + 2) * FDTD_N; i < after.points; i++)
        sum += (pow(plain_get(&after, 0, i), 2) + pow(plain_get(&after, 1, i), 2)) / 0.5 +
               plain_get(&before, 2, i) * plain_get(&after, 2, i) / 0.7;
    plain_destroy(&before);
    plain_destroy(&after);
    return sum;
}

START_TEST(fdtd_energy_stays)
{
    double start = fdtd_energy(0);

    ck_assert_double_gt(start, 1);
    ck_assert_double_eq_tol(fdtd_energy(10), start, 1e-12 * start);
    ck_assert_double_eq_tol(fdtd_energy(25), start, 1e-12 * start);
}
END_TEST

static void add(TCase *tests)
{
    int variants = 0;

    while (linear_variant(variants))
        variants++;
    tcase_add_loop_test(tests, modes, 0, variants);
    tcase_add_loop_test(tests, conservation, 0, variants);
    tcase_add_loop_test(tests, mirrors, 0, variants);
    tcase_add_loop_test(tests, jacobi_ends, 0, 2);
    tcase_add_loop_test(tests, wave_order_in_space, 0, 18);
    tcase_add_test(tests, wave_order_in_time);
    tcase_add_test(tests, life_block);
    tcase_add_test(tests, life_cross);
    tcase_add_test(tests, life_dies);
    tcase_add_test(tests, life_crowded);
    tcase_add_test(tests, fdtd_by_hand);
    tcase_add_test(tests, fdtd_energy_stays);
}

int main(void)
{
    return run_suite("physics", 120, add);
}
