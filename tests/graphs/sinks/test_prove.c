/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rule of the prover, broken in one place of a legal graph: it must fail for exactly that
 * reason, with the block, the plane and the time in the message. */
#include <stdlib.h>

#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/graphs/sinks/sabotage.h"
#include "tests/suite.h"

static void expect_verdict(struct zoid_prove **prove, const char *want)
{
    const char *why;
    int verdict = zoid_prove_verdict(*prove, &why);

    ck_assert_str_eq(why, want);
    ck_assert_int_eq(verdict != 0, want[0] != 0);
    /* A second call returns the same verdict. */
    ck_assert_int_eq(zoid_prove_verdict(*prove, &why), verdict);
    ck_assert_str_eq(why, want);
    zoid_prove_destroy(prove);
    ck_assert_ptr_null(*prove);
}

static struct zoid_prove *prover(const struct zoid_graph *g, bool redundant)
{
    struct zoid_prove_options options = {.graph = g, .redundant = redundant};
    struct zoid_prove *prove = zoid_prove_create(&options);

    ck_assert_ptr_nonnull(prove);
    return prove;
}

START_TEST(sabotage)
{
    const struct sabotage_case *c = &sabotage_cases[_i];
    struct zoid_graph g = c->graph();
    struct zoid_prove *prove = prover(&g, case_redundant(&g));
    struct sabotage s = {.pass = c->pass, .position = c->position, .twist = c->twist};
    int rc;

    sabotage_init(&s, zoid_prove_sink(prove));
    rc = zoid_graph_emit(&g, &s.sink);
    ck_assert_msg(rc >= 0, "%s", case_words(&g));
    ck_assert_msg(s.spoilt, "nothing spoilt that should be: %s", c->why);
    expect_verdict(&prove, c->why);
}
END_TEST

START_TEST(points_twice)
{
    struct zoid_graph g = case_line(&zoid_overlapped, 20, 5, 2, 6);
    struct zoid_prove *prove = prover(&g, false);

    ck_assert_int_gt(zoid_graph_emit(&g, zoid_prove_sink(prove)), 0);
    expect_verdict(&prove, "block (pass 1, position 1) computes plane 4 of time 1 again");

    /* On a circle a block computes its own planes redundantly: of [-1, 6), planes 4 and 0 occur
     * twice. */
    g = case_line(&zoid_overlapped, 5, 5, 2, 6);
    g.shape.face[0][ZOID_LOW] = g.shape.face[0][ZOID_HIGH] = ZOID_PERIODIC;
    prove = prover(&g, false);
    ck_assert_int_gt(zoid_graph_emit(&g, zoid_prove_sink(prove)), 0);
    expect_verdict(&prove, "block (pass 1, position 0) computes plane 4 of time 1 again");
}
END_TEST

/* Blocks made for a reach of 3 planes down, judged with a mirror at the low end: plane -3 is plane
 * 3. And the same upwards. */
START_TEST(planes_in_mirrors)
{
    struct zoid_graph g = case_line(&zoid_leaning, 20, 4, 1, 3), judged;
    struct zoid_prove *prove;

    g.shape.reach[0] = (struct zoid_reach){.lo = {3}};
    g.block = 3;
    judged = g;
    judged.shape.face[0][ZOID_LOW] = ZOID_NEUMANN;
    prove = prover(&judged, false);
    ck_assert_int_gt(zoid_graph_emit(&g, zoid_prove_sink(prove)), 0);
    expect_verdict(&prove, "block (pass 0, position 0) reads plane 3 of time 0, which none of its "
                           "views has");

    /* Planes 20 ... 22 are the images of 18 ... 16, which no block below reads. */
    g.method = &zoid_overlapped;
    g.shape.reach[0] = (struct zoid_reach){.hi = {3}};
    judged = g;
    judged.shape.face[0][ZOID_HIGH] = ZOID_NEUMANN;
    prove = prover(&judged, false);
    ck_assert_int_gt(zoid_graph_emit(&g, zoid_prove_sink(prove)), 0);
    expect_verdict(&prove, "block (pass 1, position 6) reads plane 16 of time 0, which none of its "
                           "views has");
}
END_TEST

