/* SPDX-License-Identifier: BSD-3-Clause */
/* A context's settings of StarPU last no longer than the context, also if opening it fails; and
 * there is one context at a time. */
#include <signal.h>
#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/zoid_advanced.h"
#include "tests/suite.h"

static const char LIMIT[] = "STARPU_LIMIT_CUDA_MEM";

/* Opens a context with a limit of 640 MiB of GPU memory and closes it; refused without a GPU. */
static void open_limited(void)
{
    const struct zoid_context_options limited = {.gpu_mem = 640 << 20};
    struct zoid_context *context = NULL;
    enum zoid_status status = zoid_context_open(&limited, &context);

    if (status) {
        ck_assert_int_eq(status, ZOID_RESOURCE);
        ck_assert_ptr_null(context);
        return;
    }
    ck_assert_str_eq(getenv(LIMIT), "640");
    ck_assert_uint_le(zoid_context_machine(context)->gpu_mem, 640 << 20);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}

START_TEST(a_limit_ends_with_its_context)
{
    unsetenv(LIMIT);
    open_limited();
    ck_assert_ptr_null(getenv(LIMIT));
}
END_TEST

/* Rates are looked up by that name. Without a GPU there is neither a name nor a limit. */
START_TEST(a_gpu_has_the_same_name_with_a_limit)
{
    const struct zoid_context_options limited = {.gpu_mem = 640 << 20};
    struct zoid_context *context = NULL;
    char name[sizeof zoid_context_machine(context)->gpu];
    bool gpus;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    gpus = zoid_context_machine(context)->cuda_workers > 0;
    strcpy(name, zoid_context_machine(context)->gpu);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    ck_assert_int_eq(*name != 0, gpus);
    if (!gpus)
        return;
    ck_assert_int_eq(zoid_context_open(&limited, &context), ZOID_OK);
    ck_assert_str_eq(zoid_context_machine(context)->gpu, name);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}
END_TEST

START_TEST(the_limit_of_the_environment_is_there_again)
{
    ck_assert_int_eq(setenv(LIMIT, "770", 1), 0);
    open_limited();
    ck_assert_str_eq(getenv(LIMIT), "770");
}
END_TEST

START_TEST(settings_of_the_user_are_there_again)
{
    static const char *const names[] = {"STARPU_SUBALLOCATOR", "STARPU_MINIMUM_CLEAN_BUFFERS"};
    struct zoid_context *context = NULL;

    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(setenv(names[i], "1", 1), 0);
    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(getenv(names[i]), "0");
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(getenv(names[i]), "1");
}
END_TEST

/* The user's policy is for blocks that any worker takes; that of all others lets workers without a
 * task sleep, which would slow the members of a team on their cores down. */
START_TEST(workers_can_sleep_whatever_policy_the_user_names)
{
    static const char variable[] = "STARPU_SCHED";
    static const char *const names[] = {NULL, "prio", "eager", "none such"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct zoid_context *context = NULL;
        const struct starpu_sched_policy *policy;

        ck_assert_int_eq(names[i] ? setenv(variable, names[i], 1) : unsetenv(variable), 0);
        ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
        policy = starpu_sched_ctx_get_sched_policy(0);
        ck_assert_str_eq(policy->policy_name, "prio");
        for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
            ck_assert(policy->pop_task != (*p)->pop_task);
        ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
        ck_assert_pstr_eq(getenv(variable), names[i]);
    }
}
END_TEST

START_TEST(there_is_one_at_a_time)
{
    struct zoid_context *context = NULL, *other = NULL;

    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
        ck_assert_int_eq(zoid_context_open(NULL, &other), ZOID_BAD_ARGUMENT);
        ck_assert_ptr_null(other);
        ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    }
}
END_TEST

/* The library and StarPU leave handlers to the program. */
START_TEST(no_signal_is_caught)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGTRAP, SIGUSR1};
    struct zoid_context *context = NULL;
    struct sigaction before, now;

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaction(signals[i], NULL, &before);
        ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
        sigaction(signals[i], NULL, &now);
        ck_assert(now.sa_handler == before.sa_handler);
        ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, there_is_one_at_a_time);
    tcase_add_test(tests, no_signal_is_caught);
    tcase_add_test(tests, a_limit_ends_with_its_context);
    tcase_add_test(tests, a_gpu_has_the_same_name_with_a_limit);
    tcase_add_test(tests, the_limit_of_the_environment_is_there_again);
    tcase_add_test(tests, settings_of_the_user_are_there_again);
    tcase_add_test(tests, workers_can_sleep_whatever_policy_the_user_names);
}

int main(void)
{
    return run_suite("context", 60, add);
}
