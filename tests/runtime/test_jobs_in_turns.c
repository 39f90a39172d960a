/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that are alive at the same time in one context, and run in turns: each has the bytes that it
 * has alone, also if another one stops, fails or is destroyed meanwhile. Schedules that a seed
 * draws are in tests/runtime/session/test_turns. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/runtime/context.h"
#include "tests/runtime/turns.h"
#include "tests/suite.h"

enum { LIMIT = SANITIZED ? 300 : 120 }; /* seconds of a test */

static struct zoid_context *context;
static struct turn turn[4];
static char folder[] = "turns-XXXXXX"; /* of another disk than the context's */

/* Where two jobs keep their states. */
static const struct place {
    const char *name;
    enum { RAM, DISK, OTHER_DISK } disk[2];
} places[] = {{"main memory", {RAM, RAM}},
              {"a disk for one", {DISK, RAM}},
              {"a disk for both, with the least main memory of each", {DISK, DISK}},
              {"a disk for each", {DISK, OTHER_DISK}}};
enum { PLACES = sizeof places / sizeof *places };

/* Jobs that are alive together. */
static const int pairs[][2] = {{0, 1}, {1, 2}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* A job that waits for ever is killed: Check has no time limit of its own where it does not
 * fork. */
static void set_up(void)
{
    alarm((unsigned)effort_limit(LIMIT));
    strcpy(folder, "turns-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    context = open_context("2", true);
}

static void tear_down(void)
{
    for (size_t i = 0; i < sizeof turn / sizeof *turn; i++)
        zoid_job_destroy(&turn[i].job);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    ck_assert_int_eq(rmdir(folder), 0);
    alarm(0);
}

static void describe(struct turn *t, int kind, int disk)
{
    turn_describe(t, kind);
    if (disk != RAM)
        turn_to_disk(context, t, disk == OTHER_DISK ? folder : NULL);
}

/* Describe the i-th combination of a pair and places. */
static void describe_pair(int i)
{
    for (int k = 0; k < 2; k++)
        describe(&turn[k], pairs[i % PAIRS][k], places[i / PAIRS].disk[k]);
}

static void make_pair(int i)
{
    describe_pair(i);
    for (int k = 0; k < 2; k++)
        turn_make(context, &turn[k]);
}

/* The bytes of a run of the turn's problem with no other job beside it. */
static char *bytes_alone(struct turn *t, size_t *bytes)
{
    char *alone;

    turn_make(context, t);
    turn_run(t, TURN_FIRST);
    turn_run(t, TURN_SECOND);
    alone = turn_bytes(t, bytes);
    zoid_job_destroy(&t->job);
    return alone;
}

static void has_bytes(const struct turn *t, const char *expected, size_t bytes)
{
    size_t n;
    char *now = turn_bytes(t, &n);

    ck_assert_uint_eq(n, bytes);
    ck_assert_msg(!memcmp(now, expected, n), "%s differs from its run alone", t->problem.op->name);
    free(now);
}

START_TEST(each_has_the_bytes_that_it_has_alone)
{
    char *alone[2];
    size_t bytes[2];

    describe_pair(_i);
    for (int k = 0; k < 2; k++)
        alone[k] = bytes_alone(&turn[k], &bytes[k]);
    for (int k = 0; k < 2; k++)
        turn_make(context, &turn[k]);
    for (int k = 0; k < 2; k++)
        turn_run(&turn[k], TURN_FIRST);
    for (int k = 0; k < 2; k++)
        turn_check(&turn[k]);
    for (int k = 0; k < 2; k++)
        turn_run(&turn[k], TURN_SECOND);
    for (int k = 0; k < 2; k++) {
        has_bytes(&turn[k], alone[k], bytes[k]);
        free(alone[k]);
    }
}
END_TEST

START_TEST(one_is_destroyed_while_the_other_goes_on)
{
    for (int gone = 0; gone < 2; gone++) {
        struct turn *left = &turn[!gone];

        make_pair(_i);
        for (int k = 0; k < 2; k++)
            turn_run(&turn[k], TURN_FIRST);
        zoid_job_destroy(&turn[gone].job);
        turn_run(left, TURN_SECOND);
        turn_check(left);
        zoid_job_destroy(&left->job);
    }
}
END_TEST

START_TEST(one_is_stopped_and_goes_on_later)
{
    struct zoid_report report = {.op = NULL};

    make_pair(_i);
    turn_run(&turn[0], TURN_FIRST);
    zoid_job_stop(turn[1].job);
    ck_assert_msg(!zoid_job_run(turn[1].job, false, &report), "%s", zoid_error());
    turn_run(&turn[0], TURN_SECOND);
    if (zoid_job_steps(turn[1].job) < TURN_STEPS)
        turn_run(&turn[1], TURN_STEPS - zoid_job_steps(turn[1].job));
    for (int k = 0; k < 2; k++)
        turn_check(&turn[k]);
}
END_TEST

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The file may be as long as the first job's range, so the second one cannot write; the next job
 * gets its place, and is none the worse for it. */
START_TEST(one_fails_and_the_other_goes_on)
{
    struct zoid_report report = {.op = NULL};

    signal(SIGXFSZ, SIG_IGN);
    for (int k = 0; k < 2; k++) {
        describe(&turn[k], k, DISK);
        turn_make(context, &turn[k]);
    }
    turn_run(&turn[0], TURN_FIRST);
    limit_files(turn[0].on_disk + (64 << 10));
    ck_assert_int_eq(zoid_job_run(turn[1].job, false, &report), ZOID_RESOURCE);
    ck_assert_msg(strstr(zoid_error(), "cannot write"), "%s", zoid_error());
    ck_assert_int_eq(zoid_job_run(turn[1].job, false, &report), ZOID_BAD_ARGUMENT);
    turn_run(&turn[0], TURN_SECOND);
    turn_check(&turn[0]);
    zoid_job_destroy(&turn[1].job);
    limit_files(RLIM_INFINITY);
    describe(&turn[2], 2, DISK);
    turn_make(context, &turn[2]);
    turn_run(&turn[2], TURN_STEPS);
    turn_check(&turn[2]);
    turn_check(&turn[0]);
}
END_TEST

/* Each thread has a job of its own; the calls of the others wait. */
static void *work(void *arg)
{
    struct turn *t = arg;

    for (int i = 0; i < 2; i++) {
        turn_make(context, t);
        turn_run(t, TURN_FIRST);
        turn_check(t);
        turn_run(t, TURN_SECOND);
        turn_check(t);
        zoid_job_destroy(&t->job);
    }
    return NULL;
}

START_TEST(threads_wait_for_each_other)
{
    pthread_t thread[3];

    for (int k = 0; k < 3; k++)
        describe(&turn[k], k, k < 2 ? DISK : RAM);
    for (int k = 0; k < 3; k++)
        ck_assert_int_eq(pthread_create(&thread[k], NULL, work, &turn[k]), 0);
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, tear_down);
    add_over_kinds(tests, each_has_the_bytes_that_it_has_alone, PLACES * PAIRS, 0);
    add_over_kinds(tests, one_is_destroyed_while_the_other_goes_on, PLACES * PAIRS, 1);
    add_over_kinds(tests, one_is_stopped_and_goes_on_later, PLACES * PAIRS, 2);
    tcase_add_test(tests, one_fails_and_the_other_goes_on);
    tcase_add_test(tests, threads_wait_for_each_other);
}

int main(void)
{
    return run_suite("jobs in turns", LIMIT, add);
}
