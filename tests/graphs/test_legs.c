/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of several legs: proved as one run, with any numbers of steps, and wherever a sink ends
 * them. */
#include "graphs/leg.h"
#include "graphs/method.h"
#include "graphs/sinks/count.h"
#include "graphs/sinks/prove.h"
#include "tests/effort.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { PARTS = 4, CASES = 130, LEGS = 5 }; /* PARTS x CASES lists of legs of each method */

/* ---- random lists ------------------------------------------------------------------------ */

/* Ends legs at random, and records the step. */
struct ending {
    uint64_t seed;
    long one_of; /* on average one of this number of epochs; 0: no leg */
    long step;   /* at which the leg ended; -1: not ended early */
};

static bool end_here(void *self, long steps)
{
    struct ending *e = self;

    if (!e->one_of || case_between(&e->seed, 1, e->one_of) > 1)
        return false;
    e->step = steps;
    return true;
}

static void first_leg(uint64_t *seed, const struct zoid_method *method, struct zoid_graph *g)
{
    bool clamped;

    *g = case_graph(seed, method);
    if (case_between(seed, 0, 1))
        case_cut(seed, g);
    else if (case_between(seed, 0, 1))
        case_deal(seed, g);
    g->leg.is = ZOID_LEG_FIRST;
    g->start = case_between(seed, 0, 2) ? case_between(seed, 0, 9) : 0;
    ck_assert_msg(!zoid_graph_init(g, &clamped), "%s: init", case_words(g));
}

/* A leg like the one before, with other steps and other values of the parameters that are free. */
static void next_leg(uint64_t *seed, const struct ending *ending, struct zoid_graph *g)
{
    const struct zoid_graph before = *g;
    bool clamped;

    g->steps = case_between(seed, 0, 3) ? case_between(seed, 0, 14) : case_between(seed, 0, 1);
    if (case_between(seed, 0, 1)) {
        g->depth = case_between(seed, 1, 12);
        g->lanes = (int)case_between(seed, 1, 5);
        g->elastic = case_between(seed, 0, 1);
        g->leaf = case_between(seed, 0, 60);
    }
    ck_assert_msg(!zoid_graph_follow(g, &before,
                                     ending->step < 0 ? before.steps : ending->step - before.start,
                                     &clamped),
                  "%s: follow", case_words(g));
}

static void emit_leg(const struct zoid_graph *g, struct zoid_prove *prove, bool store)
{
    struct zoid_sink *sink = zoid_prove_sink(prove), whole = *sink;

    if (!store)
        sink->store = NULL;
    zoid_graph_emit(g, sink);
    sink->store = whole.store;
}

/* Some legs before the last one have no store. */
static void prove_list(uint64_t *seed, const struct zoid_method *method)
{
    struct ending ending = {.seed = *seed, .one_of = case_between(seed, 0, 6), .step = -1};
    long legs = case_between(seed, 1, LEGS);
    struct zoid_graph g;
    struct zoid_prove_options options = {.graph = &g, .last = end_here, .self = &ending};
    struct zoid_prove *prove;
    const char *why;
    int rc = 0;

    first_leg(seed, method, &g);
    options.redundant = case_redundant(&g);
    prove = zoid_prove_create(&options);
    ck_assert_ptr_nonnull(prove);
    for (long i = 0; !rc && i < legs; i++) {
        ending.step = -1;
        emit_leg(&g, prove, i + 1 == legs || case_between(seed, 0, 1));
        if (i + 1 == legs)
            break;
        next_leg(seed, &ending, &g);
        rc = zoid_prove_next(prove, &g);
    }
    rc = zoid_prove_verdict(prove, &why);
    ck_assert_msg(!rc, "%s, start %ld, after %ld epochs: %s", case_words(&g), g.start, g.leg.epochs,
                  why);
    zoid_prove_destroy(&prove);
}

START_TEST(lists_are_proved)
{
    uint64_t seed = (uint64_t)_i << 32 | 7;

    for (int i = 0; i < effort(CASES); i++)
        prove_list(&seed, zoid_methods[_i / PARTS]);
}
END_TEST

/* ---- one list ---------------------------------------------------------------------------- */

enum { CELLS = 3 }; /* uncut, and two grids */

