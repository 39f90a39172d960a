/* SPDX-License-Identifier: BSD-3-Clause */
/* The note on runs that moved more bytes than planned. */
#include "graphs/method.h"
#include "runtime/zoid_advanced.h"

#include <math.h>
#include <string.h>

#include "runtime/plan/budget.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

static char line[ZOID_MOVED_LINE];

/* True if the note appears for a run on one GPU that moved these bytes; planned: 100 GB up, 80 GB
 * down, 20 GB to another GPU. */
static bool more(double h2d, double d2h, double p2p)
{
    const struct setting s = setting_of(GPU_STREAMS, &zoid_leaning);
    const struct zoid_plan plan = plan_of(&s);
    const struct zoid_report r = {.cuda_workers = 1,
                                  .h2d = h2d,
                                  .d2h = d2h,
                                  .p2p = p2p,
                                  .planned = {.h2d = 100e9, .d2h = 80e9, .p2p = 20e9}};

    return zoid_moved_more(&plan, &r, line);
}

START_TEST(within_bounds)
{
    ck_assert(!more(100e9, 80e9, 20e9));
    ck_assert(!more(0, 0, 0));
    ck_assert(!more(102e9, 81.6e9, 20.4e9));
    /* Through main memory, and coefficients that another GPU had: same total. */
    ck_assert(!more(120e9, 100e9, 0));
    ck_assert(!more(60e9, 80e9, 60e9));
}
END_TEST

START_TEST(beyond_them)
{
    ck_assert(more(150e9, 80e9, 20e9));
    ck_assert_msg(strstr(line, "170 GB came to GPUs, 1.42 times"), "%s", line);
    ck_assert(more(100e9, 80e9, 60e9));
    ck_assert(more(100e9, 100e9, 20e9));
    ck_assert_msg(strstr(line, "100 GB went home from GPUs, 1.25 times"), "%s", line);
    ck_assert(more(120e9, 110e9, 0));
}
END_TEST

/* One slab more is not reported, and unknown amounts are not compared. */
START_TEST(nothing_is_said)
{
    const struct setting s = setting_of(GPU, &zoid_leaning);
    struct zoid_plan plan = plan_of(&s);
    const double slab = (double)zoid_budget_datum_bytes(&plan, ZOID_SLAB);
    struct zoid_report r = {.cuda_workers = 1, .h2d = slab};

    ck_assert(!zoid_moved_more(&plan, &r, line));
    r.h2d += 1;
    ck_assert(zoid_moved_more(&plan, &r, line));
    plan.home = ZOID_DISK;
    ck_assert(!zoid_moved_more(&plan, &r, line));
    plan.home = ZOID_RAM;
    r.planned.h2d = r.planned.p2p = NAN;
    ck_assert(!zoid_moved_more(&plan, &r, line));
    r.h2d = NAN;
    ck_assert(!zoid_moved_more(&plan, &r, line));
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, within_bounds);
    tcase_add_test(tests, beyond_them);
    tcase_add_test(tests, nothing_is_said);
}

int main(void)
{
    return run_suite("moved", 30, add);
}
