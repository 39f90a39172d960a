/* SPDX-License-Identifier: BSD-3-Clause */
/* Error messages name settings by key, as options and as in Python; braces in arguments stay. */
#include <pthread.h>
#include <string.h>

#include "runtime/error.h"
#include "tests/suite.h"

static void says(const char *key, const char *keys, const char *options, const char *python)
{
    char text[256];

    ck_assert_str_eq(zoid_error_key(), key);
    ck_assert_str_eq(zoid_error(), keys);
    ck_assert_str_eq(zoid_error_as(ZOID_NAMES_KEYS), keys);
    ck_assert_uint_eq(zoid_error_text(ZOID_NAMES_OPTIONS, text, sizeof text), strlen(options));
    ck_assert_str_eq(text, options);
    ck_assert_uint_eq(zoid_error_text(ZOID_NAMES_PYTHON, text, sizeof text), strlen(python));
    ck_assert_str_eq(text, python);
}

START_TEST(keys)
{
    ck_assert_int_eq(zoid_fail(ZOID_DOES_NOT_FIT, "use {gpu_mem=%dM} or {disk_mem}", 3),
                     ZOID_DOES_NOT_FIT);
    says("gpu_mem", "use gpu_mem=3M or disk_mem", "use --gpu-mem 3M or --disk-mem",
         "use gpu_mem=\"3M\" or disk_mem");
    zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%g} and {%s=%s}", "lambda", 0.5, "residual-every", "8");
    says("lambda", "lambda=0.5 and residual_every=8", "--lambda 0.5 and --residual-every 8",
         "lambda_=0.5 and residual_every=8");
    zoid_fail(ZOID_BAD_ARGUMENT, "{scale=%s=%g}; %s", "v2", 2.0, ZOID_KEY("size") " is less");
    says("scale", "scale=v2=2; size is less", "--scale v2=2; --size is less",
         "scale=\"v2=2\"; size is less");
    zoid_fail(ZOID_RESOURCE, "no '%s'", "{size=1}");
    says("", "no '{size=1}'", "no '{size=1}'", "no '{size=1}'");
}
END_TEST

START_TEST(parts)
{
    char part[64];

    zoid_failure_format(part, sizeof part, "{dt=%.6g}", 0.25);
    zoid_fail(ZOID_BAD_ARGUMENT, "give %s or {force}", part);
    says("dt", "give dt=0.25 or force", "give --dt 0.25 or --force", "give dt=0.25 or force");
}
END_TEST

/* Texts and formats that are too long are truncated, as is a message in a short buffer. */
START_TEST(lengths)
{
    char longest[2000], text[8];

    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    zoid_fail(ZOID_BAD_ARGUMENT, "%s", longest);
    ck_assert_uint_gt(strlen(zoid_error()), 400);
    zoid_fail(ZOID_BAD_ARGUMENT, "{%s}", longest);
    ck_assert_uint_gt(strlen(zoid_error()), 400);
    ck_assert_uint_eq(strlen(zoid_error_key()), 63);
    zoid_fail(ZOID_BAD_ARGUMENT, "{ram=1M} {}{=}{a=}");
    says("ram", "ram=1M =a=", "--ram 1M ---- --a ", "ram=\"1M\" =\"\"a=\"\"");
    ck_assert_uint_eq(zoid_error_text(ZOID_NAMES_OPTIONS, text, sizeof text), 18);
    ck_assert_str_eq(text, "--ram 1");
    ck_assert_uint_eq(zoid_error_text(ZOID_NAMES_OPTIONS, NULL, 0), 18);
}
END_TEST

static void *fail_elsewhere(void *failure)
{
    zoid_failure_keep(failure, zoid_fail(ZOID_RESOURCE, "no {disk=%s}", "/x"));
    zoid_failure_keep(failure, zoid_fail(ZOID_STOPPED, "later"));
    return NULL;
}

START_TEST(kept)
{
    struct zoid_failure failure = {.status = ZOID_OK};
    pthread_t thread;

    zoid_fail(ZOID_BAD_ARGUMENT, "{size} here");
    ck_assert_int_eq(zoid_failure_raise(&failure), ZOID_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, &failure), 0);
    pthread_join(thread, NULL);
    says("size", "size here", "--size here", "size here");
    ck_assert_int_eq(zoid_failure_raise(&failure), ZOID_RESOURCE);
    says("disk", "no disk=/x", "no --disk /x", "no disk=\"/x\"");
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, keys);
    tcase_add_test(tests, parts);
    tcase_add_test(tests, lengths);
    tcase_add_test(tests, kept);
}

int main(void)
{
    return run_suite("error", 20, add);
}
