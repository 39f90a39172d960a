/* SPDX-License-Identifier: BSD-3-Clause */
/* The controller of the border, against simulated machines: arithmetic only. */
#include <math.h>
#include <stdlib.h>

#include "runtime/plan/border.h"
#include "tests/check.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { EPOCHS = 64, SEEDS = 200 };

/* Two parts: the lower one has `share` of the speed. An epoch's seconds scatter by `noise`, and one
 * in 1 / `spike` takes three times as long; from epoch `slow_at` on the lower part is ten times
 * slower. */
struct machine {
    const char *name;
    long planes;
    double ghost, share, noise, spike;
    int slow_at;  /* 0: never */
    double start; /* share of the planes that the lower part begins with */
    /* Bounds: the median of the run's seconds over those with the best border, and the worst; mean
     * number of moves; epochs until the border is within 3 % of the best for good, the median. */
    double median, worst, moves, settled;
};

static const struct machine machines[] = {
    {"1:1", 4096, 32, 0.5, 0.01, 0, 0, 0.1, 1.02, 1.04, 2.5, 2},
    {"1:3", 4096, 32, 0.25, 0.01, 0, 0, 0.5, 1.02, 1.15, 2, 1},
    {"1:9", 4096, 32, 0.1, 0.05, 0, 0, 0.1, 1.02, 1.06, 4, 1},
    {"1:20", 4096, 32, 0.05, 0.01, 0, 0, 0.5, 1.18, 1.2, 2.5, 2},
    {"small, 1:3", 256, 8, 0.25, 0.02, 0, 0, 0.1, 1.03, 1.15, 4, 2},
    {"spikes, 1:3", 4096, 32, 0.25, 0.02, 0.05, 0, 0.1, 1.03, 1.25, 5, 2},
    {"slow, 1:3", 4096, 32, 0.25, 0.02, 0, 20, 0.25, 1.2, 1.4, 6, 24},
};

static double uniform(uint64_t *seed)
{
    return ((double)case_between(seed, 0, (1L << 30) - 1) + 0.5) / (double)(1L << 30);
}

static double jitter(const struct machine *m, uint64_t *seed)
{
    const double gauss =
        sqrt(-2 * log(uniform(seed))) * cos(2 * acos(-1.0) * uniform(seed)) * m->noise;

    return exp(gauss) * (uniform(seed) < m->spike ? 3 : 1);
}

/* Seconds of an epoch of each part, without noise. */
static void times_of(const struct machine *m, long planes, int epoch, double seconds[2])
{
    const double slow = m->slow_at && epoch >= m->slow_at ? 10 : 1, n = (double)m->planes;

    seconds[0] = ((double)planes + m->ghost) / (n * m->share) * slow;
    seconds[1] = (n - (double)planes + m->ghost) / (n * (1 - m->share));
}

static double slower(const struct machine *m, long planes, int epoch)
{
    double seconds[2];

    times_of(m, planes, epoch, seconds);
    return fmax(seconds[0], seconds[1]);
}

static long best_planes(const struct machine *m, int epoch, long least)
{
    long best = least;

    for (long x = least; x <= m->planes - least; x++)
        if (slower(m, x, epoch) < slower(m, best, epoch))
            best = x;
    return best;
}

struct outcome {
    double over; /* seconds of the run over those with the best border from the start */
    long moves;
    int settled;
};

static struct outcome simulate(const struct machine *m, uint64_t seed)
{
    const long least = 2 * (long)m->ghost;
    const struct zoid_border_case of = {m->planes, least, m->ghost, 0.02, INFINITY, NULL, NULL};
    struct zoid_border border = zoid_border_begin(&of);
    long planes = (long)((double)m->planes * m->start);
    const long bests[2] = {best_planes(m, 0, least), best_planes(m, m->slow_at, least)};
    struct outcome o = {.over = 0};
    double took = 0, should = 0;

