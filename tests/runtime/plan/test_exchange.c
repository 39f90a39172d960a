/* SPDX-License-Identifier: BSD-3-Clause */
/* The replay of exchanges (runtime/plan/exchange.c), by costs that can be added up by hand. */
#include <math.h>
#include <stddef.h>

#include "runtime/plan/estimate.h"
#include "tests/suite.h"

/* Ten epochs of 10 ms, in one part. */
static struct zoid_exchange_cost usual(void)
{
    return (struct zoid_exchange_cost){.base = 0.1,
                                       .steady = 1,
                                       .exchanges = 9,
                                       .parts = 1,
                                       .largest = 1,
                                       .laps = 1,
                                       .rounds = 1,
                                       .first = 1};
}

static void takes(const struct zoid_exchange_cost *c, double waits)
{
    const double is = zoid_exchange_waits(c);

    ck_assert_msg(fabs(is - waits) < 1e-9, "%g s, not %g", is, waits);
    ck_assert(fabs(zoid_exchange_seconds(c) - c->base - waits) < 1e-9);
}

/* A message alone passes one resource after another; its ends keep the thread from others only. */
START_TEST(one_message_takes_its_way)
{
    struct zoid_exchange_cost c = usual();

    takes(&c, 0);
    c.ways = 1e-3;
    c.wire = 2e-3;
    c.down = 0.3e-3;
    c.up = 0.4e-3;
    takes(&c, 9 * 3.7e-3);
    c.thread = 1e-3;
    takes(&c, 9 * 3.7e-3);
}
END_TEST

/* Two messages: the second one's send waits for the first one's, the first one's receive for
 * that, and the second one's receive for all. */
START_TEST(a_thread_serves_one_message_after_another)
{
    struct zoid_exchange_cost c = usual();

    c.largest = 0.5;
    c.ways = 1e-3;
    c.thread = 4e-3;
    takes(&c, 9 * 3e-3);
    c.wire = 1e-3;
    takes(&c, 9 * 3e-3);
}
END_TEST

/* Messages of a slab have the time of all others but the last; an epoch that awaits two has less,
 * and ends of the line are never hidden. */
START_TEST(other_slabs_hide_messages)
{
    struct zoid_exchange_cost c = usual();

    c.parts = 10;
    c.largest = 0.1;
    c.ways = 9e-3;
    takes(&c, 0);
    c.ways = 12e-3;
    takes(&c, 9 * 3e-3);
    c.first = 2;
    takes(&c, 9 * 4e-3);
    c.late = 1;
    takes(&c, 9 * 5e-3);
    c = usual();
    c.parts = 10;
    c.largest = 0.05;
    c.ways = 2e-3;
    c.ends = 0.5;
    takes(&c, 9 * 2e-3);
}
END_TEST

/* Each round awaits the one before. */
START_TEST(rounds_add_up)
{
    for (int rounds = 1; rounds <= 3; rounds++) {
        struct zoid_exchange_cost c = usual();

        c.rounds = rounds;
        c.ways = rounds * 1e-3;
        c.wire = 2e-3;
        takes(&c, 9 * (rounds * 1e-3 + 2e-3));
    }
}
END_TEST

/* In a chain, messages go up between blocks; else while blocks run. */
START_TEST(a_chain_waits_for_the_link)
{
    struct zoid_exchange_cost c = usual();

    c.parts = 10;
    c.largest = 0.1;
    c.up = 5e-3;
    takes(&c, 0);
    c.chain = true;
    takes(&c, 9 * 5e-3);
}
END_TEST

/* Whatever becomes slower, the run does not get faster, with parts beyond the replay's, too; and no
 * resource is busy for longer than the run. */
START_TEST(slower_is_never_faster)
{
    static const double parts[] = {1, 2, 7, 24, 25, 500};
    static const size_t rates[] = {
        offsetof(struct zoid_exchange_cost, ways), offsetof(struct zoid_exchange_cost, wire),
        offsetof(struct zoid_exchange_cost, thread), offsetof(struct zoid_exchange_cost, down),
        offsetof(struct zoid_exchange_cost, up)};

    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            struct zoid_exchange_cost c = usual();
            double before;

            c.exchanges = 1000;
            c.parts = parts[p];
            c.largest = 0.3 / parts[p];
            c.ways = c.wire = c.thread = c.down = c.up = 1e-5;
            before = zoid_exchange_waits(&c);
            for (int times = 0; times < 6; times++) {
                double *rate = (double *)((char *)&c + rates[i]);

                *rate *= 4;
                ck_assert_msg(zoid_exchange_waits(&c) >= before - 1e-12, "%g parts, rate %zu",
                              parts[p], i);
                before = zoid_exchange_waits(&c);
                ck_assert(i == 0 || zoid_exchange_seconds(&c) > 0.99 * c.exchanges * *rate);
            }
        }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, one_message_takes_its_way);
    tcase_add_test(tests, a_thread_serves_one_message_after_another);
    tcase_add_test(tests, other_slabs_hide_messages);
    tcase_add_test(tests, rounds_add_up);
    tcase_add_test(tests, a_chain_waits_for_the_link);
    tcase_add_test(tests, slower_is_never_faster);
}

int main(void)
{
    return run_suite("exchange", 20, add);
}