/* Blocks made for a reach of one, judged by an operator whose second stage has a larger reach. */
START_TEST(reach_of_every_stage)
{
    struct zoid_graph g = case_line(&zoid_leaning, 20, 5, 1, 3), far;
    struct zoid_prove *prove;

    g.shape.stages = 2;
    g.shape.reach[1] = g.shape.reach[0];
    prove = prover(&g, false);
    ck_assert_int_eq(zoid_graph_emit(&g, zoid_prove_sink(prove)), 0);
    expect_verdict(&prove, "");

    far = g;
    far.shape.reach[1].lo[0] = 2;
    prove = prover(&far, false);
    ck_assert_int_gt(zoid_graph_emit(&g, zoid_prove_sink(prove)), 0);
    expect_verdict(&prove, "block (pass 0, position 1) reads plane 1 of time 1, which none of its "
                           "views has");
    far = g;
    far.shape.reach[0].hi[0] = 2;
    prove = prover(&far, false);
    ck_assert_int_gt(zoid_graph_emit(&g, zoid_prove_sink(prove)), 0);
    expect_verdict(&prove, "block (pass 0, position 0) reads plane 5 of time 0, which none of its "
                           "views has");
}
END_TEST

/* ---- lies in the census ------------------------------------------------------------------ */

static struct zoid_census lie;

static void lying_census(const struct zoid_graph *graph, struct zoid_census *census)
{
    (void)graph;
    *census = lie;
}

static void expect_of_lie(const char *want)
{
    struct zoid_graph g = sabotage_leaning();
    struct zoid_method liar = *g.method;
    struct zoid_prove *prove;

    liar.census = lying_census;
    g.method = &liar;
    prove = prover(&g, false);
    zoid_graph_emit(&g, zoid_prove_sink(prove));
    expect_verdict(&prove, want);
}

START_TEST(census_lies)
{
    struct zoid_graph g = sabotage_leaning();
    struct zoid_census truth;

    zoid_graph_census(&g, &truth);
    lie = truth;
    expect_of_lie("");
    lie = truth;
    lie.blocks++;
    expect_of_lie("the graph has 16 blocks, the census says 17");
    lie = truth;
    lie.max_access = 1;
    expect_of_lie("block (pass 0, position 0) accesses 2 data, the census says 1 at most");
    lie = truth;
    lie.box_planes = 4;
    expect_of_lie("block (pass 0, position 1) has 5 planes from plane 4 of time 1 on, the census "
                  "says 4 at most");
    lie = truth;
    lie.kind[ZOID_SLAB].planes = 4;
    expect_of_lie("the load leaves plane 4 of time 0 in slot 4 of slab 0:0, which has 4 slots");
    lie = truth;
    lie.kind[ZOID_REUSE].planes = 3;
    expect_of_lie("block (pass 0, position 0) leaves plane 4 of time 0 in slot 1 of reuse 0:0, "
                  "which has 3 slots");
    lie = truth;
    lie.kind[ZOID_SLAB].cols--;
    expect_of_lie("block (pass 0, position 4) accesses slab 0:4, which the census does not have");
    lie = truth;
    lie.kind[ZOID_REUSE].rows = 0;
    expect_of_lie("block (pass 0, position 0) accesses reuse 0:0, which the census does not have");
    lie = truth;
    lie.kind[ZOID_EDGE] = (struct zoid_census_row){(1L << 24) + 1, 1, 1};
    expect_of_lie("the graph has more data than datum indices can name");
    lie.kind[ZOID_EDGE] = (struct zoid_census_row){1, -1, 1};
    expect_of_lie("the graph has more data than datum indices can name");
}
END_TEST

/* ---- ranks ------------------------------------------------------------------------------- */

/* Three ranks of one cell, three epochs. */
static struct zoid_graph ranks_in_a_row(void)
{
    struct zoid_graph g = sabotage_cells(sabotage_leaning());

    g.ranks[0] = 3;
    g.rank = ZOID_EVERY_RANK;
    return g;
}

static bool ends_first_epoch(void *self, long steps)
{
    (void)self, (void)steps;
    return true;
}

static bool ask(struct zoid_sink *self, long steps)
{
    struct zoid_sink *to = ((struct sabotage *)self)->to;

    return to->last(to, steps);
}

static void spoil_message(struct sabotage *s, struct sabotage_item *item)
{
    (void)s;
    item->message.datum.col++;
}

