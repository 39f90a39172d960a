/* SPDX-License-Identifier: BSD-3-Clause */
/* Legs fit the memory that their run was planned for, and keep data in place. */
#include <limits.h>
#include <string.h>

#include "codelets/block/scratch.h"
#include "graphs/method.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/leg.h"
#include "runtime/plan/parts.h"
#include "tests/graphs/cases.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

enum { RUNS = 150, LEGS = 8 };

/* The plan of a run of legs, with budgets that have no spare memory. */
static struct zoid_plan run_between(uint64_t *seed, struct setting *s)
{
    struct zoid_plan p;
    bool clamped;

    s->planes = case_between(seed, 2, 300);
    s->steps = case_between(seed, 1, 60);
    s->block = case_between(seed, 2, 60);
    s->depth = case_between(seed, 1, 20);
    s->lanes = (int)case_between(seed, 1, 6);
    p = plan_of(s);
    p.problem.params = zoid_op_defaults(&s->op);
    p.graph.leg.is = ZOID_LEG_FIRST;
    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        p.graph.cut[a].cells = case_between(seed, 0, 2) ? 1 : case_between(seed, 1, 3);
    ck_assert_int_eq(zoid_graph_init(&p.graph, &clamped), 0);
    p.layout = zoid_plan_layout(&p, 0);
    zoid_graph_census(&p.graph, &p.census);
    p.scratch_planes = zoid_scratch_planes(&p.graph.shape, p.census.box_planes,
                                           zoid_place_of(&p)->batch(&p.graph));
    zoid_budget_count(&p);
    for (int t = 0; t < ZOID_TIERS; t++)
        p.tier[t].capacity = p.tier[t].bytes;
    return p;
}

static void fits(const struct zoid_plan *leg, const struct zoid_plan *run)
{
    ck_assert(!memcmp(leg->keep, run->keep, sizeof leg->keep));
    for (int t = 0; t < ZOID_TIERS; t++)
        ck_assert_uint_le(leg->tier[t].bytes, run->tier[t].capacity);
    for (int k = 0; k < ZOID_KINDS; k++)
        if (k == ZOID_SLAB || k == ZOID_COEFFICIENT || k == ZOID_HALO)
            ck_assert(
                !memcmp(&leg->census.kind[k], &run->census.kind[k], sizeof leg->census.kind[k]));
}

/* Also legs that need more of something than the whole run, with fewer lanes. */
START_TEST(legs_fit)
{
    const enum place place = (enum place)(_i % PLACES);
    const struct zoid_method *method = zoid_methods[_i / PLACES];
    uint64_t seed = 3 + (uint64_t)_i;

    for (int i = 0; i < RUNS; i++) {
        struct setting s = setting_of(place, method);
        const struct zoid_plan run = run_between(&seed, &s);
        struct zoid_plan leg = run;
        long start = case_between(&seed, 0, 100);

        for (int l = 0; l < LEGS; l++) {
            const struct zoid_next_leg next = {.run = &run,
                                               .first = l == 0,
                                               .start = start,
                                               .steps = case_between(&seed, 0, run.problem.steps)};

            ck_assert_msg(!zoid_plan_next(&leg, &next), "%s", zoid_error());
            fits(&leg, &run);
            ck_assert_int_eq(leg.graph.start, start);
            ck_assert_int_eq(leg.graph.steps, next.steps);
            start += next.steps;
        }
    }
}
END_TEST

START_TEST(others_are_refused)
{
    uint64_t seed = 5;
    struct setting s = setting_of(CORES, &zoid_leaning);
    struct zoid_plan run = run_between(&seed, &s), leg;
    struct zoid_next_leg next = {.run = &run, .first = true, .steps = -1};

    leg = run;
    ck_assert_int_eq(zoid_plan_next(&leg, &next), ZOID_BAD_ARGUMENT);
    next.steps = 1;
    next.start = LONG_MAX;
    ck_assert_int_eq(zoid_plan_next(&leg, &next), ZOID_BAD_ARGUMENT);
    next.start = 3;
    run.tier[ZOID_RAM].capacity = 1;
    ck_assert_int_eq(zoid_plan_next(&leg, &next), ZOID_DOES_NOT_FIT);
    ck_assert_int_eq(leg.graph.start, 0);
    ck_assert_int_eq(leg.problem.steps, run.problem.steps);
}
END_TEST

/* All legs of a run use its block runner. */
START_TEST(runners_stay)
{
    static const struct zoid_block_runner own = {.name = "own"};
    uint64_t seed = 7;
    struct setting s = setting_of(CORES, &zoid_leaning);
    struct zoid_plan run = run_between(&seed, &s), leg = run;
    const struct zoid_next_leg next = {.run = &run, .first = true, .steps = run.problem.steps};

    run.place.runner = &own;
    ck_assert_msg(!zoid_plan_next(&leg, &next), "%s", zoid_error());
    ck_assert_ptr_eq(leg.place.runner, &own);
    ck_assert_int_eq(leg.place.lanes, leg.graph.lanes);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, legs_fit, 0, case_methods() * PLACES);
    tcase_add_test(tests, others_are_refused);
    tcase_add_test(tests, runners_stay);
}

int main(void)
{
    return run_suite("leg", 120, add);
}
