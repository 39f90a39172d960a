/* SPDX-License-Identifier: BSD-3-Clause */
/* The context that sessions share: one for all holders, restarted for other options only where it
 * has no other holder, and never beside a private one. */
#include <stdlib.h>
#include <string.h>

#include "runtime/context.h"
#include "runtime/session/shared.h"
#include "tests/suite.h"

static const struct zoid_context_options usual = {.rates = ZOID_RATES_DEFAULT};
static struct zoid_context *a, *b, *private;
static bool enough; /* what the context that was left has */
static int opened;

static void set_up(void)
{
    enough = true;
    ck_assert_int_eq(setenv("STARPU_NCPU", "1", 1), 0);
}

static enum zoid_status open_one(void *user, const struct zoid_context_options *wanted,
                                 struct zoid_context **context)
{
    ck_assert_ptr_eq(user, &enough);
    opened++;
    return zoid_context_open(wanted, context);
}

static bool serves(void *user, const struct zoid_context *context)
{
    ck_assert(context != NULL && user == &enough);
    return enough;
}

static enum zoid_status take(const struct zoid_context_options *options,
                             struct zoid_context **context)
{
    return zoid_shared_take(
        options, &(struct zoid_opener){.open = open_one, .serves = serves, .user = &enough},
        context);
}

static void hold(struct zoid_context **context)
{
    ck_assert_msg(!take(&usual, context), "%s", zoid_error());
}

static void give_back(struct zoid_context **context)
{
    ck_assert_msg(!zoid_shared_give_back(context), "%s", zoid_error());
}

START_TEST(all_hold_the_same)
{
    const struct zoid_context *first;

    hold(&a);
    hold(&b);
    ck_assert_ptr_eq(a, b);
    first = a;
    ck_assert_int_eq(zoid_shared_close(), ZOID_BAD_ARGUMENT);
    give_back(&a);
    give_back(&b);
    ck_assert_ptr_null(b);
    give_back(&b);
    hold(&a);
    ck_assert_ptr_eq(a, first);
    ck_assert_uint_eq(a->jobs->ram, a->machine.ram_available);
    give_back(&a);
    ck_assert_int_eq(zoid_shared_close(), ZOID_OK);
    ck_assert_int_eq(zoid_shared_close(), ZOID_OK);
}
END_TEST

START_TEST(other_options_restart_it_without_holders)
{
    const struct {
        const char *key;
        struct zoid_context_options options;
    } others[] = {{"rates", {.rates = ZOID_RATES_KEEP}},
                  {"oversubscribe", {.rates = ZOID_RATES_DEFAULT, .oversubscribe = true}},
                  {"trace", {.rates = ZOID_RATES_DEFAULT, .trace = "no such trace"}},
                  {"machine", {.rates = ZOID_RATES_DEFAULT, .machine = "h200"}},
                  {"nodes", {.rates = ZOID_RATES_DEFAULT, .nodes = 2}},
                  {"gpu_mem", {.rates = ZOID_RATES_DEFAULT, .gpu_mem = 1 << 30}}};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        hold(&a);
        ck_assert_int_eq(take(&others[i].options, &b), ZOID_BAD_ARGUMENT);
        ck_assert_str_eq(zoid_error_key(), others[i].key);
        ck_assert_ptr_null(b);
        give_back(&a);
    }
    ck_assert_int_eq(take(&others[1].options, &b), ZOID_OK);
    ck_assert_int_eq(take(&usual, &a), ZOID_BAD_ARGUMENT);
    give_back(&b);
    hold(&a);
    give_back(&a);
    ck_assert_int_eq(zoid_shared_close(), ZOID_OK);
}
END_TEST

START_TEST(there_is_no_private_one_beside_it)
{
    hold(&a);
    ck_assert_int_eq(zoid_context_open(&usual, &private), ZOID_BAD_ARGUMENT);
    give_back(&a);
    ck_assert_int_eq(zoid_context_open(&usual, &private), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_shared_close(), ZOID_OK);
    ck_assert_msg(!zoid_context_open(&usual, &private), "%s", zoid_error());
    ck_assert_int_eq(take(&usual, &a), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_null(a);
    ck_assert_int_eq(zoid_context_close(&private), ZOID_OK);
    hold(&a);
    give_back(&a);
    ck_assert_int_eq(zoid_shared_close(), ZOID_OK);
}
END_TEST

/* A context that was left is opened anew for a holder that it lacks something for, and only where
 * there is no other. */
START_TEST(one_that_lacks_something_is_opened_anew)
{
    const int before = opened;

    hold(&a);
    ck_assert_int_eq(opened, before + 1);
    enough = false;
    hold(&b);
    ck_assert_int_eq(opened, before + 1);
    give_back(&a);
    give_back(&b);
    hold(&a);
    ck_assert_int_eq(opened, before + 2);
    give_back(&a);
    ck_assert_int_eq(zoid_shared_close(), ZOID_OK);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_test(tests, all_hold_the_same);
    tcase_add_test(tests, other_options_restart_it_without_holders);
    tcase_add_test(tests, one_that_lacks_something_is_opened_anew);
    tcase_add_test(tests, there_is_no_private_one_beside_it);
}

int main(void)
{
    return run_suite("shared", 100, add);
}
