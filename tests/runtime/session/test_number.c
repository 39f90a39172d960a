/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of the command line: accepted and refused. */
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
};

static const struct {
    const char *text;
    uint64_t value;
} sizes[] = {
    {"18446744073709551615", UINT64_MAX},
    {"3K", 3072},
    {"3Ki", 3072},
    {"3KiB", 3072},
    {"2M", 2097152},
    {"1.5M", 1572864},
    {"0.3K", 307},
    {"5G", UINT64_C(5368709120)},
    {"1T", UINT64_C(1099511627776)},
    {"16777215T", UINT64_C(18446742974197923840)},
    {"16777215.5TiB", UINT64_C(18446743523953737728)},
    {"0T", 0},
};

static const char *const no_numbers[] = {"",
                                         " ",
                                         "-1",
                                         "+1",
                                         " 1",
                                         "1 ",
                                         "1.0",
                                         "1e3",
                                         "0x1",
                                         "K",
                                         "1k",
                                         "1KK",
                                         "1KB",
                                         "1 K",
                                         "1K ",
                                         "x",
                                         "1\n",
                                         "1K",
                                         "1M",
                                         "1Ki",
                                         "18446744073709551616",
                                         "99999999999999999999999999999999999999"};

static const char *const no_sizes[] = {"",
                                       " ",
                                       "-1",
                                       "1.5",
                                       "1.",
                                       ".5K",
                                       "1.K",
                                       "1KK",
                                       "1KB",
                                       "1GB",
                                       "1 K",
                                       "1KiBB",
                                       "1Kb",
                                       "1B",
                                       "1k",
                                       "1KI",
                                       "K",
                                       "1e3",
                                       "16777216T",
                                       "18446744073709551616",
                                       "16777215.9999999999T9"};

enum {
    NUMBERS = sizeof numbers / sizeof *numbers,
    NO_NUMBERS = sizeof no_numbers / sizeof *no_numbers,
    SIZES = sizeof sizes / sizeof *sizes,
    NO_SIZES = sizeof no_sizes / sizeof *no_sizes
};

START_TEST(numbers_are_read)
{
    uint64_t value = 99;

    ck_assert_int_eq(zoid_number_count("n", numbers[_i].text, any, &value), ZOID_OK);
    ck_assert_uint_eq(value, numbers[_i].value);
}
END_TEST

START_TEST(nothing_else_is)
{
    uint64_t value = 99;

    ck_assert_int_eq(zoid_number_count("n", no_numbers[_i], any, &value), ZOID_BAD_ARGUMENT);
    ck_assert_uint_eq(value, 99);
}
END_TEST

START_TEST(sizes_are_read)
{
    uint64_t value = 99;

    ck_assert_int_eq(zoid_number_bytes("n", sizes[_i].text, any, &value), ZOID_OK);
    ck_assert_uint_eq(value, sizes[_i].value);
}
END_TEST

START_TEST(no_other_sizes_are)
{
    uint64_t value = 99;

    ck_assert_int_eq(zoid_number_bytes("n", no_sizes[_i], any, &value), ZOID_BAD_ARGUMENT);
    ck_assert_uint_eq(value, 99);
}
END_TEST

/* Suffixes are for bytes: the message shows both readings. */
START_TEST(suffixes_are_explained)
{
    uint64_t value = 99;
    long axes_of[ZOID_AXES];
    int axes;

    ck_assert_int_eq(zoid_number_count("steps", "1K", any, &value), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_error(), "steps '1K': K is 1024, and for bytes only; write 1000 or 1024");
    ck_assert_int_eq(zoid_number_axes("size", "4Mx4M", axes_of, &axes), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_error(),
                     "size '4Mx4M': M is 1048576, and for bytes only; write 4000000 or 4194304");
    ck_assert_int_eq(zoid_number_bytes("ram", "1GB", any, &value), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_error(),
                     "ram '1GB': GB may be powers of 1000 or of 1024; write GiB, or digits");
}
END_TEST

START_TEST(ranges_include_their_ends)
{
    static const struct zoid_number_range range = {.least = 3, .most = 5};
    uint64_t value = 99;

    ck_assert_int_eq(zoid_number_count("n", "2", range, &value), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_number_count("n", "6", range, &value), ZOID_BAD_ARGUMENT);
    ck_assert_uint_eq(value, 99);
    ck_assert_int_eq(zoid_number_count("n", "3", range, &value), ZOID_OK);
    ck_assert_int_eq(zoid_number_count("n", "5", range, &value), ZOID_OK);
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
    ck_assert_int_eq(zoid_number_axes("n", "2048x3", value, &axes), ZOID_OK);
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
    tcase_add_loop_test(tests, sizes_are_read, 0, SIZES);
    tcase_add_loop_test(tests, no_other_sizes_are, 0, NO_SIZES);
    tcase_add_test(tests, suffixes_are_explained);
    tcase_add_test(tests, ranges_include_their_ends);
    tcase_add_test(tests, axes_are_up_to_three);
    tcase_add_test(tests, reals_are_finite);
}

int main(void)
{
    return run_suite("numbers", 60, add);
}