/* 100 x 60 x 40 points, radius 2, slabs of 9, eight steps a pass. */
static struct zoid_graph wave(const struct zoid_method *method, int cells)
{
    static const long along[CELLS][ZOID_PLANE_AXES] = {{1, 1}, {1, 3}, {4, 3}};
    struct zoid_graph g = {.method = method,
                           .shape = {.dims = 3,
                                     .n = {100, 60, 40},
                                     .stages = 1,
                                     .reach = {{.lo = {2, 2, 2}, .hi = {2, 2, 2}}}},
                           .steps = 7,
                           .block = 9,
                           .depth = 4,
                           .lanes = 3,
                           .coefficients = ZOID_COEFFICIENTS_ALL,
                           .leg = {.is = ZOID_LEG_FIRST}};

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        g.cut[a].cells = along[cells][a];
    g.epoch = cells ? 8 : 0;
    return g;
}

/* 7 + 1 + 29 steps. */
START_TEST(three_legs)
{
    static const long steps[] = {1, 29};
    struct zoid_graph leg[3] = {wave(zoid_methods[_i / CELLS], _i % CELLS)};
    struct zoid_prove_options options = {.graph = leg, .redundant = case_redundant(leg)};
    struct zoid_count count;
    struct zoid_prove *prove;
    const char *why;
    bool clamped;

    ck_assert_int_eq(zoid_graph_init(&leg[0], &clamped), 0);
    prove = zoid_prove_create(&options);
    emit_leg(&leg[0], prove, false);
    for (int i = 1; i < 3; i++) {
        leg[i] = leg[0];
        leg[i].steps = steps[i - 1];
        leg[i].depth = 4;
        ck_assert_int_eq(zoid_graph_follow(&leg[i], &leg[i - 1], leg[i - 1].steps, &clamped), 0);
        ck_assert_msg(!zoid_prove_next(prove, &leg[i]), "%s", case_words(&leg[i]));
        emit_leg(&leg[i], prove, i == 2);
    }
    ck_assert_int_eq(leg[2].start, 8);
    ck_assert_msg(!zoid_prove_verdict(prove, &why), "%s: %s", case_words(leg), why);
    zoid_prove_destroy(&prove);
    ck_assert_int_eq(zoid_count_legs(leg, 3, &count), 0);
    ck_assert_int_eq(count.useful, 37L * 100 * 60 * 40);
    ck_assert(count.redundant == 0 || case_redundant(leg));
}
END_TEST

START_TEST(unlike_legs)
{
    const struct zoid_graph first = wave(&zoid_leaning, 1);
    struct zoid_graph before = first, next;
    bool clamped;

    ck_assert_int_eq(zoid_graph_init(&before, &clamped), 0);
    next = before;
    ck_assert_int_eq(zoid_graph_follow(&next, &before, 7, &clamped), 0);
    ck_assert_ptr_null(zoid_graph_unlike(&before, &next));
    next.method = &zoid_overlapped;
    ck_assert_str_eq(zoid_graph_unlike(&before, &next), "methods");
    ck_assert_int_eq(zoid_graph_follow(&next, &before, 7, &clamped), ZOID_GRAPH_BAD_LEG);
    next = before;
    next.shape.face[2][ZOID_LOW] = ZOID_NEUMANN;
    ck_assert_str_eq(zoid_graph_unlike(&before, &next), "shapes");
    next = before;
    next.shape.order[0] = ZOID_ASCENDING;
    ck_assert_str_eq(zoid_graph_unlike(&before, &next), "shapes");
    next = before;
    next.block++;
    ck_assert_str_eq(zoid_graph_unlike(&before, &next), "slabs");
    next = before;
    next.cut[1].cells++;
    ck_assert_str_eq(zoid_graph_unlike(&before, &next), "cells");
    next = before;
    next.epoch *= 2;
    ck_assert_str_eq(zoid_graph_unlike(&before, &next), "epochs");
    next = before;
    next.coefficients = ZOID_COEFFICIENTS_NONE;
    ck_assert_str_eq(zoid_graph_unlike(&before, &next), "coefficients");
    next = before;
    before.coefficients = next.coefficients = ZOID_COEFFICIENTS_NEAR;
    next.coefficient_reach.hi = 1;
    ck_assert_str_eq(zoid_graph_unlike(&before, &next), "coefficients");
    before.leg.is = ZOID_LEG_ONLY;
    next = before;
    ck_assert_int_eq(zoid_graph_follow(&next, &before, 7, &clamped), ZOID_GRAPH_BAD_LEG);
}
END_TEST

static void add(TCase *tests)
{
    const int methods = case_methods();

    tcase_add_loop_test(tests, lists_are_proved, 0, methods * PARTS);
    tcase_add_loop_test(tests, three_legs, 0, methods * CELLS);
    tcase_add_test(tests, unlike_legs);
}

int main(void)
{
    return run_suite("legs", 300, add);
}
