/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner's treatment of requests, for a synthetic machine. */
#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "graphs/cell.h"
#include "graphs/method.h"
#include "runtime/plan/parts.h"
#include "tests/check.h"
#include "tests/runtime/plan/made_up.h"

static enum zoid_status plan_for(const struct setting *s, const struct zoid_request *request,
                                 long rows, struct zoid_plan *plan)
{
    const struct zoid_site site = {.machine = &s->machine,
                                   .rates = &s->rates,
                                   .workers = {[ZOID_CORES] = s->machine.cpu_workers},
                                   .capacity = {[ZOID_RAM] = 4ull << 30}};
    const struct zoid_problem problem = {
        .op = &s->op, .n = {64, rows, s->planes}, .steps = s->steps};

    return zoid_plan_at(&site, &problem, request, plan);
}

/* The request names no method, so the refusal cannot advise another one. */
START_TEST(strips_of_planes_without_rows_are_refused)
{
    const struct setting s = setting_of(CORES, &zoid_leaning);
    const struct zoid_request request = {.strip = ZOID_STRIP_SOME};
    struct zoid_plan plan;

    ck_assert_int_eq(plan_for(&s, &request, 1, &plan), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(plan_for(&s, &request, 64, &plan), ZOID_OK);
    ck_assert_int_gt(zoid_plan_strip(&plan), 0);
}
END_TEST

/* A request's budget limits a tier, and so does the available memory. */
START_TEST(budgets_of_requests_limit_tiers)
{
    const struct setting s = setting_of(CORES, &zoid_leaning);
    const uint64_t asked[] = {0, 1ull << 30, 64ull << 30};
    const uint64_t capacity[] = {4ull << 30, 1ull << 30, 4ull << 30};

    for (int i = 0; i < 3; i++) {
        const struct zoid_request request = {.budget = {[ZOID_RAM] = asked[i]}};
        struct zoid_plan plan;

        ck_assert_int_eq(plan_for(&s, &request, 64, &plan), ZOID_OK);
        ck_assert_uint_eq(plan.tier[ZOID_RAM].capacity, capacity[i]);
        ck_assert_uint_le(plan.tier[ZOID_RAM].bytes, capacity[i]);
        ck_assert_int_eq(plan.home, ZOID_RAM);
        ck_assert_int_eq(plan.keep[ZOID_SLAB][ZOID_RAM], ZOID_KEEP_ALL);
    }
}
END_TEST

static int never(const struct zoid_cuda_sweep *sweep)
{
    (void)sweep;
    abort();
}

/* Ordered sweeps, as in a build with CUDA. */
static const struct zoid_op *in_order(void)
{
    static struct zoid_op op;

    op = *zoid_op_find("sor", 3, 1, ZOID_F32);
    op.cuda = never;
    return &op;
}

/* A plan of them for GPUs alone. */
static struct zoid_plan in_order_on_gpus(const struct setting *s, int gpus, int ranks)
{
    const struct zoid_op *op = in_order();
    const struct zoid_problem problem = {
        .op = op, .n = {64, 64, s->planes}, .steps = s->steps, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.block = 16, .depth = 16, .epoch = ranks > 1 ? 64 : 0};
    const struct zoid_site site = {
        .machine = &s->machine,
        .rates = &s->rates,
        .workers = {[ZOID_GPUS] = gpus},
        .capacity = {[ZOID_RAM] = 4ull << 30, [ZOID_GPU_MEMORY] = 1ull << 30},
        .gpu_wanted = true,
        .ranks = ranks};
    struct zoid_plan plan;

    ck_assert_msg(!zoid_plan_at(&site, &problem, &request, &plan), "%s", zoid_error());
    ck_assert(zoid_plan_streams(&plan));
    ck_assert_int_eq(zoid_ranks(&plan.graph), ranks);
    ck_assert_ptr_nonnull(strstr(plan.reason, " GPUs"));
    return plan;
}

/* Ranks take turns on GPUs as on cores: a rank between two others has the passes of all sweeps over
 * its own number of planes, and waits for the others. */
START_TEST(ranks_in_order_share_the_work_of_gpus)
{
    const struct setting s = setting_of(GPU, &zoid_leaning);

    for (int gpus = 1; gpus <= 2; gpus++) {
        const struct zoid_cost one = in_order_on_gpus(&s, gpus, 1).cost;
        double waits = 0;

        ck_assert_double_eq(one.part[ZOID_COST_MESSAGE], 0);
        for (int ranks = 3; ranks <= 4; ranks++) {
            const struct zoid_cost cost = in_order_on_gpus(&s, gpus, ranks).cost;
            const double share = cost.part[ZOID_COST_COMPUTE] / one.part[ZOID_COST_COMPUTE];

            ck_assert_double_eq_tol(share * ranks, 1, 0.1);
            ck_assert_double_gt(cost.part[ZOID_COST_MESSAGE], waits);
            waits = cost.part[ZOID_COST_MESSAGE];
        }
    }
}
END_TEST

/* The memory of one rank's plan is enough for all: ranks at the ends of the domain have other data
 * than those between. */
START_TEST(ranks_in_order_all_find_room)
{
    const struct setting s = setting_of(GPU_STREAMS, &zoid_leaning);
    const struct zoid_op *op = in_order();
    const struct zoid_problem problem = {
        .op = op, .n = {256, 256, 500}, .steps = 40, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.block = 1, .depth = 7};
    struct zoid_site site = {.machine = &s.machine,
                             .rates = &s.rates,
                             .workers = {[ZOID_GPUS] = 1},
                             .capacity = {[ZOID_RAM] = 4ull << 30}};

    for (site.ranks = 2; site.ranks <= 5; site.ranks++) {
        uint64_t *room = &site.capacity[ZOID_GPU_MEMORY];
        struct zoid_plan plan;

        site.rank = 0;
        *room = 0;
        do
            *room += 1 << 20;
        while (zoid_plan_at(&site, &problem, &request, &plan) && *room < 1ull << 30);
        for (; site.rank < site.ranks; site.rank++) {
            ck_assert_msg(!zoid_plan_at(&site, &problem, &request, &plan), "%s", zoid_error());
            ck_assert_int_eq(plan.graph.rank, site.rank);
            ck_assert_uint_le(plan.tier[ZOID_GPU_MEMORY].bytes, *room);
        }
    }
}
END_TEST

/* If there are cores as well, the plan's reason compares both places. */
START_TEST(ranks_in_order_compare_places)
{
    const struct setting s = setting_of(CORES, &zoid_leaning);
    const struct zoid_op *op = in_order();
    const struct zoid_problem problem = {
        .op = op, .n = {64, 64, s.planes}, .steps = s.steps, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.block = 16};
    const struct zoid_site site = {
        .machine = &s.machine,
        .rates = &s.rates,
        .workers = {[ZOID_CORES] = 4, [ZOID_GPUS] = 1},
        .capacity = {[ZOID_RAM] = 4ull << 30, [ZOID_GPU_MEMORY] = 1ull << 30},
        .ranks = 2};
    struct zoid_plan plan;

    ck_assert_msg(!zoid_plan_at(&site, &problem, &request, &plan), "%s", zoid_error());
    ck_assert_ptr_nonnull(strstr(plan.reason, zoid_plan_streams(&plan) ? "on cores" : "on GPUs"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *tests = tcase_create("plan");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tests, strips_of_planes_without_rows_are_refused);
    tcase_add_test(tests, budgets_of_requests_limit_tiers);
    tcase_add_test(tests, ranks_in_order_share_the_work_of_gpus);
    tcase_add_test(tests, ranks_in_order_all_find_room);
    tcase_add_test(tests, ranks_in_order_compare_places);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
