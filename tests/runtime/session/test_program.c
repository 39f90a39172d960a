/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions of programs with a command line: options, states, plans, a run in parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/zoid_advanced.h"
#include "runtime/zoid_session.h"
#include "tests/suite.h"

static void must(enum zoid_status status)
{
    ck_assert_msg(!status, "%d %s", status, zoid_error());
}

static enum zoid_status add_answer(struct zoid_session *s)
{
    const struct zoid_derived answer = {.name = "answer", .value = 42};

    zoid_session_derive(s, &answer);
    return ZOID_OK;
}

static const char *const families[] = {"jacobi2d", "box27", NULL};
static const struct zoid_option_change changes[] = {
    {.key = "steps", .fallback = "6", .doc = "another line"},
    {.key = "seed", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "rhs",
     .how = ZOID_OPTION_ADDED,
     .group = ZOID_GROUP_power,
     .values = ZOID_VALUES_TEXT,
     .value = "ANY",
     .doc = "any text"},
    {.key = "init", .values = ZOID_VALUES_INIT_KIND, .value = "KIND", .doc = "a kind"},
    {.key = NULL}};
static const struct zoid_program program = {.name = "mine",
                                            .families = families,
                                            .choose = "kernel",
                                            .changes = changes,
                                            .derive = add_answer};

static struct zoid_session *begin(void)
{
    struct zoid_session *s = NULL;

    must(zoid_session_create(&s));
    must(zoid_session_set_program(s, &program));
    return s;
}

/* Returns the index of the option, or -1. */
static long find(const struct zoid_session *s, const char *key)
{
    const struct zoid_option *option;
    const size_t n = zoid_session_options(s, &option);

    for (size_t i = 0; i < n; i++)
        if (!strcmp(option[i].key, key))
            return (long)i;
    return -1;
}

static enum zoid_status set(struct zoid_session *s, const char *key, const char *text)
{
    ck_assert_msg(find(s, key) >= 0, "no option %s", key);
    return zoid_session_set_option(s, (size_t)find(s, key), text);
}

START_TEST(options_are_the_settings_of_a_program)
{
    struct zoid_session *s = begin();
    const struct zoid_option *option;

    zoid_session_options(s, &option);
    ck_assert_str_eq(option[find(s, "kernel")].value, "jacobi2d|box27");
    ck_assert_int_eq(find(s, "operator"), -1);
    ck_assert_int_eq(find(s, "seed"), -1);
    ck_assert_int_eq(find(s, "velocity"), -1); /* no operator has it */
    ck_assert_int_eq(find(s, "matrix"), -1);   /* of another group */
    ck_assert_str_eq(option[find(s, "steps")].doc, "another line");
    ck_assert_str_eq(option[find(s, "steps")].fallback, "6");
    ck_assert_str_eq(zoid_session_get(s, "steps"), "6");
    ck_assert_int_eq(option[find(s, "rhs")].group, 1 + ZOID_GROUP_NUMBER_power);
    ck_assert_int_eq(find(s, "quiet"), -1); /* of the command line alone */
    ck_assert(option[find(s, "block")].advanced);
    ck_assert(!option[find(s, "size")].advanced);
    ck_assert_ptr_null(option[find(s, "check")].value);
    zoid_session_destroy(&s);
}

START_TEST(options_accept_what_the_program_does)
{
    struct zoid_session *s = begin();

    ck_assert_int_eq(set(s, "kernel", "heat"), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_error_key(), "kernel");
    must(set(s, "kernel", "box27"));
    ck_assert_str_eq(zoid_session_get(s, "operator"), "box27");
    ck_assert_int_eq(set(s, "init", "u=1"), ZOID_BAD_ARGUMENT);
    must(set(s, "init", "zero"));
    must(set(s, "rhs", "what=ever"));
    ck_assert_str_eq(zoid_session_get(s, "rhs"), "what=ever");
    ck_assert(!zoid_session_is_set(s, "check"));
    must(set(s, "check", NULL));
    ck_assert(zoid_session_is_set(s, "check"));
    ck_assert(!zoid_session_is_set(s, "steps")); /* it has a default */
    ck_assert_str_eq(zoid_session_get(s, "check"), "yes");
    zoid_session_destroy(&s);
}

