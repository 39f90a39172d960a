/* SPDX-License-Identifier: BSD-3-Clause */
/* Makespan of blocks on several workers, against a schedule computed from all blocks at once. */
#include <math.h>
#include <stdlib.h>

#include "graphs/method.h"
#include "graphs/sinks/schedule.h"
#include "graphs/volume.h"
#include "tests/graphs/cases.h"
#include "tests/graphs/recorder.h"
#include "tests/suite.h"

enum { CASES = 60 };

static double points_of(const void *of, const struct zoid_block *b)
{
    (void)of;
    return (double)zoid_volume(&b->zoid, &b->region);
}

static struct zoid_schedule schedule_of(const struct zoid_graph *g, int workers, long most)
{
    const struct zoid_schedule_options options = {
        .workers = workers, .most = most, .seconds = points_of};
    struct zoid_schedule s;

    ck_assert_int_eq(zoid_schedule_graph(g, &options, &s), 0);
    return s;
}

/* True if block i may start at that time; blocks that have not started end at INFINITY. */
static bool may_start(const struct recorder *r, const double *end, long i, double now, long most)
{
    long before = 0;

    for (long j = 0; j < i; j++) {
        before += end[j] > now;
        if (end[j] > now && recorder_conflict(&r->block[j], &r->block[i]))
            return false;
    }
    return before < most;
}

static double brute_force(const struct recorder *r, int workers, long most)
{
    double *end = malloc(((size_t)r->blocks + 1) * sizeof *end), now = 0;
    long ended = 0;

    ck_assert_ptr_nonnull(end);
    for (long i = 0; i < r->blocks; i++)
        end[i] = INFINITY;
    while (ended < r->blocks) {
        double next = INFINITY;
        int running = 0;

        for (long i = 0; i < r->blocks; i++)
            running += end[i] > now && end[i] < INFINITY;
        for (long i = 0; i < r->blocks && running < workers; i++)
            if (end[i] == INFINITY && may_start(r, end, i, now, most)) {
                end[i] = now + points_of(NULL, &r->block[i]);
                running += end[i] > now;
            }
        ended = 0;
        for (long i = 0; i < r->blocks; i++) {
            ended += end[i] <= now;
            next = end[i] > now && end[i] < next ? end[i] : next;
        }
        now = next < INFINITY ? next : now;
    }
    free(end);
    return now;
}

/* Equal to the oracle's; with one worker the sum of all blocks; with unlimited workers and
 * lookahead the critical path. */
START_TEST(schedules)
{
    uint64_t seed = (uint64_t)_i << 41;

    for (int i = 0; i < CASES; i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i]);
        const int workers = (int)case_between(&seed, 1, 9);
        const long most = case_between(&seed, 1, 40);
        struct zoid_count count;
        struct recorder r;
        bool clamped;
        double want, got;

        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        ck_assert_int_eq(zoid_count_graph(&g, &count), 0);
        recorder_fill(&r, &g);
        want = brute_force(&r, workers, most);
        got = schedule_of(&g, workers, most).seconds;
        ck_assert_msg(got == want, "%s: %d workers, %ld at most: %g, not %g", case_words(&g),
                      workers, most, got, want);
        ck_assert(schedule_of(&g, workers, most).work == (double)count.points);
        ck_assert(schedule_of(&g, 1, most).seconds == (double)count.points);
        ck_assert(schedule_of(&g, (int)r.blocks + 1, r.blocks + 1).seconds ==
                  (double)count.critical_points);
        recorder_free(&r);
    }
}
END_TEST

/* ---- ranks, and a memory apart --------------------------------------------------------------- */

enum { EPOCHS = 5, SLAB = 1000, MESSAGE = 10 };

static double second_of(const void *of, const struct zoid_block *b)
{
    (void)of;
    (void)b;
    return 1;
}

static double bytes_of(const void *of, const struct zoid_datum *d)
{
    (void)of;
    return d->kind == ZOID_MESSAGE ? MESSAGE : SLAB;
}

/* The middle one of `ranks` ranks, of one slab, which exchanges after every block of a second. */
static struct zoid_graph rank_of(int ranks, long slabs)
{
    struct zoid_graph g = case_line(&zoid_naive, 100, 100 / slabs, 1, EPOCHS);
    bool clamped;

