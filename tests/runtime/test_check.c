/* SPDX-License-Identifier: BSD-3-Clause */
/* The check fails when the job's state is not what the reference computes, and says where. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/zoid.h"

enum { FLOATS = 2 };

/* A job's initial state with one value of it changed. */
struct tampered {
    struct zoid_initial initial;
    long at[ZOID_AXES];
};

static void tampered_plane(void *user, int field, long z, void *plane)
{
    struct tampered *t = user;
    const struct zoid_problem *p = t->initial.problem;
    size_t i = (size_t)(t->at[0] + t->at[1] * p->n[0]);

    zoid_initial_plane(&t->initial, field, z, plane);
    if (z != t->at[2])
        return;
    if (p->op->type == ZOID_F32)
        ((float *)plane)[i] = 3;
    else
        ((double *)plane)[i] = 3;
}

static struct zoid_problem problem_of(enum zoid_type type, long steps)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, type);

    ck_assert_ptr_nonnull(op);
    return (struct zoid_problem){.op = op, .n = {6, 5, 7}, .steps = steps, .params = op->defaults};
}

/* Runs a job from one initial state and checks it against another. */
static enum zoid_status run_and_check(const struct zoid_problem *problem, zoid_plane_fn *plane,
                                      void *user, struct zoid_initial *reference)
{
    const struct zoid_request request = {.method = "leaning"};
    struct zoid_context *context = NULL;
    struct zoid_job *job = NULL;
    struct zoid_report report;
    struct zoid_plan plan;
    enum zoid_status status;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    ck_assert_int_eq(zoid_plan_make(context, problem, &request, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_job_create(context, &plan, &job), ZOID_OK);
    ck_assert_int_eq(zoid_job_fill(job, plane, user), ZOID_OK);
    ck_assert_int_eq(zoid_job_run(job, false, &report), ZOID_OK);
    status = zoid_check(job, reference);
    zoid_job_destroy(&job);
    zoid_context_close(&context);
    return status;
}

static void message_has(const char *text)
{
    ck_assert_msg(strstr(zoid_error(), text) != NULL, "no '%s' in: %s", text, zoid_error());
}

START_TEST(the_same_state_passes)
{
    struct zoid_problem problem = problem_of((enum zoid_type)_i, 4);
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 5};

    ck_assert_int_eq(run_and_check(&problem, zoid_initial_plane, &initial, &initial), ZOID_OK);
}
END_TEST

START_TEST(another_seed_fails)
{
    struct zoid_problem problem = problem_of((enum zoid_type)_i, 4);
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 5};
    struct zoid_initial other = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 6};

    ck_assert_int_eq(run_and_check(&problem, zoid_initial_plane, &initial, &other),
                     ZOID_CHECK_FAILED);
    message_has("u at (0, 0, 0) is ");
    message_has("210 different values among 210");
}
END_TEST

/* No step: the one value that was changed is the one difference, and it is named with its bits. */
START_TEST(one_wrong_value_is_found)
{
    static const char *const is[FLOATS] = {"is 3 (40400000) instead of 0 (00000000)",
                                           "is 3 (4008000000000000) instead of 0 "
                                           "(0000000000000000)"};
    struct zoid_problem problem = problem_of((enum zoid_type)_i, 0);
    struct tampered tampered = {.initial = {.problem = &problem, .kind = ZOID_INIT_ZERO},
                                .at = {5, 3, 6}};

    ck_assert_int_eq(run_and_check(&problem, tampered_plane, &tampered, &tampered.initial),
                     ZOID_CHECK_FAILED);
    message_has("u at (5, 3, 6) ");
    message_has(is[_i]);
    message_has(" 1 different values among 210");
}
END_TEST

/* After a step the wrong value has spread to its six neighbours, the lowest plane first. */
START_TEST(the_first_difference_is_named)
{
    struct zoid_problem problem = problem_of((enum zoid_type)_i, 1);
    struct tampered tampered = {.initial = {.problem = &problem, .kind = ZOID_INIT_ZERO},
                                .at = {2, 2, 3}};

    ck_assert_int_eq(run_and_check(&problem, tampered_plane, &tampered, &tampered.initial),
                     ZOID_CHECK_FAILED);
    message_has("u at (2, 2, 2) ");
    message_has(" 7 different values among 210");
}
END_TEST

/* The reference has to fit beside the run. */
START_TEST(what_does_not_fit_is_refused)
{
    struct zoid_problem problem = problem_of(ZOID_F32, 1);
    struct zoid_context *context = NULL;
    struct zoid_plan plan = {.problem = problem};
    uint64_t available;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    available = zoid_context_machine(context)->ram_available;
    plan.total_bytes = available - 2 * 210 * sizeof(float);
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_OK);
    plan.total_bytes++;
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_DOES_NOT_FIT);
    message_has("--check");
    plan.total_bytes = 0;
    plan.problem.n[2] = (long)(available / (2 * 30 * sizeof(float))) + 1;
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_DOES_NOT_FIT);
    zoid_context_close(&context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check");
    TCase *tests = tcase_create("verdicts");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, the_same_state_passes, 0, FLOATS);
    tcase_add_loop_test(tests, another_seed_fails, 0, FLOATS);
    tcase_add_loop_test(tests, one_wrong_value_is_found, 0, FLOATS);
    tcase_add_loop_test(tests, the_first_difference_is_named, 0, FLOATS);
    tcase_add_test(tests, what_does_not_fit_is_refused);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
