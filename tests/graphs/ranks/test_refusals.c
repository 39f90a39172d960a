/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits of graphs whose cells can be dealt to ranks. */
#include <limits.h>

#include "graphs/cell.h"
#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

/* Three cells of 8 x 20 points on three ranks, radius 2, epochs of two passes of two steps. */
static struct zoid_graph row(const struct zoid_method *method)
{
    struct zoid_graph g = case_line(method, 20, 5, 2, 12);

    g.shape = (struct zoid_shape){
        .dims = 2, .n = {24, 20, 1}, .stages = 1, .reach = {{{2, 1, 0}, {2, 1, 0}}}};
    g.cut[0].cells = g.ranks[0] = 3;
    g.rank = ZOID_EVERY_RANK;
    g.epoch = 4;
    return g;
}

static int init(struct zoid_graph g)
{
    bool clamped;

    return zoid_graph_init(&g, &clamped);
}

START_TEST(cells_are_dealt_evenly)
{
    struct zoid_graph g = row(&zoid_leaning);

    g.epoch = g.depth = 1;
    for (long ranks = 1; ranks < 14; ranks++)
        for (g.cut[0].cells = 1; g.cut[0].cells < 14; g.cut[0].cells++) {
            const long cells = g.cut[0].cells;
            const bool wide = ranks == 1 || cells == 1 || 24 / cells >= 2;

            g.ranks[0] = ranks;
            ck_assert_msg(init(g) == (cells % ranks || !wide ? ZOID_GRAPH_BAD_RANKS : 0),
                          "%ld cells, %ld ranks: %d", cells, ranks, init(g));
        }
    /* Eight grains of points; a cell has at least one. */
    g = row(&zoid_leaning);
    g.epoch = g.depth = 1;
    g.shape.grain[0] = 3;
    g.cut[0].cells = 9;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
    g.ranks[0] = 4;
    ck_assert_int_eq(init(g), 0);
    /* Uncut planes have one rank. */
    g.cut[0].cells = 0;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
    g.ranks[0] = 1;
    ck_assert_int_eq(init(g), 0);
    g.ranks[0] = -1;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
    g = row(&zoid_leaning);
    g.ranks[1] = 2;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
}
END_TEST

START_TEST(ranks_are_of_the_graph)
{
    struct zoid_graph g = row(&zoid_leaning);

    for (g.rank = -3; g.rank < 6; g.rank++)
        ck_assert_int_eq(init(g), g.rank < -1 || g.rank > 2 ? ZOID_GRAPH_BAD_RANKS : 0);
    g.ranks[0] = g.cut[0].cells = 0;
    for (g.rank = -3; g.rank < 3; g.rank++)
        ck_assert_int_eq(init(g), g.rank < -1 || g.rank > 0 ? ZOID_GRAPH_BAD_RANKS : 0);
}
END_TEST

/* A cell must be at least as wide as the halo of an epoch. */
START_TEST(epochs_end_at_the_next_cell)
{
    struct zoid_graph g = row(&zoid_leaning);

    ck_assert_int_eq(zoid_epoch_most(&g), 4);
    ck_assert_int_eq(init(g), 0);
    g.epoch = 5;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
    g.epoch = 0;
    g.depth = 4;
    ck_assert_int_eq(init(g), 0);
    g.depth = 5;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
    /* Cells of 7 or 8 points. */
    g = row(&zoid_leaning);
    g.shape.n[0] = 23;
    ck_assert_int_eq(zoid_epoch_most(&g), 3);
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
    g.epoch = 3;
    ck_assert_int_eq(init(g), 0);
    /* A one-sided stencil has the same limit on either side. */
    g.shape.reach[0].hi[0] = 0;
    ck_assert_int_eq(zoid_epoch_most(&g), 3);
    g.shape.reach[0].lo[0] = 0;
    ck_assert_int_eq(zoid_epoch_most(&g), LONG_MAX);
    /* The same along an axis whose cells are all on one rank. */
    g = row(&zoid_leaning);
    g.shape = (struct zoid_shape){
        .dims = 3, .n = {24, 6, 20}, .stages = 2, .reach = {{{1, 1, 1}, {1, 1, 1}}}};
    g.cut[1].cells = 3;
    ck_assert_int_eq(zoid_epoch_most(&g), 1);
    /* Cells of one rank may be arbitrarily narrow. */
    g.ranks[0] = 1;
    ck_assert_int_eq(zoid_epoch_most(&g), LONG_MAX);
    ck_assert_int_eq(init(g), 0);
}
END_TEST

