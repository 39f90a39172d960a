/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs for a scheduler: numbers above 0, which follow the seconds of blocks. */
#include <math.h>

#include "runtime/submit/costs.h"
#include "tests/check.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

/* Seconds; blocks end at this time, and costs are asked for. */
static const double NOW = 1000;

static struct zoid_place place_of(double a, double b)
{
    return (struct zoid_place){.crews = 2, .crew = {{.pace = a}, {.pace = b}}};
}

static bool usable(double us)
{
    return isfinite(us) && us > 0;
}

/* From any prediction, and after any block. */
START_TEST(costs_are_numbers)
{
    static const double odd[] = {0, -1, 1e-300, 1e300, 1e-9, NAN, INFINITY};
    enum { N = sizeof odd / sizeof *odd };

    for (int p = 0; p < N; p++)
        for (int s = 0; s < N; s++)
            for (int n = 0; n < N; n++) {
                const struct zoid_place place = place_of(odd[p], 1e-9);
                struct zoid_costs costs;

                zoid_costs_init(&costs, &place);
                ck_assert(usable(zoid_costs_of(&costs, 0, odd[n], NOW)));
                zoid_costs_teach(&costs, 0, odd[n], odd[s], NOW);
                ck_assert_msg(usable(zoid_costs_of(&costs, 0, 1000, NOW)), "%g s for %g points",
                              odd[s], odd[n]);
                ck_assert_double_eq_tol(zoid_costs_of(&costs, 1, 1e6, NOW), 1000, 1e-3);
            }
}
END_TEST

/* Blocks of drawn sizes that take a multiple of the prediction, more or less; from the middle on
 * ten times that. The other crew's costs stay. */
START_TEST(blocks_teach_their_crew)
{
    enum { BLOCKS = 200 };
    static const double slow[] = {0.05, 0.5, 1, 3, 40};
    const struct zoid_place place = place_of(2e-9, 1e-10);

    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        struct zoid_costs costs;
        uint64_t seed = i;
        double factor = slow[i];

        zoid_costs_init(&costs, &place);
        for (int b = 0; b < BLOCKS; b++) {
            const double points = (double)case_between(&seed, 100, 100000);
            const double scatter = (double)case_between(&seed, 90, 110) / 100;

            factor = b < BLOCKS / 2 ? slow[i] : 10 * slow[i];
            zoid_costs_teach(&costs, 0, points, 2e-9 * points * factor * scatter, NOW);
            if (b % (BLOCKS / 2) > 2)
                ck_assert_double_eq_tol(zoid_costs_of(&costs, 0, 1e6, NOW) / (2000 * factor), 1,
                                        0.15);
        }
        ck_assert_double_eq_tol(zoid_costs_of(&costs, 1, 1e6, NOW), 100, 1e-9);
    }
}
END_TEST

/* A spike is forgotten again; a change that lasts is learned. */
START_TEST(spikes_pass)
{
    const struct zoid_place place = place_of(1e-9, 1e-9);
    struct zoid_costs costs;

    zoid_costs_init(&costs, &place);
    for (int b = 0; b < 20; b++)
        zoid_costs_teach(&costs, 0, 1000, 1e-6, NOW);
    zoid_costs_teach(&costs, 0, 1000, 3e-6, NOW);
    ck_assert_double_lt(zoid_costs_of(&costs, 0, 1e6, NOW), 1100);
    zoid_costs_teach(&costs, 0, 1000, 1e-6, NOW);
    ck_assert_double_lt(zoid_costs_of(&costs, 0, 1e6, NOW), 1050);
    for (int b = 0; b < 2; b++)
        zoid_costs_teach(&costs, 0, 1000, 3e-6, NOW);
    ck_assert_double_eq_tol(zoid_costs_of(&costs, 0, 1e6, NOW), 3000, 1);
}
END_TEST

/* A crew that gets no blocks, since one was slow, costs as little as others after a while; one that
 * works goes on to cost as much as its blocks take. */
START_TEST(idle_crews_get_another_chance)
{
    const struct zoid_place place = place_of(1e-9, 1e-9);
    struct zoid_costs costs;

    zoid_costs_init(&costs, &place);
    zoid_costs_teach(&costs, 0, 1e6, 30e-3, NOW);
    zoid_costs_teach(&costs, 1, 1e6, 2e-3, NOW);
    ck_assert_double_eq_tol(zoid_costs_of(&costs, 0, 1e6, NOW), 30000, 1);
    ck_assert_double_eq_tol(zoid_costs_of(&costs, 0, 1e6, NOW + 30e-3), 30000, 1);
    ck_assert_double_gt(zoid_costs_of(&costs, 0, 1e6, NOW + 60e-3), 20000);
    ck_assert_double_lt(zoid_costs_of(&costs, 0, 1e6, NOW + 1), 3000);
    ck_assert_double_ge(zoid_costs_of(&costs, 0, 1e6, NOW + 1e9), 2000 - 1e-6);
    ck_assert_double_eq_tol(zoid_costs_of(&costs, 1, 1e6, NOW + 1), 2000, 1);
    zoid_costs_teach(&costs, 0, 1e6, 30e-3, NOW + 1);
    ck_assert_double_gt(zoid_costs_of(&costs, 0, 1e6, NOW + 1), 29000);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, costs_are_numbers);
    tcase_add_test(tests, blocks_teach_their_crew);
    tcase_add_test(tests, spikes_pass);
    tcase_add_test(tests, idle_crews_get_another_chance);
}

int main(void)
{
    return run_suite("costs", 60, add);
}
