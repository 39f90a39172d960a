/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/common/arith.h"

#include "tests/graphs/cases.h"
#include "tests/suite.h"

START_TEST(floor_sums)
{
    uint64_t seed = 5;

    for (int i = 0; i < 20000; i++) {
        long n = case_between(&seed, 0, 30), m = case_between(&seed, 1, 20), sum = 0;
        long a = case_between(&seed, 0, 50), low = case_between(&seed, 0, 60);
        long high = case_between(&seed, 0, 60);

        for (long j = 0; j < n; j++)
            sum += (a * j + high) / m - (a * j + low) / m;
        ck_assert_int_eq(zoid_floor_sum_between(n, m, a, low, high), sum);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, floor_sums);
}

int main(void)
{
    return run_suite("arith", 60, add);
}
