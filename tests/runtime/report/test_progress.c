/* SPDX-License-Identifier: BSD-3-Clause */
/* The recent rate: over the last window, however long ago that began. */
#include <math.h>

#include "runtime/report/progress.h"
#include "tests/suite.h"

START_TEST(the_rate_is_that_of_the_window)
{
    struct zoid_recent p = zoid_recent_begin(100);

    ck_assert(zoid_recent_rate(&p, 0, 0) == 0);
    ck_assert(zoid_recent_rate(&p, 2, 20) == 10); /* since the start */
    ck_assert(zoid_recent_rate(&p, 4, 40) == 10);
    /* Ten times as fast from now on; the window begins at 40. */
    ck_assert(zoid_recent_rate(&p, 5, 140) == 100);
    ck_assert(zoid_recent_rate(&p, 6, 240) == 100);
    /* No further progress. */
    ck_assert(zoid_recent_rate(&p, 16, 240) == 100 / 11.);
}
END_TEST

/* For any number of lines, forgetting moves the window's beginning by at most a factor of two. */
START_TEST(a_long_run_keeps_its_window)
{
    struct zoid_recent p = zoid_recent_begin(1000);
    double points = 0, rate = 0;

    for (int second = 1; second <= 100000; second++) {
        const double speed = second <= 90000 ? 1 : 3;

        points += speed;
        rate = zoid_recent_rate(&p, second, points);
        if (second <= 90000)
            ck_assert(fabs(rate - 1) < 1e-9);
    }
    ck_assert(fabs(rate - 3) < 1e-9);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, the_rate_is_that_of_the_window);
    tcase_add_test(tests, a_long_run_keeps_its_window);
}

int main(void)
{
    return run_suite("progress", 60, add_tests);
}
