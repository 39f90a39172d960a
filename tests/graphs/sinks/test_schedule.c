/* SPDX-License-Identifier: BSD-3-Clause */
/* Makespan of blocks on several workers, against a schedule computed from all blocks at once. */
#include <math.h>
#include <stdlib.h>

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

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, schedules, 0, case_methods());
}

int main(void)
{
    return run_suite("schedule", 120, add);
}
