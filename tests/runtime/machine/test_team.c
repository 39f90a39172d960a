/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams have the cores that share the last cache and a memory. */
#include "runtime/machine/core.h"
#include "tests/suite.h"

START_TEST(cores_that_share_the_last_cache)
{
    /* Of two nodes, each with two caches that eight cores share; of one cache for all. */
    const struct zoid_machine chiplets = {.cores = 32,
                                          .numa_nodes = 2,
                                          .cache = {32 << 10, 512 << 10, 32 << 20},
                                          .cache_sharers = {1, 1, 8}};
    const struct zoid_machine socket = {.cores = 16,
                                        .numa_nodes = 1,
                                        .cache = {48 << 10, 2 << 20, 300 << 20},
                                        .cache_sharers = {1, 1, 16}};

    ck_assert_int_eq(zoid_machine_team(&chiplets), 8);
    ck_assert_int_eq(zoid_machine_team(&socket), 16);
}
END_TEST

START_TEST(no_more_than_a_node_has)
{
    const struct zoid_machine two = {.cores = 8, .numa_nodes = 2};
    const struct zoid_machine shared = {
        .cores = 8, .numa_nodes = 2, .cache = {0, 0, 1 << 20}, .cache_sharers = {0, 0, 8}};

    ck_assert_int_eq(zoid_machine_team(&two), 4);
    ck_assert_int_eq(zoid_machine_team(&shared), 4);
}
END_TEST

START_TEST(alone_where_nothing_is_shared)
{
    const struct zoid_machine own = {
        .cores = 4, .numa_nodes = 1, .cache = {32 << 10, 1 << 20}, .cache_sharers = {1, 1}};
    const struct zoid_machine one = {.cores = 1};

    ck_assert_int_eq(zoid_machine_team(&own), 1);
    ck_assert_int_eq(zoid_machine_team(&one), 1);
    ck_assert_int_eq(zoid_machine_team(&(struct zoid_machine){.cores = 0}), 1);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, cores_that_share_the_last_cache);
    tcase_add_test(tests, no_more_than_a_node_has);
    tcase_add_test(tests, alone_where_nothing_is_shared);
}

int main(void)
{
    return run_suite("machine team", 10, add);
}
