/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads that emit parts: submissions keep the order of messages, legs end together, and a
 * failure ends all waits. */
#include "runtime/submit/channels.h"

#include <pthread.h>
#include <stdatomic.h>

#include "runtime/submit/epoch_clock.h"
#include "tests/check.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { NAMES = 3, MESSAGES = 3000 };

static struct zoid_channels *channels;

/* Contents of the buffers: only the order of submissions guards them, as StarPU's tasks would be
 * ordered by it. */
static long buffer[2][NAMES];

static struct zoid_datum name(int writer, long message)
{
    return (struct zoid_datum){
        .kind = ZOID_MESSAGE, .row = writer * NAMES + message % NAMES, .owner = writer};
}

struct part {
    int number;
    long messages;
    long fails_at; /* messages; -1: never */
    long reads, wrong;
};

/* Emits an epoch for each message, as a rank does: the message after the next is awaited before an
 * answer is sent, and a block that leaves one comes before its send. */
static void *emit(void *arg)
{
    struct part *p = arg;
    const int mine = p->number, other = 1 - mine;
    bool sound = true;

    for (long e = 0; e < 2; e++) {
        const struct zoid_datum d = name(other, e);

        ck_assert_int_eq(zoid_channels_await(channels, &d), ZOID_OK);
    }
    for (long e = 0; e < p->messages && sound && e != p->fails_at; e++) {
        const struct zoid_datum out = name(mine, e), in = name(other, e), next = name(other, e + 2);

        sound = zoid_channels_awaited(channels, &out, other);
        if (!sound)
            break;
        buffer[mine][e % NAMES] = e;
        ck_assert_int_eq(zoid_channels_send(channels, &out), ZOID_OK);
        sound = zoid_channels_sent(channels, &in);
        if (!sound)
            break;
        p->wrong += buffer[other][e % NAMES] != e;
        p->reads++;
        if (e + 2 < p->messages)
            ck_assert_int_eq(zoid_channels_await(channels, &next), ZOID_OK);
    }
    zoid_channels_emitted(channels, mine, p->fails_at >= 0);
    return NULL;
}

static void run(struct part part[2])
{
    pthread_t thread;

    channels = zoid_channels_create(2);
    ck_assert_ptr_nonnull(channels);
    zoid_channels_begin(channels);
    ck_assert_int_eq(pthread_create(&thread, NULL, emit, &part[1]), 0);
    emit(&part[0]);
    pthread_join(thread, NULL);
}

START_TEST(messages_keep_their_order)
{
    struct part part[2] = {{0, effort(MESSAGES), -1, 0, 0}, {1, effort(MESSAGES), -1, 0, 0}};

    run(part);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(part[i].reads, part[i].messages);
        ck_assert_int_eq(part[i].wrong, 0);
    }
    ck_assert_int_eq(zoid_channels_failed(channels), -1);
    zoid_channels_destroy(&channels);
}
END_TEST

START_TEST(a_failure_ends_all_waits)
{
    struct part part[2] = {{0, MESSAGES, -1, 0, 0}, {1, MESSAGES, 17, 0, 0}};

    run(part);
    ck_assert_int_eq(zoid_channels_failed(channels), 1);
    ck_assert_int_lt(part[0].reads, MESSAGES);
    zoid_channels_destroy(&channels);
}
END_TEST

static bool at_20(void *asked, long steps)
{
    ++*(int *)asked;
    return steps >= 20;
}

static bool moves_at_10(void *mover, long steps)
{
    (void)mover;
    return steps == 10;
}

/* The first part to ask decides, and the other gets its answer. */
START_TEST(parts_end_together)
{
    int asked = 0;

    channels = zoid_channels_create(2);
    zoid_channels_begin(channels);
    for (int part = 0; part < 2; part++)
        for (long steps = 5; steps <= 20; steps += 5)
            ck_assert_int_eq(zoid_channels_end(channels, steps, at_20, &asked), steps == 20);
    ck_assert_int_eq(asked, 4);
    zoid_channels_control(channels, &(struct zoid_control){.moves = moves_at_10});
    zoid_channels_begin(channels);
    for (int part = 0; part < 2; part++)
        for (long steps = 5; steps <= 10; steps += 5)
            ck_assert_int_eq(zoid_channels_end(channels, steps, at_20, &asked), steps == 10);
    ck_assert_int_eq(asked, 6);
    zoid_channels_destroy(&channels);
}
END_TEST

/* Blocks of two workers, of which those of the next epoch begin before this one has ended. */
START_TEST(epochs_have_their_seconds)
{
    struct zoid_epoch_clock clock;

    zoid_epoch_clock_init(&clock, 2, _i);
    zoid_epoch_clock_begin(&clock);
    zoid_epoch_clock_submitted(&clock, 0);
    zoid_epoch_clock_submitted(&clock, 0);
    zoid_epoch_clock_begins(&clock, 1);
    zoid_epoch_clock_begins(&clock, 2);
    zoid_epoch_clock_ends(&clock, 0, 4, 3);
    ck_assert_int_eq(zoid_epoch_clock_done(&clock), 0);
    zoid_epoch_clock_submitted(&clock, 1);
    ck_assert_int_eq(zoid_epoch_clock_done(&clock), 0);
    zoid_epoch_clock_ends(&clock, 0, 7, 5);
    /* More blocks of it may come until it is whole. */
    ck_assert_int_eq(zoid_epoch_clock_done(&clock), 0);
    zoid_epoch_clock_whole(&clock, 1);
    ck_assert_int_eq(zoid_epoch_clock_done(&clock), 1);
    zoid_epoch_clock_wait(&clock, 1);
    /* Together: from 1 to 7; or 3 and 5 seconds of two workers. */
    ck_assert_double_eq(zoid_epoch_clock_seconds(&clock, 0), _i ? 6 : 4);
    zoid_epoch_clock_begins(&clock, 20);
    zoid_epoch_clock_ends(&clock, 1, 21, 1);
    zoid_epoch_clock_submitted(&clock, 2);
    zoid_epoch_clock_whole(&clock, 2);
    ck_assert_int_eq(zoid_epoch_clock_done(&clock), 2);
    /* The rest never comes. */
    zoid_epoch_clock_over(&clock);
    zoid_epoch_clock_wait(&clock, 100);
    ck_assert_double_eq(zoid_epoch_clock_seconds(&clock, 1), _i ? 1 : 0.5);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, messages_keep_their_order);
    tcase_add_test(tests, a_failure_ends_all_waits);
    tcase_add_test(tests, parts_end_together);
    tcase_add_loop_test(tests, epochs_have_their_seconds, 0, 2);
}

int main(void)
{
    return run_suite("channels", 60, add);
}
