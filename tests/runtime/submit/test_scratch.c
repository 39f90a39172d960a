/* SPDX-License-Identifier: BSD-3-Clause */
/* No block of a run waits for scratch memory that is new to the process, and no memory is allocated
 * for blocks that do not use scratch. */
#define _GNU_SOURCE /* for mincore */
#include <sys/mman.h>
#include <sys/resource.h>

#include "runtime/job.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

enum { PAGE = 4096 };

static long faults(void)
{
    struct rusage usage;

    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
}

/* Page faults of a run. */
static long faults_of(struct zoid_job *job, long steps)
{
    struct zoid_report report;
    const long before = faults();

    ck_assert_msg(!zoid_job_run_steps(job, steps, false, &report), "%s", zoid_error());
    return faults() - before;
}

/* Checks that all scratch of `cores` cores is resident. */
static void check_there(const struct zoid_core_scratch *scratch, size_t cores)
{
    const size_t pages = cores * scratch->bytes / PAGE;
    unsigned char *there = malloc(pages);

    ck_assert_ptr_nonnull(there);
    ck_assert_int_eq(mincore(scratch->memory, cores * scratch->bytes, there), 0);
    for (size_t i = 0; i < pages; i++)
        ck_assert_int_eq(there[i] & 1, 1);
    free(there);
}

/* Slabs of 128 planes, and all of the chain in one block, with fewer blocks than cores. */
START_TEST(no_block_waits_for_new_memory)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {128, 128, 512}, .steps = 4, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {
        .method = "leaning", .block = _i ? 512 : 128, .depth = 4, .strip = ZOID_STRIP_NONE};
    struct zoid_initial initial = {.problem = &problem, .seed = 3};
    struct zoid_context *context = open_context(_i ? "4" : "2", false);
    struct zoid_plan plan;
    struct zoid_job *job;
    long pages, brought;

    ck_assert_msg(!zoid_plan_make(context, &problem, &request, &plan), "%s", zoid_error());
    ck_assert(!plan.place.spares);
    ck_assert(!_i == (plan.census.blocks >= plan.place.workers));
    pages = (long)(plan.scratch_bytes / (uint64_t)plan.place.workers / PAGE);
    ck_assert_int_gt(pages, 1500);
    ck_assert_msg(!zoid_job_create(context, &plan, &job), "%s", zoid_error());
    check_there(&job->part->work.core_scratch, _i ? 1 : 2);
    ck_assert_int_eq(zoid_job_fill(job, zoid_initial_box, &initial), ZOID_OK);
    brought = faults_of(job, problem.steps);
    /* Sanitizers allocate new memory for their own records, too. */
    if (!SANITIZED)
        ck_assert_int_lt(brought, pages / 4);
    zoid_job_destroy(&job);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}
END_TEST

/* Vectorised sweeps use no scratch if their number of times equals that of lanes; with more times
 * they do. Cores without vectors always do. */
START_TEST(scratch_that_blocks_spare_is_not_brought)
{
    const struct zoid_op *op = zoid_op_find("sor", 2, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {2000, 1000, 1}, .steps = 64, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.method = "leaning", .block = 100, .depth = _i ? 32 : 8};
    struct zoid_context *context = open_context("2", false);
    struct zoid_core_scratch *scratch;
    unsigned char there;
    struct zoid_plan plan;
    struct zoid_job *job;

    ck_assert_msg(!zoid_plan_make(context, &problem, &request, &plan), "%s", zoid_error());
    ck_assert(plan.place.spares == (plan.place.runner && !_i));
    ck_assert_msg(!zoid_job_create(context, &plan, &job), "%s", zoid_error());
    scratch = &job->part->work.core_scratch;
    ck_assert_ptr_nonnull(scratch->memory);
    ck_assert_int_eq(mincore(scratch->memory, 1, &there), 0);
    ck_assert_int_eq(there & 1, !plan.place.spares);
    zoid_job_destroy(&job);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, scratch_that_blocks_spare_is_not_brought, 0, 2);
    tcase_add_loop_test(tests, no_block_waits_for_new_memory, 0, 2);
}

int main(void)
{
    setenv("STARPU_NCUDA", "0", 1);
    return run_suite("scratch", 60, add);
}
