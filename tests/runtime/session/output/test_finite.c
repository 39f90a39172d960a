/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-finite values (NaN or Inf) are found anywhere, and reported with their position; finite ones
 * are not. */
#include "runtime/session/output/finite.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/suite.h"

enum { NZ = 3, NY = 5, NX = 7, N = NZ * NY * NX };

static const double others[] = {NAN, -NAN, INFINITY, -INFINITY};

static void put(enum zoid_type type, void *values, long i, double value)
{
    if (type == ZOID_F32)
        ((zoid_f32 *)values)[i] = (zoid_f32)value;
    else
        ((zoid_f64 *)values)[i] = value;
}

static enum zoid_status look(enum zoid_type type, const void *values)
{
    const struct zoid_problem problem = {.op = zoid_op_find("wave", 3, 2, type)};
    const struct zoid_finite of = {.problem = &problem, .field = 1, .step = 12};
    const struct zoid_box box = {.lo = {10, 20, 30}, .hi = {10 + NX, 20 + NY, 30 + NZ}};

    ck_assert_ptr_nonnull(problem.op);
    return zoid_finite_look(&of, &box, values);
}

START_TEST(every_place_is_looked_at)
{
    const enum zoid_type type = (enum zoid_type)_i;
    static zoid_f64 values[N];
    char place[64];

    for (long i = 0; i < N; i++)
        for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
            memset(values, 0, sizeof values);
            put(type, values, i, others[o]);
            snprintf(place, sizeof place, " at %ld, %ld, %ld after 12 steps", 10 + i % NX,
                     20 + i / NX % NY, 30 + i / NX / NY);
            ck_assert_int_eq(look(type, values), ZOID_CHECK_FAILED);
            ck_assert_msg(strstr(zoid_error(), place) != NULL, "%s: %s", place, zoid_error());
            ck_assert_ptr_eq(strstr(zoid_error(), "u_before is "), zoid_error());
        }
}
END_TEST

START_TEST(numbers_are_numbers)
{
    const enum zoid_type type = (enum zoid_type)_i;
    const double most = type == ZOID_F32 ? (double)FLT_MAX : DBL_MAX;
    const double least = type == ZOID_F32 ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
    const double some[] = {most, -most, least, -0., 1};
    static zoid_f64 values[N];

    for (long i = 0; i < N; i++)
        put(type, values, i, some[i % 5]);
    ck_assert_int_eq(look(type, values), ZOID_OK);
}
END_TEST

/* All bit patterns of a byte are finite. */
START_TEST(bytes_are_numbers)
{
    const struct zoid_problem problem = {.op = zoid_op_find("life3d", 3, 1, ZOID_U8)};
    const struct zoid_finite of = {.problem = &problem};
    const struct zoid_box box = {.hi = {NX, NY, NZ}};
    unsigned char values[N];

    memset(values, 0xff, sizeof values);
    ck_assert_int_eq(zoid_finite_look(&of, &box, values), ZOID_OK);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, every_place_is_looked_at, ZOID_F32, ZOID_F64 + 1);
    tcase_add_loop_test(tests, numbers_are_numbers, ZOID_F32, ZOID_F64 + 1);
    tcase_add_test(tests, bytes_are_numbers);
}

int main(void)
{
    return run_suite("finite", 60, add_tests);
}
