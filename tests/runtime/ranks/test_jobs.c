/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs of several ranks that run again, and that one rank stops. Run alone it is one rank;
 * tests/apps/test_ranks starts several, with CK_FORK=no. */
#include <stdio.h>

#include "runtime/ranks/ranks.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

static struct zoid_context *context;
static struct zoid_problem problem;
static struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 7};

static struct zoid_job *make(const char *method, long depth, long epoch)
{
    const struct zoid_request request = {
        .method = method, .block = 9, .depth = depth, .epoch = epoch, .cells = {2}, .again = true};
    struct zoid_plan plan;
    struct zoid_job *job;

    if (!context)
        context = open_context("1", false);
    problem = (struct zoid_problem){.op = zoid_op_find("wave", 3, 1, ZOID_F32), .n = {43, 24, 31}};
    ck_assert(problem.op);
    problem.params = zoid_op_defaults(problem.op);
    problem.steps = 37;
    ck_assert_msg(!zoid_plan_make(context, &problem, &request, &plan), "%s", zoid_error());
    ck_assert_msg(!zoid_job_create(context, &plan, &job), "%s", zoid_error());
    ck_assert_msg(!zoid_job_fill(job, zoid_initial_box, &initial), "%s", zoid_error());
    return job;
}

/* The report's totals are the sums over ranks. */
static void adds_up(const struct zoid_report *r)
{
    struct zoid_rank_report sum = {.messages = 0};

    ck_assert((zoid_ranks_here()->size > 1) == (r->each != NULL));
    if (!r->each)
        return;
    for (int rank = 0; rank < zoid_ranks_here()->size; rank++) {
        sum.messages += r->each[rank].messages;
        sum.mpi += r->each[rank].mpi;
        sum.waiting += r->each[rank].waiting;
        ck_assert_double_ge(r->each[rank].waiting, 0);
    }
    ck_assert_double_eq(sum.messages, r->messages);
    ck_assert_double_eq(sum.mpi, r->mpi);
    ck_assert_double_eq(sum.waiting, r->waiting);
    ck_assert_double_le(r->waiting, r->seconds * r->cpu_workers);
}

static void run(struct zoid_job *job, long steps)
{
    struct zoid_report report;

    ck_assert_msg(!zoid_job_run_steps(job, steps, false, &report), "%s", zoid_error());
    adds_up(&report);
}

START_TEST(legs_of_ranks_are_one_run)
{
    static const char *const methods[] = {"naive", "leaning", "trapezoid", "overlapped",
                                          "recursive"};
    const long depth = _i == 0 ? 1 : 2;
    struct zoid_job *job = make(methods[_i], depth, 4);

    run(job, 7);
    run(job, 1);
    run(job, 29);
    ck_assert_int_eq(zoid_job_steps(job), 37);
    ck_assert_msg(!zoid_check(job, &initial), "%s", zoid_error());
    zoid_job_destroy(&job);
}
END_TEST

START_TEST(one_rank_stops_all_after_the_same_step)
{
    struct zoid_job *job = make("leaning", 2, 2);
    uint64_t least, most;

    if (zoid_ranks_here()->rank == zoid_ranks_here()->size - 1)
        zoid_job_stop(job);
    run(job, 37);
    least = (uint64_t)zoid_job_steps(job);
    most = UINT64_MAX - least;
    zoid_ranks_least(&least, 1);
    zoid_ranks_least(&most, 1);
    ck_assert_int_eq(least, UINT64_MAX - most);
    ck_assert_int_gt(zoid_job_steps(job), 0);
    ck_assert_int_lt(zoid_job_steps(job), 37);
    ck_assert_msg(!zoid_check(job, &initial), "%s", zoid_error());
    run(job, 37 - zoid_job_steps(job));
    ck_assert_int_eq(zoid_job_steps(job), 37);
    ck_assert_msg(!zoid_check(job, &initial), "%s", zoid_error());
    zoid_job_destroy(&job);
}
END_TEST

static void count(void *tried, const struct zoid_plan *plan)
{
    (void)plan;
    ++*(long *)tried;
}

START_TEST(the_first_rank_alone_searches)
{
    long tried = 0;
    const struct zoid_request request = {.each = count, .self = &tried};
    struct zoid_plan plan;

    zoid_job_destroy(&(struct zoid_job *){make("naive", 1, 1)});
    ck_assert_msg(!zoid_plan_make(context, &problem, &request, &plan), "%s", zoid_error());
    ck_assert((tried > 0) == (zoid_ranks_here()->rank == 0));
    ck_assert_int_eq(plan.graph.rank, zoid_ranks_here()->rank);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, legs_of_ranks_are_one_run, 0, 5);
    tcase_add_test(tests, one_rank_stops_all_after_the_same_step);
    tcase_add_test(tests, the_first_rank_alone_searches);
}

int main(void)
{
    int result = run_suite("jobs of ranks", 100, add);

    zoid_context_close(&context);
    zoid_ranks_end();
    return result;
}