    planes = planes > least ? planes : least;
    for (int e = 0; e < EPOCHS; e++) {
        const long best = bests[m->slow_at && e >= m->slow_at];
        const double j[2] = {jitter(m, &seed), jitter(m, &seed)};
        double seconds[2], ideal[2];
        long wish;

        times_of(m, planes, e, seconds);
        times_of(m, best, e, ideal);
        if (fmax(seconds[0], seconds[1]) > 1.03 * fmax(ideal[0], ideal[1]))
            o.settled = e + 1;
        for (int i = 0; i < 2; i++) {
            seconds[i] *= j[i];
            ideal[i] *= j[i];
        }
        took += fmax(seconds[0], seconds[1]);
        should += fmax(ideal[0], ideal[1]);
        zoid_border_learn(&border, planes, seconds);
        wish = zoid_border_wish(&border, planes, EPOCHS - 1 - e);
        ck_assert(wish >= least && wish <= m->planes - least);
        if (wish != planes) {
            took += of.cost;
            zoid_border_moved(&border, of.cost);
        }
        planes = wish;
    }
    o.over = took / should;
    o.moves = border.moves;
    return o;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

START_TEST(borders_settle)
{
    const struct machine *m = &machines[_i];
    double over[SEEDS], settled[SEEDS], moves = 0;

    for (int i = 0; i < SEEDS; i++) {
        const struct outcome o = simulate(m, (uint64_t)i * 7919 + 1);

        over[i] = o.over;
        settled[i] = o.settled;
        moves += (double)o.moves / SEEDS;
    }
    qsort(over, SEEDS, sizeof *over, by_value);
    qsort(settled, SEEDS, sizeof *settled, by_value);
    ck_assert_msg(over[SEEDS / 2] <= m->median && over[SEEDS - 1] <= m->worst &&
                      moves <= m->moves && settled[SEEDS / 2] <= m->settled,
                  "%s: over the best %.3f, worst %.3f; %.1f moves; settled after %.0f", m->name,
                  over[SEEDS / 2], over[SEEDS - 1], moves, settled[SEEDS / 2]);
}
END_TEST

/* Without measurements nothing moves, nor for less than a move costs. */
START_TEST(stays)
{
    const struct zoid_border_case of = {100, 4, 2, 0.5, INFINITY, NULL, NULL};
    struct zoid_border border = zoid_border_begin(&of);

    ck_assert_int_eq(zoid_border_wish(&border, 50, 10), 50);
    zoid_border_learn(&border, 50, (const double[]){1, 1.1});
    ck_assert_int_eq(zoid_border_wish(&border, 50, 4), 50);
    ck_assert_int_gt(zoid_border_wish(&border, 50, 16), 50);
    ck_assert_int_eq(zoid_border_wish(&border, 50, 0), 50);
    zoid_border_learn(&border, 50, (const double[]){1000, 1.1});
    ck_assert_int_eq(zoid_border_wish(&border, 50, 16), 13);
    ck_assert_int_eq(zoid_border_wish(&border, 13, 16), 4);
}
END_TEST

/* The first epoch places the border, and is forgotten with the second: pages of memory are new. */
START_TEST(first_epochs_are_forgotten)
{
    const struct zoid_border_case of = {100, 4, 0, 0, INFINITY, NULL, NULL};
    struct zoid_border border = zoid_border_begin(&of);

    zoid_border_learn(&border, 50, (const double[]){1, 3});
    ck_assert_int_eq(zoid_border_wish(&border, 50, 16), 75);
    zoid_border_learn(&border, 50, (const double[]){1, 1});
    ck_assert_int_eq(zoid_border_wish(&border, 75, 16), 50);
    ck_assert(!zoid_border_is_known(&border));
    zoid_border_learn(&border, 50, (const double[]){1, 1});
    ck_assert(zoid_border_is_known(&border));
}
END_TEST

/* A deviation of a fifth in the first rates that are known counts in full. */
START_TEST(scatter_is_known_at_once)
{
    const struct zoid_border_case of = {100, 4, 0, 0, INFINITY, NULL, NULL};
    struct zoid_border border = zoid_border_begin(&of);

    for (int i = 0; i < 3; i++)
        zoid_border_learn(&border, 50, (const double[]){i == 2 ? 1.2 : 1, i == 2 ? 1 / 1.2 : 1});
    ck_assert_int_eq(zoid_border_wish(&border, 50, 16), 50);
}
END_TEST

/* A place is left when two epochs have shown that the other one is faster by itself, if that is
 * worth its cost, and not for a spike, nor while it still helps. */
START_TEST(slow_places_are_left)
{
    const struct zoid_border_case of = {100, 4, 2, 0.5, 5, NULL, NULL};
    struct zoid_border border = zoid_border_begin(&of);
    const int slow = _i;
    const long planes = slow ? 87 : 13;

    zoid_border_learn(&border, 50, (const double[]){1, 1});
    zoid_border_learn(&border, 50, (const double[]){1, 1});
    ck_assert_int_eq(zoid_border_leaves(&border, 1000), -1);
    zoid_border_learn(&border, 50, slow ? (const double[]){1, 60} : (const double[]){60, 1});
    ck_assert_int_eq(zoid_border_leaves(&border, 1000), -1);
    zoid_border_learn(&border, planes,
                      slow ? (const double[]){1.7, 17} : (const double[]){17, 1.7});
    ck_assert_int_eq(zoid_border_leaves(&border, 1000), slow);
    ck_assert_int_eq(zoid_border_leaves(&border, 1), -1);
    border.of.leave = INFINITY;
    ck_assert_int_eq(zoid_border_leaves(&border, 1000), -1);
    /* A place that is ten times slower has eight planes. */
    border = zoid_border_begin(&of);
    for (int i = 0; i < 3; i++)
        zoid_border_learn(&border, planes,
                          slow ? (const double[]){0.89, 1.5} : (const double[]){1.5, 0.89});
    ck_assert_int_eq(zoid_border_leaves(&border, 1000), -1);
}
END_TEST

/* An epoch takes twice as long in a leg of one epoch. */
static double filled(void *of, int part, long epochs)
{
    (void)of, (void)part;
    return 1 + 1 / (double)epochs;
}

/* A move that gains a sixth an epoch pays in a long leg, and not in one that ends before its
 * pipelines are full. */
START_TEST(short_legs_do_not_pay)
{
    const struct zoid_border_case of = {100, 4, 0, 0, INFINITY, filled, NULL};
    struct zoid_border border = zoid_border_begin(&of);

    zoid_border_learn(&border, 60, (const double[]){6, 4});
    ck_assert_int_eq(zoid_border_wish(&border, 60, 4), 60);
    ck_assert_int_eq(zoid_border_wish(&border, 60, 8), 50);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, short_legs_do_not_pay);
    tcase_add_loop_test(tests, slow_places_are_left, 0, 2);
    tcase_add_loop_test(tests, borders_settle, 0, sizeof machines / sizeof *machines);
    tcase_add_test(tests, stays);
    tcase_add_test(tests, first_epochs_are_forgotten);
    tcase_add_test(tests, scatter_is_known_at_once);
}

int main(void)
{
    return run_suite("border", 60, add);
}
