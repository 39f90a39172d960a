/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers have their scratch before a run. */
#include <sys/resource.h>

#include "tests/runtime/context.h"
#include "tests/suite.h"

static long faults(void)
{
    struct rusage usage;

    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
}

/* Of a run of so many steps, in pages of 4 KiB that are new to the program. */
static long faults_of(struct zoid_job *job, long steps)
{
    struct zoid_report report;
    const long before = faults();

    ck_assert_msg(!zoid_job_run_steps(job, steps, false, &report), "%s", zoid_error());
    return faults() - before;
}

START_TEST(no_block_waits_for_new_memory)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {128, 128, 512}, .steps = 4, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.method = "leaning", .block = 128, .depth = 4};
    struct zoid_initial initial = {.problem = &problem, .seed = 3};
    struct zoid_context *context = open_context("2", false);
    struct zoid_plan plan;
    struct zoid_job *job;
    long pages;

    ck_assert_msg(!zoid_plan_make(context, &problem, &request, &plan), "%s", zoid_error());
    ck_assert(!plan.place[0].spares);
    pages = (long)(plan.scratch_bytes / 4096);
    ck_assert_int_gt(pages, 4000);
    ck_assert_msg(!zoid_job_create(context, &plan, &job), "%s", zoid_error());
    ck_assert_int_eq(zoid_job_fill(job, zoid_initial_box, &initial), ZOID_OK);
    ck_assert_int_lt(faults_of(job, problem.steps), pages / 4);
    zoid_job_destroy(&job);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, no_block_waits_for_new_memory);
}

int main(void)
{
    setenv("STARPU_NCUDA", "0", 1);
    return run_suite("scratch", 60, add);
}
