/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes home to a disk: never more data at a time than there is room for, each once, and none that
 * is wanted again before it has left. */
#include <check.h>
#include <stdlib.h>

#include "runtime/homeward.h"

enum { DATA = ZOID_HOMEWARD_WAITING + 9 };

static float value[DATA];
static starpu_data_handle_t datum[DATA];
static struct zoid_homeward homeward;

static void setup(void)
{
    struct starpu_conf conf;

    setenv("STARPU_SILENT", "1", 0);
    starpu_conf_init(&conf);
    conf.ncuda = conf.nopencl = 0;
    conf.ncpus = 1;
    ck_assert_int_eq(starpu_init(&conf), 0);
    for (int i = 0; i < DATA; i++)
        starpu_variable_data_register(&datum[i], STARPU_MAIN_RAM, (uintptr_t)&value[i],
                                      sizeof value[i]);
    zoid_homeward_init(&homeward, STARPU_MAIN_RAM);
}

static void teardown(void)
{
    for (int i = 0; i < DATA; i++)
        starpu_data_unregister(datum[i]);
    starpu_shutdown();
}

static int moving(void)
{
    int n = 0;

    for (int i = 0; i < ZOID_HOMEWARD_MOVING; i++)
        n += homeward.moving[i].handle != NULL;
    return n;
}

/* Data that somebody writes cannot arrive until they are released. */
static void hold(int n)
{
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(starpu_data_acquire(datum[i], STARPU_RW), 0);
}

START_TEST(arrive_at_once)
{
    for (int i = 0; i < DATA; i++) {
        zoid_homeward_add(&homeward, datum[i]);
        ck_assert_uint_eq(homeward.nwaiting, 0);
    }
    zoid_homeward_end(&homeward);
    ck_assert_int_eq(moving(), 0);
}
END_TEST

START_TEST(few_at_a_time)
{
    hold(ZOID_HOMEWARD_MOVING + 2);
    for (int i = 0; i < ZOID_HOMEWARD_MOVING + 2; i++)
        zoid_homeward_add(&homeward, datum[i]);
    ck_assert_int_eq(moving(), ZOID_HOMEWARD_MOVING);
    ck_assert_uint_eq(homeward.nwaiting, 2);
    ck_assert_ptr_eq(homeward.waiting[0], datum[ZOID_HOMEWARD_MOVING]);
    starpu_data_release(datum[0]);
    ck_assert_int_eq(moving(), ZOID_HOMEWARD_MOVING);
    ck_assert_uint_eq(homeward.nwaiting, 1);
    ck_assert_ptr_eq(homeward.moving[0].handle, datum[ZOID_HOMEWARD_MOVING]);
    for (int i = 1; i < ZOID_HOMEWARD_MOVING + 2; i++)
        starpu_data_release(datum[i]);
    ck_assert_int_eq(moving(), 0);
    ck_assert_uint_eq(homeward.nwaiting, 0);
    zoid_homeward_end(&homeward);
}
END_TEST

START_TEST(what_is_wanted_stays)
{
    const int last = ZOID_HOMEWARD_MOVING + 1;

    hold(last + 1);
    for (int i = 0; i <= last; i++)
        zoid_homeward_add(&homeward, datum[i]);
    zoid_homeward_drop(&homeward, datum[last - 1]);
    zoid_homeward_drop(&homeward, datum[DATA - 1]);
    ck_assert_uint_eq(homeward.nwaiting, 1);
    ck_assert_ptr_eq(homeward.waiting[0], datum[last]);
    for (int i = 0; i <= last; i++)
        starpu_data_release(datum[i]);
    zoid_homeward_end(&homeward);
    ck_assert_int_eq(moving(), 0);
}
END_TEST

START_TEST(what_finds_no_place_is_left_out)
{
    hold(ZOID_HOMEWARD_MOVING);
    for (int i = 0; i < DATA; i++)
        zoid_homeward_add(&homeward, datum[i]);
    ck_assert_uint_eq(homeward.nwaiting, ZOID_HOMEWARD_WAITING);
    for (int i = 0; i < ZOID_HOMEWARD_MOVING; i++)
        starpu_data_release(datum[i]);
    zoid_homeward_end(&homeward);
    ck_assert_uint_eq(homeward.nwaiting, 0);
    ck_assert_int_eq(moving(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("homeward");
    TCase *tests = tcase_create("homeward");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, arrive_at_once);
    tcase_add_test(tests, few_at_a_time);
    tcase_add_test(tests, what_is_wanted_stays);
    tcase_add_test(tests, what_finds_no_place_is_left_out);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
