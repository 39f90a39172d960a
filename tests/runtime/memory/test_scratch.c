/* SPDX-License-Identifier: BSD-3-Clause */
/* Every core has its own scratch buffer, and the requested part is resident before the core uses
 * it. */
#define _GNU_SOURCE /* for mincore */
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/memory/scratch.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

enum { CORES = 3, LARGE_PAGE = 2 << 20 };

static const size_t sizes[] = {1, 4096, 4097, 300000, 3 * LARGE_PAGE + 1};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct zoid_context *context;
static struct zoid_core_scratch scratch;

static void setup(void)
{
    context = open_context("3", false);
    ck_assert_uint_eq(starpu_cpu_worker_get_count(), CORES);
}

static void teardown(void)
{
    zoid_core_scratch_give(&scratch);
    ck_assert_ptr_null(scratch.memory);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}

/* Bytes of it that are resident. */
static size_t resident(const char *memory, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = bytes / page;
    unsigned char *is = malloc(pages);
    size_t sum = 0;

    ck_assert_ptr_nonnull(is);
    ck_assert_uint_eq(bytes % page, 0);
    ck_assert_int_eq(mincore((void *)memory, bytes, is), 0);
    for (size_t i = 0; i < pages; i++)
        sum += is[i] & 1 ? page : 0;
    free(is);
    return sum;
}

/* Large pages may extend into the next core's part. */
START_TEST(what_is_used_is_there)
{
    static const long used[] = {0, 1, 2, 3, 1000};
    const long n = used[_i / SIZES];
    const size_t cores = (size_t)(n < CORES ? n : CORES), bytes = sizes[_i % SIZES];
    cpu_set_t before, after;
    size_t all, there;

    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    ck_assert_int_eq(zoid_core_scratch_take(&scratch, bytes, n, 1), ZOID_OK);
    ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
    ck_assert(CPU_EQUAL(&before, &after));
    all = CORES * scratch.bytes;
    there = resident(scratch.memory, all);
    ck_assert_uint_ge(scratch.bytes, bytes);
    ck_assert_uint_ge(there, cores * scratch.bytes);
    ck_assert_uint_lt(there, cores * scratch.bytes + (cores ? LARGE_PAGE : 1));
    ck_assert_uint_eq(resident(scratch.memory, cores * scratch.bytes), cores * scratch.bytes);
}
END_TEST

START_TEST(none_is_wanted)
{
    ck_assert_int_eq(zoid_core_scratch_take(&scratch, 0, 1000, 1), ZOID_OK);
    ck_assert_ptr_null(scratch.memory);
}
END_TEST

START_TEST(more_than_there_is)
{
    ck_assert_int_eq(zoid_core_scratch_take(&scratch, SIZE_MAX / 8, 0, 1), ZOID_RESOURCE);
    ck_assert_msg(strstr(zoid_error(), "refuses"), "%s", zoid_error());
}
END_TEST

static char *own[CORES];
static _Atomic int workers;

/* Requests the buffer twice, writes all of it, and waits until all cores have requested theirs, so
 * that each core runs one task. */
static void ask(void *buffers[], void *arg)
{
    char *mine = zoid_core_scratch_own(&scratch);

    (void)buffers;
    (void)arg;
    if (mine && zoid_core_scratch_own(&scratch) == mine) {
        memset(mine, 1, scratch.bytes);
        own[atomic_fetch_add(&workers, 1)] = mine;
    }
    while (atomic_load(&workers) < CORES)
        sched_yield();
}

static void have_all_ask(void)
{
    static struct starpu_codelet codelet = {.where = STARPU_CPU, .cpu_funcs = {ask}};

    for (int i = 0; i < CORES; i++)
        ck_assert_int_eq(starpu_task_insert(&codelet, 0), 0);
    starpu_task_wait_for_all();
}

static void check_apart(void)
{
    for (int i = 0; i < CORES; i++) {
        ck_assert_uint_eq((size_t)(own[i] - scratch.memory) % scratch.bytes, 0);
        ck_assert_uint_lt((size_t)(own[i] - scratch.memory) / scratch.bytes, CORES);
        for (int j = 0; j < i; j++)
            ck_assert_ptr_ne(own[i], own[j]);
    }
}

/* Also if the number of workers was not given. */
START_TEST(no_two_cores_have_the_same)
{
    workers = 0;
    ck_assert_int_eq(zoid_core_scratch_take(&scratch, 5000, _i, 1), ZOID_OK);
    have_all_ask();
    check_apart();
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, what_is_used_is_there, 0, 5 * SIZES);
    tcase_add_test(tests, none_is_wanted);
    tcase_add_test(tests, more_than_there_is);
    tcase_add_loop_test(tests, no_two_cores_have_the_same, 0, CORES + 1);
}

int main(void)
{
    setenv("STARPU_NCUDA", "0", 1);
    return run_suite("scratch", 60, add);
}