static void drop_message(struct sabotage *s, struct sabotage_item *item)
{
    (void)item;
    s->drop = true;
}

static void nothing(struct sabotage *s, struct sabotage_item *item)
{
    (void)s, (void)item;
}

/* Messages for the second epoch are sent even if the graph ends with the first: after 20 awaits,
 * cell 0's five messages come first. */
static void expect_of_end(enum zoid_legs is, long position,
                          void (*twist)(struct sabotage *, struct sabotage_item *),
                          const char *want)
{
    struct zoid_graph g = ranks_in_a_row();
    struct zoid_prove_options options = {.graph = &g, .redundant = true, .last = ends_first_epoch};
    struct zoid_prove *prove;
    struct sabotage s = {.pass = SABOTAGE_MESSAGE, .position = position, .twist = twist};

    g.leg.is = is;
    prove = zoid_prove_create(&options);
    ck_assert_ptr_nonnull(prove);
    sabotage_init(&s, zoid_prove_sink(prove));
    s.sink.last = ask;
    zoid_graph_emit(&g, &s.sink);
    ck_assert(s.spoilt);
    expect_verdict(&prove, want);
}

START_TEST(what_is_awaited_is_sent)
{
    expect_of_end(ZOID_LEG_ONLY, 20, nothing, "");
    expect_of_end(ZOID_LEG_ONLY, 20, drop_message,
                  "the graph awaits message 43:0, which nobody sends");
    expect_of_end(ZOID_LEG_ONLY, 20, spoil_message,
                  "rank 0 sends message 43:1 for epoch 1, which rank 1 does not await");
    expect_of_end(ZOID_LEG_FIRST, 20, nothing, "");
    expect_of_end(ZOID_LEG_FIRST, 20, drop_message,
                  "the graph awaits message 43:0, which nobody sends");
}
END_TEST

/* ---- the order of calls ------------------------------------------------------------------ */

static void move_planes(struct zoid_prove *prove, long col, enum zoid_mode mode)
{
    struct zoid_view view = {.lo = 0, .hi = 4};
    struct zoid_access a = {.datum = {.col = col}, .mode = mode, .in = view, .out = view};
    struct zoid_sink *sink = zoid_prove_sink(prove);

    if (mode == ZOID_READ)
        sink->store(sink, &a);
    else
        sink->load(sink, &a);
}

START_TEST(calls_in_order)
{
    struct zoid_graph g = case_line(&zoid_leaning, 4, 4, 1, 0);
    struct zoid_block b = {.shape = &g.shape, .zoid = zoid_domain(&g.shape, 0, 0)};
    struct zoid_prove *prove = prover(&g, false);

    move_planes(prove, 0, ZOID_WRITE);
    move_planes(prove, 0, ZOID_READ);
    expect_verdict(&prove, "");

    prove = prover(&g, false);
    move_planes(prove, 0, ZOID_WRITE);
    move_planes(prove, 0, ZOID_READ);
    move_planes(prove, 0, ZOID_WRITE);
    expect_verdict(&prove, "the store is not the end: a load follows");

    prove = prover(&g, false);
    move_planes(prove, 0, ZOID_WRITE);
    move_planes(prove, 0, ZOID_READ);
    b.region = b.zoid;
    zoid_prove_sink(prove)->block(zoid_prove_sink(prove), &b);
    expect_verdict(&prove, "the store is not the end: a block follows");

    prove = prover(&g, false);
    move_planes(prove, 0, ZOID_READ);
    expect_verdict(&prove, "the load never brings plane 0 of time 0");

    prove = prover(&g, false);
    expect_verdict(&prove, "the load never brings plane 0 of time 0");
}
END_TEST

static void add(TCase *tests)
{
    int cases = 0;

    while (sabotage_cases[cases].graph)
        cases++;
    tcase_add_loop_test(tests, sabotage, 0, cases);
    tcase_add_test(tests, points_twice);
    tcase_add_test(tests, planes_in_mirrors);
    tcase_add_test(tests, reach_of_every_stage);
    tcase_add_test(tests, census_lies);
    tcase_add_test(tests, what_is_awaited_is_sent);
    tcase_add_test(tests, calls_in_order);
}

int main(void)
{
    return run_suite("prove", 60, add);
}
