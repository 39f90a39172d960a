/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of polynomials and their terms, one by one, and names that are refused. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/matrices/polynomial.h"
#include "tests/suite.h"

static void terms_are(const char *text, bool rhs, long steps, const struct zoid_term *want)
{
    struct zoid_polynomial p = {.shifts = 0};
    struct zoid_term *term;

    ck_assert_msg(!zoid_polynomial_read(text, &p), "%s", zoid_error());
    ck_assert(steps <= zoid_polynomial_most(&p));
    ck_assert(!zoid_polynomial_terms(&p, steps, rhs, &term));
    for (long i = 0; i < steps; i++)
        ck_assert_msg(term[i].a == want[i].a && term[i].b == want[i].b && term[i].c == want[i].c &&
                          term[i].d == want[i].d && term[i].s == 0,
                      "%s, term %ld: %g %g %g %g", text, i, term[i].a, term[i].b, term[i].c,
                      term[i].d);
    free(term);
    zoid_polynomial_free(&p);
}

START_TEST(bases)
{
    terms_are("power", false, 2, (struct zoid_term[]){{.a = 1}, {.a = 1}});
    terms_are("richardson:0.25", false, 2,
              (struct zoid_term[]){{.a = -0.25, .b = 1}, {.a = -0.25, .b = 1}});
    terms_are("richardson:0.25", true, 1, (struct zoid_term[]){{.a = -0.25, .b = 1, .d = 0.25}});
    /* e = 2, m = 3 */
    terms_are("chebyshev:1,5", false, 3,
              (struct zoid_term[]){
                  {.a = 0.5, .b = -1.5}, {.a = 1, .b = -3, .c = -1}, {.a = 1, .b = -3, .c = -1}});
    terms_are(
        "newton:2,0.5-3i,-1", false, 4,
        (struct zoid_term[]){
            {.a = 1, .b = -2}, {.a = 1, .b = -0.5}, {.a = 1, .b = -0.5, .c = 9}, {.a = 1, .b = 1}});
}
END_TEST

START_TEST(how_many_steps_there_are)
{
    struct zoid_polynomial p = {.shifts = 0};

    ck_assert(!zoid_polynomial_read("newton:1,2+1i", &p));
    ck_assert_int_eq(zoid_polynomial_most(&p), 3);
    ck_assert(zoid_polynomial_looks_back(&p));
    ck_assert(!zoid_polynomial_read("newton:1,2", &p));
    ck_assert_int_eq(zoid_polynomial_most(&p), 2);
    ck_assert(!zoid_polynomial_looks_back(&p));
    ck_assert(!zoid_polynomial_read("chebyshev:-1,1", &p));
    ck_assert_int_eq(zoid_polynomial_most(&p), LONG_MAX);
    ck_assert(zoid_polynomial_looks_back(&p));
    zoid_polynomial_free(&p);
}
END_TEST

static const char *const wrong[] = {"",
                                    "powers",
                                    "chebyshev",
                                    "chebyshev:",
                                    "chebyshev:1",
                                    "chebyshev:2,1",
                                    "chebyshev:1,1",
                                    "newton:",
                                    "newton:x",
                                    "newton:1+2",
                                    "newton:1,,2",
                                    "newton:1e999",
                                    "richardson:",
                                    "richardson:0",
                                    "richardson:1x"};

START_TEST(names_that_mean_nothing)
{
    struct zoid_polynomial p = {.shifts = 0};

    ck_assert_msg(zoid_polynomial_read(wrong[_i], &p) == ZOID_BAD_ARGUMENT, "%s", wrong[_i]);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "polynomial="));
    zoid_polynomial_free(&p);
}
END_TEST

START_TEST(sums)
{
    char path[] = "/tmp/zoid-terms-XXXXXX";
    struct zoid_polynomial p = {.shifts = 0};
    struct zoid_term *term;
    const int file = mkstemp(path);

    ck_assert(file >= 0 && write(file, "0.5, 1\n\n-2D0\t3", 15) == 15);
    ck_assert_msg(!zoid_polynomial_read_coefficients(path, &p), "%s", zoid_error());
    ck_assert_int_eq(p.numbers, 4);
    ck_assert_int_eq(zoid_polynomial_most(&p), 3);
    ck_assert(!zoid_polynomial_terms(&p, 3, false, &term));
    ck_assert(p.number[0] == 0.5 && term[0].s == 1 && term[1].s == -2 && term[2].s == 3);
    free(term);
    ck_assert(write(file, " x", 2) == 2);
    ck_assert_int_eq(zoid_polynomial_read_coefficients(path, &p), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "line 3"));
    ck_assert(!ftruncate(file, 0));
    ck_assert_int_eq(zoid_polynomial_read_coefficients(path, &p), ZOID_BAD_ARGUMENT);
    close(file);
    unlink(path);
    zoid_polynomial_free(&p);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, bases);
    tcase_add_test(tests, how_many_steps_there_are);
    tcase_add_loop_test(tests, names_that_mean_nothing, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(tests, sums);
}

int main(void)
{
    return run_suite("polynomial", 60, add);
}