START_TEST(borders_stay)
{
    static const long border[][4] = {{0, 7, 15, 24}, {0, 8, 16, 24}};
    struct zoid_graph g = row(&zoid_leaning);

    g.epoch = 3;
    g.depth = 1;
    g.cut[0].border = border[0];
    g.cut[0].epochs = 1;
    ck_assert_int_eq(init(g), 0);
    g.cut[0].epochs = 2;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
    g.ranks[0] = 1;
    ck_assert_int_eq(init(g), 0);
}
END_TEST

static void expect_proof(struct zoid_graph g)
{
    const char *why;
    bool clamped;

    ck_assert_msg(!zoid_graph_init(&g, &clamped), "%s: init", case_words(&g));
    why = case_disproof(&g);
    ck_assert_msg(!why, "%s: %s", case_words(&g), why);
}

/* Around a circle of two ranks each neighbours the other on both sides. */
START_TEST(circles_of_ranks)
{
    for (long ranks = 2; ranks <= 3; ranks++)
        for (long cells = 1; cells <= 2; cells++) {
            struct zoid_graph g = row(zoid_methods[_i]);

            g.shape.face[0][ZOID_LOW] = g.shape.face[0][ZOID_HIGH] = ZOID_PERIODIC;
            g.ranks[0] = ranks;
            g.cut[0].cells = ranks * cells;
            g.epoch = g.depth = zoid_epoch_most(&g);
            expect_proof(g);
            g.epoch++;
            ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
        }
}
END_TEST

/* Cells of one point, which exchange everything in every step; planes of one point; one plane. */
START_TEST(smallest_domains)
{
    struct zoid_graph g = row(zoid_methods[_i]);

    g.shape.n[0] = 3;
    g.shape.reach[0].lo[0] = g.shape.reach[0].hi[0] = 1;
    g.epoch = g.depth = 1;
    expect_proof(g);
    g.shape.face[0][ZOID_LOW] = g.shape.face[0][ZOID_HIGH] = ZOID_PERIODIC;
    expect_proof(g);
    g.shape.n[1] = 1;
    expect_proof(g);
    g.shape.n[0] = 2;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
    g.shape.n[0] = 1;
    ck_assert_int_eq(init(g), ZOID_GRAPH_BAD_RANKS);
}
END_TEST

/* With ordered stages a rank has one cell, stacked along the chain axis, as high as an epoch moves
 * it plus the planes that the next rank reads. */
START_TEST(ranks_take_turns)
{
    struct zoid_graph g = case_line(&zoid_leaning, 24, 5, 2, 12), cut;

    g.shape.order[0] = ZOID_ASCENDING;
    g.cut[0].cells = g.ranks[0] = 4;
    g.rank = ZOID_EVERY_RANK;
    ck_assert_int_eq(zoid_epoch_most(&g), 6);
    for (g.epoch = g.depth = 1; g.epoch < 9; g.epoch = ++g.depth) {
        ck_assert_int_eq(init(g), g.epoch <= 6 ? 0 : ZOID_GRAPH_BAD_RANKS);
        if (g.epoch <= 6)
            expect_proof(g);
    }
    g.epoch = g.depth = 1;
    for (long n = 4; n < 20; n++) {
        g.shape.n[0] = n;
        ck_assert_int_eq(init(g), n >= 8 ? 0 : ZOID_GRAPH_BAD_RANKS);
    }
    cut = g;
    cut.cut[0].cells = 8;
    ck_assert_int_eq(init(cut), ZOID_GRAPH_BAD_CELLS);
    cut.ranks[0] = 1;
    ck_assert_int_eq(init(cut), ZOID_GRAPH_BAD_CELLS);
    cut = g;
    cut.shape.dims = 2;
    cut.shape.n[1] = 20;
    ck_assert_int_eq(init(cut), ZOID_GRAPH_BAD_CELLS);
}
END_TEST

static void add(TCase *tests)
{
    const int methods = case_methods();

    tcase_add_test(tests, cells_are_dealt_evenly);
    tcase_add_test(tests, ranks_are_of_the_graph);
    tcase_add_test(tests, epochs_end_at_the_next_cell);
    tcase_add_test(tests, borders_stay);
    tcase_add_test(tests, ranks_take_turns);
    tcase_add_loop_test(tests, circles_of_ranks, 0, methods);
    tcase_add_loop_test(tests, smallest_domains, 0, methods);
}

int main(void)
{
    return run_suite("refusals", 60, add);
}
