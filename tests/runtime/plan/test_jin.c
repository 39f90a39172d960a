/* SPDX-License-Identifier: BSD-3-Clause */
/* Jin's bound on the steps of a visit: by numbers, and of plans. */
#include <math.h>

#include "runtime/plan/jin.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

START_TEST(numbers)
{
    /* 12 passes of 4 steps, links busy for 24 s: 2 s a pass; kernels of 0.25 s a step. */
    struct zoid_jin jin = {
        .planes = 64, .depth = 4, .steps = 48, .link = 24, .kernels = 12, .redundant = 1};

    ck_assert_double_eq(zoid_jin_depth(&jin), 8);
    /* Half of the points are ghosts: half the steps take the same time. */
    jin.redundant = 2;
    ck_assert_double_eq(zoid_jin_depth(&jin), 4);
    /* The last pass is a short one. */
    jin.steps = 47;
    jin.kernels = 11.75;
    ck_assert_double_eq(zoid_jin_depth(&jin), 4);
    jin.planes = 3;
    ck_assert_double_eq(zoid_jin_depth(&jin), 3);
    /* A link that is never the limit bounds nothing. */
    jin.planes = 64;
    jin.link = 1;
    ck_assert_double_eq(zoid_jin_depth(&jin), 64);
}
END_TEST

static double bound_of(const struct setting *s, const struct zoid_traffic *traffic)
{
    const struct zoid_model model = zoid_model_of(&s->machine, &s->rates, &s->op);
    struct zoid_plan plan = plan_of(s);

    plan.cost = zoid_estimate(&model, &plan);
    return zoid_jin_of_plan(&plan, traffic);
}

START_TEST(plans)
{
    static const enum place others[] = {CORES, CORES_AND_DISK, GPU};
    const struct zoid_traffic some = {.h2d = 5e8, .d2h = 5e8}, more = {.h2d = 1e9, .d2h = 5e8},
                              unknown = {.h2d = NAN, .d2h = NAN};
    struct setting s = setting_of(GPU_STREAMS, zoid_method_find("leaning"));
    double bound;

    s.block = 512;
    bound = bound_of(&s, &some);
    ck_assert_double_gt(bound, 1);
    ck_assert_double_lt(fabs(bound_of(&s, &more) - 2 * bound), 2);
    ck_assert_double_eq(bound_of(&s, &unknown), 0);
    s.block = 4;
    ck_assert_double_eq(bound_of(&s, &more), 4);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        s = setting_of(others[i], zoid_method_find("leaning"));
        ck_assert_double_eq(bound_of(&s, &some), 0);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, numbers);
    tcase_add_test(tests, plans);
}

int main(void)
{
    return run_suite("jin", 60, add);
}
