/* SPDX-License-Identifier: BSD-3-Clause */
/* Shots one after the other: a job that is refilled with other sources and receivers has the bytes
 * and the record of a job of its own, and keeps its coefficients. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runtime/context.h"
#include "tests/runtime/turns.h"
#include "tests/suite.h"

enum { SHOTS = 3, LIMIT = SANITIZED ? 400 : 100 }; /* seconds of a test */

static struct zoid_context *context;
static struct turn shot[SHOTS];

/* Waves from different places, over the same coefficients; the last one has another receiver. */
static void describe(bool disk)
{
    for (int i = 0; i < SHOTS; i++) {
        turn_describe(&shot[i], 1);
        shot[i].source.at[0] += 7 * i;
        shot[i].source.at[1] -= 250.5 * i;
        if (disk)
            turn_to_disk(context, &shot[i], NULL);
    }
    shot[2].receiver[0] = (struct zoid_receiver){.at = {11.25, 2000}};
}

static void set_up(void)
{
    alarm((unsigned)effort_limit(LIMIT));
    context = open_context("2", true);
}

static void tear_down(void)
{
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}

static char *bytes_alone(struct turn *t, size_t *bytes)
{
    char *alone;

    turn_make(context, t);
    turn_run(t, TURN_STEPS);
    alone = turn_bytes(t, bytes);
    zoid_job_destroy(&t->job);
    return alone;
}

/* Fills the state alone. */
static void fill(void *user, int field, const struct zoid_box *box, const struct zoid_values *to)
{
    struct turn *t = user;

    ck_assert_int_lt(field, t->problem.op->nstate);
    zoid_initial_box(&t->initial, field, box, to);
}

/* The job of the first shot becomes that of another one. */
static void go_on(struct turn *t, struct zoid_job **job)
{
    ck_assert_msg(!zoid_job_refill(*job, 0, &t->points, fill, t), "%s", zoid_error());
    t->job = *job;
    *job = NULL;
}

START_TEST(shots_in_one_job)
{
    char *alone[SHOTS];
    size_t bytes[SHOTS], n;

    describe(_i);
    for (int i = 0; i < SHOTS; i++)
        alone[i] = bytes_alone(&shot[i], &bytes[i]);
    turn_make(context, &shot[0]);
    for (int i = 0; i < SHOTS; i++) {
        char *now;

        if (i)
            go_on(&shot[i], &shot[i - 1].job);
        turn_run(&shot[i], TURN_FIRST);
        turn_run(&shot[i], TURN_SECOND);
        turn_check(&shot[i]);
        now = turn_bytes(&shot[i], &n);
        ck_assert_uint_eq(n, bytes[i]);
        ck_assert_msg(!memcmp(now, alone[i], n), "shot %d differs from its own job", i);
        free(now);
        free(alone[i]);
    }
    zoid_job_destroy(&shot[2].job);
}
END_TEST

/* A job that is refused other points goes on with its own. */
START_TEST(refused_points_change_nothing)
{
    enum { MANY = 60000 };
    struct zoid_receiver *many = calloc(MANY, sizeof *many);
    struct zoid_points points = {.receivers = MANY, .receiver = many};

    ck_assert_ptr_nonnull(many);
    describe(false);
    shot[0].request.budget[ZOID_RAM] = 24 << 20;
    turn_make(context, &shot[0]);
    turn_run(&shot[0], TURN_FIRST);
    for (int i = 0; i < MANY; i++)
        many[i] = (struct zoid_receiver){.at = {40 + 0.25 * (i % 64), 20.5 + i / 64}};
    ck_assert_int_eq(zoid_job_refill(shot[0].job, 0, &points, fill, &shot[0]), ZOID_DOES_NOT_FIT);
    many[0].at[0] = 5000;
    ck_assert_int_eq(zoid_job_refill(shot[0].job, 0, &points, fill, &shot[0]), ZOID_BAD_ARGUMENT);
    turn_run(&shot[0], TURN_SECOND);
    turn_check(&shot[0]);
    /* No points at all, and then some again. */
    points = (struct zoid_points){.sources = 0};
    ck_assert_int_eq(zoid_job_refill(shot[0].job, 0, &points, fill, &shot[0]), ZOID_OK);
    turn_run(&shot[0], TURN_FIRST);
    turn_check(&shot[0]);
    ck_assert_int_eq(zoid_job_refill(shot[0].job, 0, &shot[1].points, fill, &shot[0]), ZOID_OK);
    turn_run(&shot[0], TURN_STEPS);
    turn_check(&shot[0]);
    zoid_job_destroy(&shot[0].job);
    free(many);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, shots_in_one_job, 0, 2);
    tcase_add_test(tests, refused_points_change_nothing);
}

int main(void)
{
    return run_suite("shots", LIMIT, add);
}
