/* SPDX-License-Identifier: BSD-3-Clause */
/* Idle time of workers due to messages, for hand-made schedules. */
#include <math.h>
#include <string.h>

#include "runtime/submit/idle_time.h"
#include "tests/suite.h"

#define NEW              \
    {                    \
        .came = { 0, 0 } \
    }

static struct zoid_idle_time waits;

static struct zoid_submission submit(double now)
{
    struct zoid_submission turn;

    zoid_idle_time_submitted(&waits, now, &turn);
    return turn;
}

/* A block of one worker, with the state returned at its submission. */
static struct zoid_wait run(struct zoid_submission turn, int worker, double begin, double end,
                            const struct zoid_use *use, size_t n)
{
    turn.worker = worker;
    zoid_idle_time_begins(&waits, begin, &turn);
    return zoid_idle_time_ends(&waits, end, &turn, use, n);
}

static void waited(double seconds)
{
    ck_assert_msg(fabs(zoid_idle_time_sum(&waits) - seconds) < 1e-9, "%g instead of %g",
                  zoid_idle_time_sum(&waits), seconds);
}

/* One worker; a block ends at 5, and the next one needs a message that arrives at 8. */
START_TEST(a_message_that_comes_late_is_waited_for)
{
    struct zoid_marks slab = NEW, message = NEW;
    const struct zoid_use own = {&slab, true}, both[] = {{&slab, true}, {&message, false}};
    struct zoid_submission first, second;
    struct zoid_wait held;

    zoid_idle_time_init(&waits, 1, 100);
    first = submit(101), second = submit(101);
    held = run(first, 0, 101, 105, &own, 1);
    ck_assert(held.to <= held.from);
    zoid_idle_time_came(&waits, 108, &message);
    held = run(second, 0, 109, 110, both, 2);
    ck_assert_double_eq(held.from, 105);
    ck_assert_double_eq(held.to, 108);
    waited(3);
}
END_TEST

/* Open receives do not count: a message that arrived before the block could have begun was not
 * waited for. */
START_TEST(a_message_that_comes_in_time_is_not)
{
    struct zoid_marks slab = NEW, message = NEW;
    const struct zoid_use own = {&slab, true}, both[] = {{&slab, true}, {&message, false}};
    struct zoid_submission first, second;

    zoid_idle_time_init(&waits, 2, 0);
    first = submit(1), second = submit(1);
    zoid_idle_time_came(&waits, 4.5, &message);
    run(first, 0, 2, 5, &own, 1);
    run(second, 0, 7, 8, both, 2);
    waited(0);
}
END_TEST

/* A block is not held before its submission, nor by concurrent readers of the same data. */
START_TEST(blocks_are_held_from_their_submission)
{
    struct zoid_marks shared = NEW, message = NEW;
    const struct zoid_use reads = {&shared, false}, both[] = {{&shared, false}, {&message, false}};
    struct zoid_submission other, held;

    zoid_idle_time_init(&waits, 2, 0);
    other = submit(0), held = submit(2);
    other.worker = 0;
    zoid_idle_time_begins(&waits, 0, &other);
    zoid_idle_time_came(&waits, 6, &message);
    zoid_idle_time_ends(&waits, 7, &other, &reads, 1);
    run(held, 1, 8, 9, both, 2);
    waited(4); /* one worker was idle from 2 to 6 */
}
END_TEST

/* Writers wait for earlier readers. */
START_TEST(writers_follow_readers)
{
    struct zoid_marks slab = NEW, message = NEW;
    const struct zoid_use reads = {&slab, false}, both[] = {{&slab, true}, {&message, false}};
    struct zoid_submission reader, writer;

    zoid_idle_time_init(&waits, 1, 0);
    reader = submit(0), writer = submit(0);
    run(reader, 0, 0, 3, &reads, 1);
    zoid_idle_time_came(&waits, 4, &message);
    run(writer, 0, 4, 5, both, 2);
    waited(1);
}
END_TEST

