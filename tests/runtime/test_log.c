/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagnostic lines go to the program's function, one at a time, and to no stream. */
#include "runtime/log.h"

#include <pthread.h>
#include <string.h>

#include "tests/runtime/context.h"
#include "tests/suite.h"

static char last[256];
static int lines, inside, together;

static void keep(void *user, const char *line)
{
    together += ++inside > 1;
    ck_assert_ptr_eq(user, last);
    snprintf(last, sizeof last, "%s", line);
    lines++;
    inside--;
}

START_TEST(lines_are_dropped_where_there_is_no_function)
{
    zoid_log("%s", "nothing");
    zoid_set_log(keep, last);
    zoid_log("line %d", 1);
    ck_assert_str_eq(last, "line 1");
    zoid_set_log(NULL, NULL);
    zoid_log("line %d", 2);
    ck_assert_str_eq(last, "line 1");
    ck_assert_int_eq(lines, 1);
}
END_TEST

static void *say(void *nothing)
{
    for (int i = 0; i < 1000; i++)
        zoid_log("%d", i);
    return nothing;
}

START_TEST(one_at_a_time)
{
    pthread_t thread[4];

    lines = 0;
    zoid_set_log(keep, last);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, say, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    ck_assert_int_eq(lines, 4000);
    ck_assert_int_eq(together, 0);
    zoid_set_log(NULL, NULL);
}
END_TEST

/* With progress, which ends with a line. */
START_TEST(a_run_says_how_far_it_is)
{
    struct zoid_context *context = open_context("1", false);
    const struct zoid_op *op = zoid_op_find("heat", 2, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {64, 64, 1}, .steps = 4, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.method = "naive"};
    struct zoid_initial initial = {.problem = &problem, .seed = 1};
    struct zoid_report report = {.op = NULL};
    struct zoid_plan plan;
    struct zoid_job *job;

    zoid_set_log(keep, last);
    ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_job_create(context, &plan, &job), ZOID_OK);
    ck_assert_int_eq(zoid_job_fill(job, zoid_initial_box, &initial), ZOID_OK);
    ck_assert_int_eq(zoid_job_run(job, true, &report), ZOID_OK);
    ck_assert_msg(!strncmp(last, "100.0 %  pass ", 14), "%s", last);
    ck_assert_ptr_null(strchr(last, '\n'));
    zoid_job_destroy(&job);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    zoid_set_log(NULL, NULL);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, lines_are_dropped_where_there_is_no_function);
    tcase_add_test(tests, one_at_a_time);
    tcase_add_test(tests, a_run_says_how_far_it_is);
}

int main(void)
{
    return run_suite("log", 60, add);
}
