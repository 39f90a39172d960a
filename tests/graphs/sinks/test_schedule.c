/* SPDX-License-Identifier: BSD-3-Clause */
/* Makespan of blocks on several workers, against a schedule computed from all blocks at once. */
#include <math.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/method.h"
#include "graphs/sinks/moves.h"
#include "graphs/sinks/schedule.h"
#include "graphs/volume.h"
#include "tests/effort.h"
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

/* Data take a multiple of a grain there: slabs of ten have no room where two each would. */
START_TEST(data_take_whole_grains)
{
    enum { SLABS = 10 };
    const struct zoid_graph g = rank_of(2, SLABS);
    struct zoid_schedule_ways w = {
        .bytes = bytes_of, .near = true, .up = 1e-6, .room = SLABS * SLAB, .grain = SLAB + 1};
    struct zoid_schedule_options o = {
        .workers = 1, .most = 2 * SLABS, .seconds = second_of, .ways = &w};
    struct zoid_schedule s;

    for (int k = 0; k < ZOID_KINDS; k++)
        w.kept[k] = k != ZOID_SLAB;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &s), 0);
    ck_assert_msg(s.up > 1e-6 * SLAB * SLABS * (EPOCHS - 1), "%g s up", s.up);
    w.grain = SLAB;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &s), 0);
    ck_assert_msg(s.up < 1e-6 * SLAB * SLABS * 2, "%g s up", s.up);
}
END_TEST

/* A slab that is written again while it goes home goes again, so that a slow link takes as long as
 * a fast one for its bytes. */
START_TEST(late_writes_go_home)
{
    const struct zoid_graph g = rank_of(2, 10);
    struct zoid_schedule_ways w = {.bytes = bytes_of, .near = true, .room = 1e9};
    struct zoid_schedule_options o = {.workers = 1, .most = 4, .seconds = second_of, .ways = &w};
    struct zoid_schedule fast, slow;

    for (int k = 0; k < ZOID_KINDS; k++)
        w.kept[k] = k != ZOID_SLAB;
    w.down = 0.1 / SLAB;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &fast), 0);
    w.down = 10.0 / SLAB;
    ck_assert_int_eq(zoid_schedule_graph(&g, &o, &slow), 0);
    ck_assert_msg(fabs(slow.down - 100 * fast.down) < 1e-6, "%g s, not %g", slow.down,
                  100 * fast.down);
}
END_TEST

/* Slabs that hold planes at the end. */
struct at_end {
    struct zoid_sink sink;
    double slabs;
};

static int no_block(struct zoid_sink *sink, const struct zoid_block *b)
{
    (void)sink;
    (void)b;
    return 0;
}

static int count_store(struct zoid_sink *sink, const struct zoid_access *a)
{
    (void)a;
    ((struct at_end *)sink)->slabs++;
    return 0;
}

static void moves_alike(const struct zoid_graph *g)
{
    static const double room[] = {1, 5 * SLAB, 1e9};
    struct zoid_schedule_ways w = {
        .bytes = bytes_of, .near = true, .up = 1, .down = 1, .kept[ZOID_REUSE] = true};
    const struct zoid_schedule_options o = {
        .workers = 1, .most = 16, .seconds = second_of, .ways = &w};
    const struct zoid_moves_options way = {
        .memories = 1, .bytes = bytes_of, .kept[ZOID_REUSE] = true};
    struct at_end at_end = {.sink = {.block = no_block, .store = count_store}};
    struct zoid_moves all;
    struct zoid_schedule s;

    ck_assert_int_eq(zoid_graph_emit(g, &at_end.sink), 0);
    ck_assert_int_eq(zoid_moves_graph(g, &way, &all), 0);
    for (int i = 0; i < 3; i++) {
        w.room = room[i];
        ck_assert_msg(!zoid_schedule_graph(g, &o, &s), "%s, rank %d", case_words(g), g->rank);
        ck_assert_msg(
            i ? s.up <= all.up && s.down <= all.down : s.up == all.up && s.down == all.down,
            "%s: %g s up of %g, %g s down of %g", case_words(g), s.up, all.up, s.down, all.down);
        ck_assert_msg(s.down >= at_end.slabs * SLAB, "%s: %g s down", case_words(g), s.down);
        ck_assert(s.seconds >= s.up && s.seconds >= s.down && s.seconds >= s.work);
    }
}

/* Without room a rank's data come and go as graphs/sinks/moves.c says, and with room fewer do; a
 * run takes as long as each resource at least. */
START_TEST(moves_the_same_data)
{
    uint64_t seed = (uint64_t)_i << 40 | 20;

    for (int i = 0; i < effort(CASES) && zoid_methods[_i]->cells; i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i]);
        bool clamped;

        case_deal(&seed, &g);
        g.rank = ZOID_EVERY_RANK;
        if (zoid_graph_init(&g, &clamped) || zoid_ranks(&g) == 1 || zoid_grid_relays(&g) ||
            g.apart || !g.steps)
            continue;
        g.rank = (int)case_between(&seed, 0, zoid_ranks(&g) - 1);
        moves_alike(&g);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, data_take_whole_grains);
    tcase_add_test(tests, late_writes_go_home);
    tcase_add_loop_test(tests, moves_the_same_data, 0, case_methods());
    tcase_add_test(tests, messages_take_their_way);
    tcase_add_test(tests, data_take_their_way);
    tcase_add_test(tests, room_limits_the_data_there);
    tcase_add_loop_test(tests, schedules, 0, case_methods());
}

int main(void)
{
    return run_suite("schedule", 120, add);
}
