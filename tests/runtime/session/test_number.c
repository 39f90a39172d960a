/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of the command line: what is read, and what is not. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "runtime/session/number.h"
#include "tests/suite.h"

static const struct zoid_number_range any = {.least = 0, .most = UINT64_MAX};

static const struct {
    const char *text;
    uint64_t value;
} numbers[] = {
    {"0", 0},
    {"1", 1},
    {"007", 7},
    {"18446744073709551615", UINT64_MAX},
    {"3K", 3072},
    {"2M", 2097152},
    {"5G", UINT64_C(5368709120)},
    {"1T", UINT64_C(1099511627776)},
    {"16777215T", UINT64_C(18446742974197923840)},
    {"0T", 0},
};

static const char *const no_numbers[] = {"",          " ",
                                         "-1",        "+1",
                                         " 1",        "1 ",
                                         "1.0",       "1e3",
                                         "0x1",       "K",
                                         "1k",        "1KK",
                                         "1KB",       "1 K",
                                         "1K ",       "x",
                                         "1\n",       "18446744073709551616",
                                         "16777216T", "99999999999999999999999999999999999999"};

enum {
    NUMBERS = sizeof numbers / sizeof *numbers,
    NO_NUMBERS = sizeof no_numbers / sizeof *no_numbers
};

START_TEST(numbers_are_read)
{
    uint64_t value = 99;

    ck_assert_int_eq(zoid_number_unsigned("n", numbers[_i].text, any, &value), ZOID_OK);
    ck_assert_uint_eq(value, numbers[_i].value);
}
END_TEST

START_TEST(nothing_else_is)
{
    uint64_t value = 99;

    ck_assert_int_eq(zoid_number_unsigned("n", no_numbers[_i], any, &value), ZOID_BAD_ARGUMENT);
    ck_assert_uint_eq(value, 99);
}
END_TEST

START_TEST(ranges_include_their_ends)
{
    static const struct zoid_number_range range = {.least = 3, .most = 5};
    uint64_t value = 99;

    ck_assert_int_eq(zoid_number_unsigned("n", "2", range, &value), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_number_unsigned("n", "6", range, &value), ZOID_BAD_ARGUMENT);
    ck_assert_uint_eq(value, 99);
    ck_assert_int_eq(zoid_number_unsigned("n", "3", range, &value), ZOID_OK);
    ck_assert_int_eq(zoid_number_unsigned("n", "5", range, &value), ZOID_OK);
}
END_TEST

START_TEST(axes_are_up_to_three)
{
    static const char *const bad[] = {
        "",    "x",       "1x",     "x1",  "1xx2", "1X2",   "1x0",
        "0x1", "1x2x3x4", "1x2x3x", "1,2", "1x 2", "1xKx2", "1x9223372036854775808"};
    long value[ZOID_AXES] = {7, 7, 7};
    int axes = 9;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(zoid_number_axes("n", bad[i], value, &axes), ZOID_BAD_ARGUMENT);
    ck_assert(axes == 9 && value[0] == 7 && value[1] == 7 && value[2] == 7);
    ck_assert_int_eq(zoid_number_axes("n", "2Kx3", value, &axes), ZOID_OK);
    ck_assert(axes == 2 && value[0] == 2048 && value[1] == 3);
    ck_assert_int_eq(zoid_number_axes("n", "1x2x9223372036854775807", value, &axes), ZOID_OK);
    ck_assert(axes == 3 && value[0] == 1 && value[1] == 2 && value[2] == LONG_MAX);
    ck_assert_int_eq(zoid_number_axes("n", "6", value, &axes), ZOID_OK);
    ck_assert(axes == 1 && value[0] == 6);
}
END_TEST

START_TEST(reals_are_finite)
{
    static const char *const bad[] = {"",          " 1",    "1 ", "nan", "inf",
                                      "-infinity", "1e999", "a",  "1,5"};
    double value = 9;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(zoid_number_real("n", bad[i], &value), ZOID_BAD_ARGUMENT);
    ck_assert(value == 9);
    ck_assert_int_eq(zoid_number_real("n", "-0.125", &value), ZOID_OK);
    ck_assert(value == -0.125);
    ck_assert_int_eq(zoid_number_real("n", "1e-3", &value), ZOID_OK);
    ck_assert(value == 1e-3);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, numbers_are_read, 0, NUMBERS);
    tcase_add_loop_test(tests, nothing_else_is, 0, NO_NUMBERS);
    tcase_add_test(tests, ranges_include_their_ends);
    tcase_add_test(tests, axes_are_up_to_three);
    tcase_add_test(tests, reals_are_finite);
}

int main(void)
{
    return run_suite("numbers", 60, add);
}