    g.shape = (struct zoid_shape){
        .dims = 2, .n = {64, 100, 1}, .stages = 1, .reach = {{{1, 1, 0}, {1, 1, 0}}}};
    g.epoch = 1;
    g.cut[0].cells = g.ranks[0] = ranks;
    g.rank = ranks / 2;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    return g;
}

static void takes(const struct zoid_graph *g, const struct zoid_schedule_ways *ways, double seconds)
{
    struct zoid_schedule_options o = {.workers = 1, .most = 16, .seconds = second_of, .ways = ways};
    struct zoid_schedule s;

    ck_assert_int_eq(zoid_schedule_graph(g, &o, &s), 0);
    ck_assert_msg(fabs(s.seconds - seconds) < 1e-9, "%g s, not %g", s.seconds, seconds);
}

/* Exchanges take the way of a message, its bytes on the wire, and those of the other neighbour; the
 * thread keeps the second message waiting, and takes its seconds from the worker if it has no other
 * core. */
START_TEST(messages_take_their_way)
{
    for (int ranks = 2; ranks <= 3; ranks++) {
        const struct zoid_graph g = rank_of(ranks, 1);
        const double n = ranks - 1;
        struct zoid_schedule_ways w = {.bytes = bytes_of};
        struct zoid_schedule_options free = {.workers = 1, .most = 16, .seconds = second_of};
        struct zoid_schedule all;
        double alone;

        ck_assert_int_eq(zoid_schedule_graph(&g, &free, &all), 0);
        alone = all.seconds;
        takes(&g, &w, alone);
        w.way = 0.25;
        takes(&g, &w, alone + (EPOCHS - 1) * 0.25);
        w.wire = 0.01;
        takes(&g, &w, alone + (EPOCHS - 1) * (0.25 + n * 0.1));
        w.wire = 0;
        w.message = 0.125;
        takes(&g, &w, alone + (EPOCHS - 1) * (0.25 + (n - 1) * 0.125));
    }
}
END_TEST

/* Slabs come before the first block and go after the last one, messages go down and up between
 * them; without room for all slabs these come and go for each block. */
START_TEST(data_take_their_way)
{
    const struct zoid_graph g = rank_of(2, 1);
    struct zoid_schedule_ways w = {.bytes = bytes_of, .near = true, .room = 1e9};
    struct zoid_schedule_options o = {.workers = 1, .most = 16, .seconds = second_of, .ways = &w};
    struct zoid_schedule base, s;

    for (int k = 0; k < ZOID_KINDS; k++)
        w.kept[k] = true;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &base), 0);
    w.up = 0.001;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &s), 0);
    ck_assert(fabs(s.seconds - base.seconds - SLAB * 0.001 - (EPOCHS - 1) * MESSAGE * 0.001) <
              1e-9);
    w.up = 0;
    w.down = 0.001;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &s), 0);
    ck_assert(fabs(s.seconds - base.seconds - SLAB * 0.001 - (EPOCHS - 1) * MESSAGE * 0.001) <
              1e-9);
}
END_TEST

/* Where all slabs have room they come once; where two have, each comes for each of its blocks. */
START_TEST(room_limits_the_data_there)
{
    enum { SLABS = 10 };
    const struct zoid_graph g = rank_of(2, SLABS);
    struct zoid_schedule_ways w = {.bytes = bytes_of, .near = true, .up = 1, .room = 1e9};
    struct zoid_schedule_options o = {.workers = 1, .most = 16, .seconds = second_of, .ways = &w};
    struct zoid_schedule all, few;

    for (int k = 0; k < ZOID_KINDS; k++)
        w.kept[k] = true;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &all), 0);
    for (int k = 0; k < ZOID_KINDS; k++)
        w.kept[k] = k != ZOID_SLAB;
    w.room = 4 * SLAB;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &few), 0);
    ck_assert_msg(all.seconds >= SLABS * SLAB && all.seconds < 2 * SLABS * SLAB, "%g s",
                  all.seconds);
    ck_assert_msg(few.seconds >= EPOCHS * SLABS * SLAB, "%g s, not %g", few.seconds, all.seconds);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, messages_take_their_way);
    tcase_add_test(tests, data_take_their_way);
    tcase_add_test(tests, room_limits_the_data_there);
    tcase_add_loop_test(tests, schedules, 0, case_methods());
}

int main(void)
{
    return run_suite("schedule", 120, add);
}
