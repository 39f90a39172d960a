/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication between ranks, for any number of ranks: run alone it is one; tests/apps/test_ranks
 * starts several, with CK_FORK=no. */
#include "runtime/ranks/ranks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/ranks/message_requests.h"
#include "tests/suite.h"

enum { MOST_RANKS = 64 };

static const struct zoid_ranks *start(void)
{
    ck_assert_int_eq(zoid_ranks_start(), ZOID_OK);
    ck_assert_int_le(zoid_ranks_here()->size, MOST_RANKS);
    return zoid_ranks_here();
}

/* Ranks of a host share one clock, and ranks that need not wait for cores measure that within
 * microseconds. */
START_TEST(clocks_of_a_host_are_one)
{
    const struct zoid_ranks *r = start();

    if (r->host_size == r->size)
        ck_assert_double_lt(fabs(zoid_ranks_clock()), 0.01);
}
END_TEST

START_TEST(each_has_a_number)
{
    const struct zoid_ranks *r = start();
    double ranks[2] = {r->rank, 1};

    zoid_ranks_add(ranks, 2);
    ck_assert_double_eq(ranks[1], r->size);
    ck_assert_double_eq(ranks[0], r->size * (r->size - 1) / 2);
    ck_assert_int_lt(r->host_rank, r->host_size);
    ck_assert_int_le(r->host_size, r->size);
}
END_TEST

/* The status of each rank is a letter: o, k (does not fit) or f (a resource failed). */
static void agree(const char *letters, enum zoid_status wanted)
{
    const struct zoid_ranks *r = start();
    char mine = letters[(size_t)r->rank % strlen(letters)], said[64];
    enum zoid_status status = mine == 'o'   ? ZOID_OK
                              : mine == 'k' ? zoid_fail(ZOID_DOES_NOT_FIT, "k of %d", r->rank)
                                            : zoid_fail(ZOID_RESOURCE, "f of %d", r->rank);
    const char *first = strchr(letters, wanted == ZOID_DOES_NOT_FIT ? 'k' : 'f');

    ck_assert_int_eq(zoid_ranks_agree(status), wanted);
    ck_assert(zoid_ranks_know(wanted));
    if (!wanted)
        return;
    snprintf(said, sizeof said, "%c of %d", *first, (int)(first - letters));
    ck_assert_str_eq(zoid_error(), said);
    ck_assert(r->size == 1 || !zoid_ranks_know(ZOID_CHECK_FAILED));
}

START_TEST(the_worst_counts_and_its_first_rank_speaks)
{
    const int size = start()->size;

    agree("o", ZOID_OK);
    agree("k", ZOID_DOES_NOT_FIT);
    agree("f", ZOID_RESOURCE);
    if (size >= 3) {
        agree("okk", ZOID_DOES_NOT_FIT);
        agree("kof", ZOID_RESOURCE);
        agree("kff", ZOID_RESOURCE);
    }
    agree("o", ZOID_OK);
}
END_TEST

