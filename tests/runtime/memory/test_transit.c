/* SPDX-License-Identifier: BSD-3-Clause */
/* Data in transit: never more at a time than there is memory for, each once, in order, and not
 * requested again before it has left. */
#include <stdlib.h>

#include "runtime/memory/transit.h"
#include "tests/suite.h"

enum { MOST = 2, DATA = 200, ROUNDS = 100 };

static float value[DATA];
static starpu_data_handle_t datum[DATA];
static struct zoid_transit transit;

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
    zoid_transit_init(&transit, MOST);
}

static void teardown(void)
{
    for (int i = 0; i < DATA; i++)
        starpu_data_unregister(datum[i]);
    starpu_shutdown();
}

/* Data that are being written cannot arrive until they are released. */
static void hold(int n)
{
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(starpu_data_acquire(datum[i], STARPU_RW), 0);
}

START_TEST(arrive_at_once)
{
    for (int i = 0; i < DATA; i++) {
        ck_assert(zoid_transit_add(&transit, datum[i], STARPU_MAIN_RAM));
        ck_assert_uint_eq(transit.waiting, 0);
    }
    zoid_transit_wait(&transit);
    ck_assert_uint_eq(transit.moving, 0);
}
END_TEST

START_TEST(few_at_a_time)
{
    hold(MOST + 2);
    for (int i = 0; i < MOST + 2; i++)
        ck_assert(zoid_transit_add(&transit, datum[i], STARPU_MAIN_RAM));
    ck_assert_uint_eq(transit.moving, MOST);
    ck_assert_uint_eq(transit.waiting, 2);
    starpu_data_release(datum[0]);
    ck_assert_uint_eq(transit.moving, MOST);
    ck_assert_uint_eq(transit.waiting, 1);
    for (int i = 1; i < MOST + 2; i++)
        starpu_data_release(datum[i]);
    ck_assert_uint_eq(transit.moving, 0);
    ck_assert_uint_eq(transit.waiting, 0);
    zoid_transit_wait(&transit);
}
END_TEST

START_TEST(what_is_wanted_stays)
{
    const int last = MOST + 1;

    hold(last + 1);
    for (int i = 0; i <= last; i++)
        ck_assert(zoid_transit_add(&transit, datum[i], STARPU_MAIN_RAM));
    zoid_transit_discard(&transit, datum[last - 1]);
    zoid_transit_discard(&transit, datum[DATA - 1]);
    ck_assert_uint_eq(transit.waiting, 1);
    for (int i = 0; i <= last; i++)
        starpu_data_release(datum[i]);
    zoid_transit_wait(&transit);
    ck_assert_uint_eq(transit.moving, 0);
}
END_TEST

/* The largest number of data of a state, all queued behind one. */
START_TEST(a_long_queue)
{
    hold(MOST);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < DATA; i++)
            ck_assert(zoid_transit_add(&transit, datum[i], STARPU_MAIN_RAM));
    ck_assert_uint_eq(transit.waiting, ROUNDS * DATA - MOST);
    for (int i = 0; i < MOST; i++)
        starpu_data_release(datum[i]);
    zoid_transit_wait(&transit);
    ck_assert_uint_eq(transit.waiting + transit.moving, 0);
}
END_TEST

START_TEST(nothing_waits_any_more)
{
    hold(MOST);
    for (int i = 0; i < DATA; i++)
        ck_assert(zoid_transit_add(&transit, datum[i], STARPU_MAIN_RAM));
    zoid_transit_discard_all(&transit);
    ck_assert_uint_eq(transit.waiting, 0);
    ck_assert_uint_eq(transit.moving, MOST);
    ck_assert(zoid_transit_add(&transit, datum[MOST], STARPU_MAIN_RAM));
    ck_assert_uint_eq(transit.waiting, 1);
    for (int i = 0; i < MOST; i++)
        starpu_data_release(datum[i]);
    zoid_transit_wait(&transit);
    ck_assert_uint_eq(transit.moving, 0);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, arrive_at_once);
    tcase_add_test(tests, few_at_a_time);
    tcase_add_test(tests, what_is_wanted_stays);
    tcase_add_test(tests, a_long_queue);
    tcase_add_test(tests, nothing_waits_any_more);
}

int main(void)
{
    return run_suite("transit", 60, add);
}
