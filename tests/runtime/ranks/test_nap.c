/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting ranks yield their core to others. Run alone no rank waits; tests/apps/test_ranks starts
 * several, with CK_FORK=no. */
#include "runtime/ranks/nap.h"

#include <dirent.h>
#include <starpu.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "runtime/machine/clock.h"
#include "runtime/ranks/message_requests.h"
#include "runtime/ranks/ranks.h"
#include "runtime/ranks/share.h"
#include "tests/suite.h"

enum { MOST_RANKS = 64, MANY = 1 << 20 };
static const double LATE = 0.3;

/* CPU seconds of this process, over all threads, user and system time. */
static double processor_seconds(void)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void sleep_for(double seconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

START_TEST(naps_get_longer_and_take_no_core)
{
    struct zoid_nap nap = {.since = 0};
    const double start = zoid_machine_clock(), used = processor_seconds();
    long looks = 0;

    while (zoid_machine_clock() < start + LATE) {
        zoid_nap(&nap, 2e-3);
        looks++;
    }
    ck_assert_double_eq(nap.next, 2e-3);
    ck_assert_int_gt(looks, 20);
    ck_assert_double_lt(processor_seconds() - used, 0.1 * LATE);
}
END_TEST

START_TEST(no_nap_is_longer_than_wanted)
{
    struct zoid_nap nap = {.since = 0};
    const double start = zoid_machine_clock();

    while (zoid_machine_clock() < start + 0.02) {
        zoid_nap(&nap, 50e-6);
        ck_assert_double_le(nap.next, 50e-6);
    }
}
END_TEST

static char *bytes;

static void to_barrier(const struct zoid_ranks *r)
{
    (void)r;
    zoid_ranks_barrier();
}

static void to_broadcast(const struct zoid_ranks *r)
{
    char few[10] = "";

    (void)r;
    zoid_ranks_broadcast(few, sizeof few);
}

static void to_broadcast_many(const struct zoid_ranks *r)
{
    memset(bytes, r->rank ? 0 : 'a', MANY);
    zoid_ranks_broadcast(bytes, MANY);
    ck_assert_int_eq(bytes[MANY - 1], 'a');
}

static void to_combine(const struct zoid_ranks *r)
{
    memset(bytes, 0, MANY);
    bytes[r->rank] = (char)(r->rank + 1);
    zoid_ranks_combine(bytes, MANY);
    for (int i = 0; i < r->size; i++)
        ck_assert_int_eq(bytes[i], i + 1);
}

static void to_agree(const struct zoid_ranks *r)
{
    (void)r;
    ck_assert_int_eq(zoid_ranks_agree(ZOID_OK), ZOID_OK);
}

static void to_ask(const struct zoid_ranks *r)
{
    double greatest[2];

    zoid_ranks_ask((double[]){r->rank, -r->rank}, 2);
    ck_assert(zoid_ranks_answer(greatest, 2) == (r->size > 1));
    ck_assert(r->size == 1 || (greatest[0] == r->size - 1 && greatest[1] == 0));
    ck_assert(!zoid_ranks_answer(greatest, 2));
}

static void to_ask_the_clock(const struct zoid_ranks *r)
{
    (void)r;
    zoid_ranks_clock();
}

/* Each rank sends to the next, around the ring. */
static void to_pass(const struct zoid_ranks *r)
{
    char *came = bytes + MANY / 2;
    const struct zoid_pass pass = {.unit = MANY / 2,
                                   .mine = bytes,
                                   .sent = 1,
                                   .to = (r->rank + 1) % r->size,
                                   .theirs = came,
                                   .got = 1,
                                   .from = (r->rank + r->size - 1) % r->size};

    memset(bytes, r->rank, MANY / 2);
    zoid_ranks_pass(&pass);
    if (r->size > 1)
        ck_assert_int_eq(came[MANY / 2 - 1], pass.from);
}

static void to_gather(const struct zoid_ranks *r)
{
    memset(bytes, 0, MANY);
    zoid_ranks_gather(&r->rank, sizeof r->rank, bytes);
}

/* Names of the calls that were busy for more than a tenth of their wait; reported when all ranks
 * have finished. */
static char busy[1000];

/* One rank comes late, and the others wait for it. */
static void wait_for_one(const char *what, void (*call)(const struct zoid_ranks *), bool last_late)
{
    const struct zoid_ranks *r = zoid_ranks_here();
    const int late = last_late ? r->size - 1 : 0;
    const size_t said = strlen(busy);
    double start, used;

    zoid_ranks_barrier();
    start = zoid_machine_clock();
    used = processor_seconds();
    if (r->rank == late && r->size > 1)
        sleep_for(LATE);
    call(r);
    used = processor_seconds() - used;
    start = zoid_machine_clock() - start;
    if (used > 0.1 * (start > LATE ? start : LATE))
        snprintf(busy + said, sizeof busy - said, "%s: %.3f of %.3f s; ", what, used, start);
    if (r->rank == 0 && r->size > 1)
        ck_assert_double_ge(start, 0.9 * LATE);
}

START_TEST(who_waits_for_a_rank_leaves_its_core)
{
    ck_assert_int_eq(zoid_ranks_start(), ZOID_OK);
    ck_assert_int_le(zoid_ranks_here()->size, MOST_RANKS);
    bytes = malloc(MANY);
    ck_assert_ptr_nonnull(bytes);
    wait_for_one("barrier", to_barrier, false);
    wait_for_one("broadcast", to_broadcast, false);
    wait_for_one("broadcast of many", to_broadcast_many, false);
    wait_for_one("combine", to_combine, false);
    wait_for_one("agree", to_agree, false);
    wait_for_one("answer", to_ask, false);
    wait_for_one("clock", to_ask_the_clock, false);
    wait_for_one("pass", to_pass, false);
    wait_for_one("gather", to_gather, true);
    free(bytes);
    ck_assert_str_eq(busy, "");
}
END_TEST

/* ---- the thread that carries messages ------------------------------------------------------- */

/* CPU seconds of the thread of that name; -1: not found. */
static double thread_seconds(const char *wanted)
{
    DIR *tasks = opendir("/proc/self/task");
    double seconds = -1;

    for (struct dirent *task; (task = readdir(tasks));) {
        char path[300], name[32] = "";
        long user, system;
        FILE *stat;

        snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
        stat = fopen(path, "r");
        if (stat &&
            fscanf(stat, "%*d (%31[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", name,
                   &user, &system) == 3 &&
            !strcmp(name, wanted))
            seconds = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
        if (stat)
            fclose(stat);
    }
    closedir(tasks);
    return seconds;
}

static void start_starpu(void)
{
    struct starpu_conf conf;

    starpu_conf_init(&conf);
    conf.ncpus = 1;
    conf.ncuda = conf.nopencl = 0;
    conf.sched_policy_name = "prio";
    ck_assert_int_eq(zoid_ranks_start_starpu(zoid_ranks_share(), &conf), ZOID_OK);
}

/* The first rank sends late, and the others wait. Where their thread has a core of its own, it
 * polls. */
START_TEST(who_waits_for_a_message_leaves_its_core)
{
    static const char name[] = "zoid-messages";
    const struct zoid_ranks *r = zoid_ranks_here();
    starpu_data_handle_t handle;
    double used, number = 7;

    ck_assert_int_eq(zoid_ranks_start(), ZOID_OK);
    start_starpu();
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&number, sizeof number);
    zoid_ranks_barrier();
    /* The thread gives itself its name, on a busy machine some time after it was made. */
    for (int i = 0; (used = thread_seconds(name)) < 0 && r->size > 1 && i < 200; i++)
        sleep_for(0.02);
    if (r->rank == 0)
        sleep_for(2 * LATE);
    for (int rank = 1; r->rank == 0 && rank < r->size; rank++)
        ck_assert_int_eq(zoid_message_send(&(struct zoid_message_request){
                             .handle = handle, .rank = rank, .tag = rank}),
                         ZOID_OK);
    if (r->rank > 0)
        ck_assert_int_eq(
            zoid_message_receive(&(struct zoid_message_request){.handle = handle, .tag = r->rank}),
            ZOID_OK);
    zoid_message_requests_wait();
    ck_assert(r->size == 1 || used >= 0);
    used = thread_seconds(name) - used;
    starpu_data_unregister(handle);
    zoid_ranks_stop_starpu();
    if (r->size > 1 && zoid_share_polls_hurt(zoid_ranks_share()))
        ck_assert_double_lt(used, 0.1 * 2 * LATE);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, naps_get_longer_and_take_no_core);
    tcase_add_test(tests, no_nap_is_longer_than_wanted);
    tcase_add_test(tests, who_waits_for_a_rank_leaves_its_core);
    tcase_add_test(tests, who_waits_for_a_message_leaves_its_core);
}

int main(void)
{
    int result = run_suite("nap", 60, add);

    /* Ranks also wait in finalisation. */
    if (zoid_ranks_here()->size > 1) {
        double used = processor_seconds();

        if (zoid_ranks_here()->rank == 0)
            sleep_for(LATE);
        zoid_ranks_end();
        used = processor_seconds() - used;
        if (used > 0.5 * LATE) {
            printf("the end: %.3f of %.3f s\n", used, LATE);
            result = EXIT_FAILURE;
        }
    }
    return result;
}
