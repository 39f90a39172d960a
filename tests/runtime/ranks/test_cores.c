/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of synthetic machines, and quotas of control groups. */
#include "runtime/ranks/cores.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"

static hwloc_topology_t machine(const char *description)
{
    hwloc_topology_t t;

    ck_assert_int_eq(hwloc_topology_init(&t), 0);
    ck_assert_int_eq(hwloc_topology_set_synthetic(t, description), 0);
    ck_assert_int_eq(hwloc_topology_load(t), 0);
    return t;
}

/* Expects processors `wanted` for cores i to i + n - 1 among the processors `from`. */
static void check_pick(hwloc_topology_t t, const char *from, int i, int n, const char *wanted)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc(), picked = hwloc_bitmap_alloc();
    char text[64];

    ck_assert_int_eq(hwloc_bitmap_list_sscanf(set, from), 0);
    zoid_cores_pick(t, set, i, n, picked);
    hwloc_bitmap_list_snprintf(text, sizeof text, picked);
    ck_assert_str_eq(text, wanted);
    hwloc_bitmap_free(picked);
    hwloc_bitmap_free(set);
}

START_TEST(a_core_is_taken_with_all_that_is_allowed_of_it)
{
    hwloc_topology_t t =
        machine("pack:2 core:4 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)");

    check_pick(t, "0-15", 0, 4, "0-3,8-11");
    check_pick(t, "0-15", 4, 4, "4-7,12-15");
    check_pick(t, "0-7", 3, 2, "3-4");
    check_pick(t, "2-5,10-13", 0, 2, "2-3,10-11");
    check_pick(t, "1,7,15", 1, 1, "7,15");
    check_pick(t, "1", 1, 1, "");
    hwloc_topology_destroy(t);
}
END_TEST

START_TEST(cores_count_where_a_part_of_them_is_allowed)
{
    hwloc_topology_t t = machine("pack:2 core:4 pu:2");
    hwloc_bitmap_t set = hwloc_bitmap_alloc();

    hwloc_bitmap_list_sscanf(set, "0-15");
    ck_assert_int_eq(zoid_cores_count(t, set), 8);
    ck_assert_int_eq(zoid_cores_first(t, set), 0);
    hwloc_bitmap_list_sscanf(set, "5,6,7,12");
    ck_assert_int_eq(zoid_cores_count(t, set), 3);
    ck_assert_int_eq(zoid_cores_first(t, set), 2);
    hwloc_bitmap_zero(set);
    ck_assert_int_eq(zoid_cores_count(t, set), 0);
    ck_assert_int_eq(zoid_cores_first(t, set), INT_MAX);
    hwloc_bitmap_free(set);
    hwloc_topology_destroy(t);
}
END_TEST

START_TEST(what_this_process_may_use_is_there)
{
    hwloc_topology_t t;
    hwloc_bitmap_t allowed;

    ck_assert_int_eq(hwloc_topology_init(&t), 0);
    ck_assert_int_eq(hwloc_topology_load(t), 0);
    allowed = zoid_cores_allowed(t);
    ck_assert_ptr_nonnull(allowed);
    ck_assert_int_ge(zoid_cores_count(t, allowed), 1);
    ck_assert(hwloc_bitmap_isincluded(allowed, hwloc_topology_get_allowed_cpuset(t)));
    hwloc_bitmap_free(allowed);
    hwloc_topology_destroy(t);
}
END_TEST

static void say(const char *folder, const char *quota)
{
    char path[256];
    FILE *f;

    mkdir(folder, 0777);
    if (!quota)
        return;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "%s\n", quota);
    fclose(f);
}

START_TEST(a_group_gets_no_more_than_those_above_it)
{
    char root[] = "/tmp/zoid-groups-XXXXXX", command[128];

    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_int_eq(chdir(root), 0);
    say(".", NULL);
    say("./a", "600000 100000");
    say("./a/b", "max 100000");
    say("./a/b/c", "250000 100000");
    say("./d", "50000 100000");
    ck_assert_int_eq(zoid_cores_quota(root, "/"), INT_MAX);
    ck_assert_int_eq(zoid_cores_quota(root, "/a"), 6);
    ck_assert_int_eq(zoid_cores_quota(root, "/a/b"), 6);
    ck_assert_int_eq(zoid_cores_quota(root, "/a/b/c"), 2);
    ck_assert_int_eq(zoid_cores_quota(root, "/d"), 1);
    ck_assert_int_eq(zoid_cores_quota(root, "/none/such"), INT_MAX);
    ck_assert_int_ge(zoid_cores_quota_here(), 1);
    snprintf(command, sizeof command, "rm -rf %s", root);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, a_core_is_taken_with_all_that_is_allowed_of_it);
    tcase_add_test(tests, cores_count_where_a_part_of_them_is_allowed);
    tcase_add_test(tests, what_this_process_may_use_is_there);
    tcase_add_test(tests, a_group_gets_no_more_than_those_above_it);
}

int main(void)
{
    return run_suite("cores", 30, add);
}
