/* SPDX-License-Identifier: BSD-3-Clause */
/* How the units of a launch share a box: every plane of every tile is processed by exactly one
 * unit, and no unit climbs farther than the planner assumes. */
#include "codelets/cuda/run.h"
#include "tests/suite.h"

enum { TRIALS = 20000 };

static long min(long a, long b)
{
    return a < b ? a : b;
}

/* Planes of a share that begins at index `at`, tile by tile; each tile starts a new climb. */
static long climbed(long at, long end, long planes, long lead)
{
    long own = 0, n;

    for (; at < end; at += n) {
        n = min(planes - at % planes, end - at);
        own += n + lead;
    }
    return own;
}

START_TEST(all_planes_are_shared_and_none_climbs_farther_than_told)
{
    for (int i = 0; i < TRIALS; i++) {
        const long tiles = 1 + rand() % 400, planes = 1 + rand() % (i % 2 ? 300 : 12);
        const long lead = rand() % 20, all = 1 + rand() % 300;
        const struct zoid_cuda_climb c = zoid_cuda_climb_of(tiles, planes, lead, all);
        const long rest = (tiles - c.whole) * planes;
        long most = 0;

        ck_assert_int_ge(c.units, 1);
        ck_assert_int_le(c.units, all);
        ck_assert_int_le(c.sharers, c.units);
        ck_assert_int_eq(c.whole % c.units, 0);
        ck_assert(rest == 0 || c.sharers > 0);
        for (long unit = 0; unit < c.units; unit++) {
            long own = c.whole / c.units * (planes + lead);

            if (unit < c.sharers)
                own +=
                    climbed(rest * unit / c.sharers, rest * (unit + 1) / c.sharers, planes, lead);
            most = own > most ? own : most;
        }
        ck_assert_int_le(most, c.planes);
        ck_assert_int_ge(most, c.planes - lead - 1);
        ck_assert_int_le(c.planes, (tiles + all - 1) / all * (planes + lead));
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, all_planes_are_shared_and_none_climbs_farther_than_told);
}

int main(void)
{
    return run_suite("climb", 60, add);
}
