/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's matrices on several ranks: bit-identical to the plain loop, as on one rank, with
 * all kinds of terms, continued from a job's state and restarted from other states with other
 * terms. Run alone it is one rank; tests/apps/test_matrix_ranks starts several, with CK_FORK=no. */
#include <string.h>

#include "graphs/cell.h"
#include "runtime/ranks/ranks.h"
#include "tests/runtime/context.h"
#include "tests/runtime/matrix.h"
#include "tests/suite.h"

/* Numbers of rows that neither two nor three ranks divide, and bands on one side only, or of the
 * diagonal alone. */
static const struct kind kinds[] = {{1003, 64, 64, 1, 1, ZOID_F64},
                                    {1009, 30, 90, 2, 1, ZOID_F32},
                                    {997, 0, 64, 3, 2, ZOID_F64},
                                    {997, 17, 0, 1, 3, ZOID_F32},
                                    {101, 0, 0, 1, 1, ZOID_F64}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct zoid_context *context;

static void open_once(void)
{
    if (!context)
        context = open_context("1", false);
}

static void plan(const struct sample *s, const struct zoid_request *request, struct zoid_plan *plan)
{
    ck_assert_msg(!zoid_plan_make(context, &s->problem, request, plan), "%s, %s: %s",
                  s->problem.op->name, request->method ? request->method : "auto", zoid_error());
}

/* One step an epoch, several steps and epochs, and the planner's choice: half of these with powers,
 * half with all kinds of terms. */
START_TEST(ranks_make_the_same_vectors)
{
    static const char *const methods[2][3] = {{"trapezoid", "recursive", NULL},
                                              {"naive", "leaning", "overlapped"}};
    const bool alone = zoid_ranks_here()->size == 1;

    open_once();
    for (int all = 0; all < 2; all++) {
        struct sample s =
            matrix_sample(&kinds[_i], (_i + all) % 2 ? ZOID_FORMAT_DIA : ZOID_FORMAT_SELL, all);
        struct zoid_plan made;

        for (int m = 0; m < 3; m++) {
            const char *method = methods[all][m];
            struct zoid_request request = {.method = method};

            if (method) {
                request.depth = strcmp(method, "naive") ? 2 : 1;
                request.epoch = alone ? 0 : 2;
            }
            plan(&s, &request, &made);
            ck_assert_int_eq(zoid_ranks(&made.graph), zoid_ranks_here()->size);
            matrix_run(context, &made, &s);
        }
        matrix_sample_free(&s);
    }
}
END_TEST

/* 3 steps and 5 more equal 8 steps; then another state, with terms counted from another step. The
 * rows stay in place. */
START_TEST(ranks_run_again)
{
    struct sample s = matrix_sample(&kinds[_i], _i % 2 ? ZOID_FORMAT_SELL : ZOID_FORMAT_DIA, true);
    struct zoid_initial start = {.problem = &s.problem, .state = matrix_fill, .of = (void *)s.kind};
    struct zoid_report report = {.op = NULL};
    struct zoid_plan made;
    struct zoid_job *job;

    open_once();
    plan(&s, &(struct zoid_request){.again = true}, &made);
    ck_assert_msg(!zoid_job_create(context, &made, &job), "%s", zoid_error());
    ck_assert(!zoid_job_fill(job, zoid_initial_box, &start) && !zoid_band_fill(s.band, job));
    ck_assert_msg(!zoid_job_run_steps(job, 3, false, &report), "%s", zoid_error());
    matrix_compare(job, &s, "three steps");
    ck_assert_msg(!zoid_job_run_steps(job, 5, false, &report), "%s", zoid_error());
    ck_assert_int_eq(zoid_job_steps(job), MATRIX_STEPS);
    matrix_compare(job, &s, "and five more");
    ck_assert(!zoid_band_set_terms(s.band, 2, matrix_terms + 1, MATRIX_TERMS - 1));
    ck_assert_msg(!zoid_job_refill(job, 2, NULL, zoid_initial_box, &start), "%s", zoid_error());
    ck_assert_msg(!zoid_job_run_steps(job, 2, false, &report), "%s", zoid_error());
    matrix_step(s.kind, &matrix_terms[1], true, &s.state[0], &s.state[3]);
    matrix_step(s.kind, &matrix_terms[2], true, &s.state[3], &s.state[4]);
    matrix_compare(job, &s, "from elsewhere");
    zoid_job_destroy(&job);
    matrix_sample_free(&s);
}
END_TEST

/* All ranks refuse a band that reaches beyond a neighbour's rows; a single rank does not. */
START_TEST(ranks_that_are_too_thin)
{
    static const struct kind k = {101, 60, 60, 1, 1, ZOID_F64};
    struct sample s = matrix_sample(&k, ZOID_FORMAT_DIA, false);
    struct zoid_plan made;
    enum zoid_status status;

    open_once();
    status = zoid_plan_make(context, &s.problem, &(struct zoid_request){.depth = 1}, &made);
    ck_assert_int_eq(status, zoid_ranks_here()->size == 1 ? ZOID_OK : ZOID_BAD_ARGUMENT);
    ck_assert_msg(!status || strstr(zoid_error(), "rank"), "%s", zoid_error());
    matrix_sample_free(&s);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, ranks_make_the_same_vectors, 0, KINDS);
    tcase_add_loop_test(tests, ranks_run_again, 0, KINDS);
    tcase_add_test(tests, ranks_that_are_too_thin);
}

int main(void)
{
    const int status = run_suite("matrices", 120, add);

    zoid_context_close(&context);
    zoid_ranks_end();
    return status;
}