static struct zoid_session *examined(void)
{
    struct zoid_session *s = begin();

    must(set(s, "size", "40x30"));
    must(set(s, "method", "leaning"));
    must(set(s, "check", NULL));
    must(zoid_session_examine(s));
    return s;
}

START_TEST(what_was_examined_stays)
{
    struct zoid_session *s = begin();

    must(set(s, "size", "40x30"));
    must(set(s, "dims", "3"));
    ck_assert_int_ne(zoid_session_examine(s), ZOID_OK);
    must(zoid_session_unset(s, "dims")); /* a failure leaves the session as it was */
    must(zoid_session_examine(s));
    ck_assert_int_eq(zoid_session_problem_of(s)->n[0], 40);
    ck_assert_int_eq(set(s, "size", "50x30"), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_session_set_int(s, "steps", 3), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_session_set_program(s, &program), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_session_examine(s), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_null(zoid_session_plan_text(s));
    must(zoid_session_plan(s));
    ck_assert_ptr_nonnull(zoid_session_plan_text(s));
    zoid_session_destroy(&s);
}

START_TEST(plans_and_graphs_are_written)
{
    struct zoid_session *s = examined();
    char *plans = NULL, name[] = "/tmp/zoid-graph-XXXXXX", line[64] = "";
    size_t length;
    FILE *out = open_memstream(&plans, &length), *graph;
    const int file = mkstemp(name);

    ck_assert_ptr_nonnull(out);
    ck_assert_int_ge(file, 0);
    close(file);
    zoid_session_list_plans(s, out);
    must(zoid_session_plan(s));
    fclose(out);
    ck_assert_msg(!strncmp(plans, "fits leaning block ", 19), "%s", plans);
    ck_assert_ptr_nonnull(strstr(plans, " predicted_seconds "));
    must(zoid_session_write_graph(s, name));
    graph = fopen(name, "r");
    ck_assert_ptr_nonnull(graph);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, graph));
    ck_assert_msg(strstr(line, "digraph") != NULL, "%s", line);
    fclose(graph);
    unlink(name);
    ck_assert_int_eq(zoid_session_start(s), ZOID_BAD_ARGUMENT);
    free(plans);
    zoid_session_destroy(&s);
}

START_TEST(a_run_in_parts)
{
    struct zoid_session *s = examined();
    struct zoid_failure found = {.status = ZOID_OK};
    const struct zoid_report *report;

    must(zoid_session_plan(s));
    ck_assert(!zoid_session_stop_forecast(s).repeats);
    ck_assert_double_eq(zoid_session_stop_forecast(s).checkpoint_seconds, 0);
    ck_assert_int_eq(zoid_session_complete(s), ZOID_BAD_ARGUMENT);
    must(zoid_session_start(s));
    must(zoid_session_complete(s));
    ck_assert(!zoid_session_lost(s, ZOID_OK));
    ck_assert_int_eq(zoid_session_step(s), 6);
    must(zoid_session_check(s));
    must(zoid_session_write_results(s, &found));
    ck_assert_int_eq(found.status, ZOID_OK);
    report = zoid_session_report_of(s);
    ck_assert_str_eq(report->app, "mine");
    ck_assert_str_eq(report->check, "passed");
    ck_assert_str_eq(report->derived[0].name, "answer");
    ck_assert_double_eq(report->derived[0].value, 42);
    ck_assert_ptr_eq(report->op, zoid_session_plan_of(s)->problem.op);
    ck_assert_ptr_nonnull(strstr(report->settings, "\"size\": \"40x30\""));
    must(zoid_session_write_report(s));
    must(zoid_session_close(s, ZOID_OK));
    ck_assert_int_eq(zoid_session_start(s), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_session_get(s, "size"), "40x30");
    zoid_session_destroy(&s);
    ck_assert_ptr_null(s);
}

static void add(TCase *tests)
{
    tcase_add_test(tests, options_are_the_settings_of_a_program);
    tcase_add_test(tests, options_accept_what_the_program_does);
    tcase_add_test(tests, what_was_examined_stays);
    tcase_add_test(tests, plans_and_graphs_are_written);
    tcase_add_test(tests, a_run_in_parts);
}

int main(void)
{
    setenv("ZOID_RATES_MODE", "default", 0);
    return run_suite("program", 60, add);
}