START_TEST(all_get_the_bytes_of_the_first)
{
    char bytes[100];

    memset(bytes, 'a' + start()->rank, sizeof bytes);
    zoid_ranks_broadcast(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        ck_assert_int_eq(bytes[i], 'a');
    zoid_ranks_broadcast(NULL, 0);
}
END_TEST

START_TEST(all_get_the_least_of_each)
{
    const struct zoid_ranks *r = start();
    uint64_t values[] = {UINT64_MAX - (uint64_t)r->rank, (uint64_t)r->rank};

    zoid_ranks_least(values, 2);
    ck_assert_uint_eq(values[0], UINT64_MAX - (uint64_t)(r->size - 1));
    ck_assert_uint_eq(values[1], 0);
}
END_TEST

START_TEST(the_first_gets_the_bytes_of_all)
{
    const struct zoid_ranks *r = start();
    char mine[3] = {(char)r->rank, 'x', (char)-r->rank}, all[MOST_RANKS][3];

    zoid_ranks_gather(mine, sizeof mine, r->rank ? NULL : all);
    for (int i = 0; !r->rank && i < r->size; i++) {
        const char wanted[3] = {(char)i, 'x', (char)-i};

        ck_assert_mem_eq(all[i], wanted, sizeof wanted);
    }
    zoid_ranks_barrier();
}
END_TEST

/* A process may open several contexts in sequence. */
START_TEST(starpu_starts_and_stops_more_than_once)
{
    start();
    for (int i = 0; i < 3; i++) {
        struct starpu_conf conf;

        starpu_conf_init(&conf);
        conf.ncpus = 1;
        conf.ncuda = conf.nopencl = 0;
        conf.sched_policy_name = "prio";
        ck_assert_int_eq(zoid_ranks_start_starpu(zoid_ranks_share(), &conf), ZOID_OK);
        ck_assert_int_eq((int)starpu_cpu_worker_get_count(), 1);
        zoid_ranks_stop_starpu();
    }
}
END_TEST

static int done;

static void count_done(void *arg)
{
    (void)arg;
    __atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
}

/* Each rank sends numbers to the next one, all with the same tag, through one handle. */
START_TEST(data_go_from_rank_to_rank_in_order)
{
    const struct zoid_ranks *r = start();
    const int size = r->size, before = (r->rank + size - 1) % size;
    enum { MESSAGES = 20 };
    long out = 0, in[MESSAGES];
    starpu_data_handle_t from, to[MESSAGES];
    struct starpu_conf conf;

    starpu_conf_init(&conf);
    conf.ncpus = 1;
    conf.ncuda = conf.nopencl = 0;
    ck_assert_int_eq(zoid_ranks_start_starpu(zoid_ranks_share(), &conf), ZOID_OK);
    starpu_variable_data_register(&from, STARPU_MAIN_RAM, (uintptr_t)&out, sizeof out);
    for (int i = 0; i < MESSAGES; i++)
        starpu_variable_data_register(&to[i], STARPU_MAIN_RAM, (uintptr_t)&in[i], sizeof in[i]);
    for (int i = 0; size > 1 && i < MESSAGES; i++) {
        const struct zoid_message_request receive = {
            .handle = to[i], .rank = before, .tag = 7, .done = count_done};

        ck_assert_int_eq(zoid_message_receive(&receive), ZOID_OK);
    }
    for (int i = 0; size > 1 && i < MESSAGES; i++) {
        const struct zoid_message_request send = {
            .handle = from, .rank = (r->rank + 1) % size, .tag = 7, .done = count_done};

        starpu_data_acquire(from, STARPU_W);
        out = 100 * r->rank + i;
        starpu_data_release(from);
        ck_assert_int_eq(zoid_message_send(&send), ZOID_OK);
    }
    zoid_message_requests_wait();
    for (int i = 0; i < MESSAGES; i++)
        starpu_data_unregister(to[i]);
    starpu_data_unregister(from);
    zoid_ranks_stop_starpu();
    for (int i = 0; size > 1 && i < MESSAGES; i++)
        ck_assert_int_eq(in[i], 100 * before + i);
    ck_assert_int_eq(done, size > 1 ? 2 * MESSAGES : 0);
}
END_TEST

/* StarPU does not start without workers; here on the last rank only. */
START_TEST(starpu_starts_on_all_or_on_none)
{
    const struct zoid_ranks *r = start();
    struct starpu_conf conf;

    starpu_conf_init(&conf);
    conf.ncpus = r->rank < r->size - 1;
    conf.ncuda = conf.nopencl = 0;
    ck_assert_int_eq(zoid_ranks_start_starpu(zoid_ranks_share(), &conf), ZOID_RESOURCE);
    ck_assert(!starpu_is_initialized());
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, each_has_a_number);
    tcase_add_test(tests, clocks_of_a_host_are_one);
    tcase_add_test(tests, the_worst_counts_and_its_first_rank_speaks);
    tcase_add_test(tests, all_get_the_bytes_of_the_first);
    tcase_add_test(tests, all_get_the_least_of_each);
    tcase_add_test(tests, the_first_gets_the_bytes_of_all);
    tcase_add_test(tests, starpu_starts_and_stops_more_than_once);
    tcase_add_test(tests, data_go_from_rank_to_rank_in_order);
    tcase_add_test(tests, starpu_starts_on_all_or_on_none);
}

int main(void)
{
    int result = run_suite("ranks", 60, add);

    zoid_ranks_end();
    return result;
}