/* All idle workers wait while any block is held, counted once if several are. */
START_TEST(idle_workers_count_once)
{
    struct zoid_marks message[2] = {NEW, NEW}, other = NEW;
    struct zoid_submission turn[3];

    zoid_idle_time_init(&waits, 4, 0);
    for (int i = 0; i < 3; i++)
        turn[i] = submit(0);
    turn[2].worker = 3;
    zoid_idle_time_begins(&waits, 0, &turn[2]);
    zoid_idle_time_came(&waits, 2, &message[0]);
    zoid_idle_time_came(&waits, 5, &message[1]);
    run(turn[1], 0, 5, 6, &(struct zoid_use){&message[1], false}, 1);
    waited(15);
    run(turn[0], 1, 6, 7, &(struct zoid_use){&message[0], false}, 1);
    zoid_idle_time_ends(&waits, 8, &turn[2], &(struct zoid_use){&other, true}, 1);
    waited(15);
}
END_TEST

/* A GPU gets the next block before the last one has ended, and is busy all the time. */
START_TEST(a_worker_may_have_several_blocks)
{
    struct zoid_marks message = NEW, other = NEW;
    const struct zoid_use use = {&other, true}, late = {&message, false};
    struct zoid_submission a, b, held;

    zoid_idle_time_init(&waits, 1, 0);
    a = submit(0), b = submit(0), held = submit(0);
    a.worker = b.worker = 7;
    zoid_idle_time_begins(&waits, 0, &a);
    zoid_idle_time_begins(&waits, 1, &b);
    zoid_idle_time_ends(&waits, 2, &a, &use, 1);
    zoid_idle_time_ends(&waits, 4, &b, &use, 1);
    zoid_idle_time_came(&waits, 6, &message);
    run(held, 7, 6, 7, &late, 1);
    waited(2);
}
END_TEST

/* Blocks may begin before the thread that received their message has reported it. */
START_TEST(what_is_told_late_ends_with_the_beginning)
{
    struct zoid_marks message = NEW;
    const struct zoid_use use = {&message, false};
    struct zoid_submission turn;

    zoid_idle_time_init(&waits, 2, 0);
    turn = submit(0);
    turn.worker = 0;
    zoid_idle_time_begins(&waits, 3, &turn);
    zoid_idle_time_came(&waits, 4, &message);
    zoid_idle_time_ends(&waits, 5, &turn, &use, 1);
    waited(6);
}
END_TEST

/* ---- random spans, against a bitmap -------------------------------------------------------- */

enum { CELLS = 4000, SPANS = 400, LONGEST = 60, JITTER = 40 };

/* Deterministic pseudo-random number below the bound. */
static int chance(int below)
{
    static uint32_t state = 1;

    state = state * 1664525 + 1013904223;
    return (int)((state >> 8) % (uint32_t)below);
}

START_TEST(spans_in_any_order_are_their_union)
{
    bool drawn[CELLS] = {false};
    int sum = 0;

    zoid_idle_time_init(&waits, 1, 0);
    for (int i = 0; i < SPANS; i++) {
        const int to = 100 + i * 9 + chance(JITTER), from = to - chance(LONGEST);
        struct zoid_marks message = {.came = {to, to}};
        /* All time is idle here: every block has zero duration. */
        struct zoid_submission turn = {.submitted = {from, from}, .begun = {CELLS, CELLS}};

        turn.worker = 0;
        waits.blocks[0] = 2;
        zoid_idle_time_ends(&waits, 0, &turn, &(struct zoid_use){&message, false}, 1);
        for (int c = from; c < to; c++)
            drawn[c] = true;
    }
    for (int c = 0; c < CELLS; c++)
        sum += drawn[c];
    waited(sum);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, a_message_that_comes_late_is_waited_for);
    tcase_add_test(tests, a_message_that_comes_in_time_is_not);
    tcase_add_test(tests, blocks_are_held_from_their_submission);
    tcase_add_test(tests, writers_follow_readers);
    tcase_add_test(tests, idle_workers_count_once);
    tcase_add_test(tests, a_worker_may_have_several_blocks);
    tcase_add_test(tests, what_is_told_late_ends_with_the_beginning);
    tcase_add_test(tests, spans_in_any_order_are_their_union);
}

int main(void)
{
    return run_suite("waits", 60, add);
}
