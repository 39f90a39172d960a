/* SPDX-License-Identifier: BSD-3-Clause */
/* Every method, proved over random graphs; the graphs that it refuses and the parameters that it
 * clamps; and emissions that are stopped. */
#include <string.h>

#include "graphs/method.h"
#include "tests/effort.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { PARTS = 8, CASES = 150 }; /* PARTS x CASES graphs of each method */

START_TEST(proved)
{
    uint64_t seed = (uint64_t)_i << 32;

    for (int i = 0; i < effort(CASES); i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i / PARTS]);
        const char *why;
        bool clamped;

        if (case_between(&seed, 0, 1))
            case_cut(&seed, &g);
        else if (case_between(&seed, 0, 1))
            case_deal(&seed, &g);
        g.start = case_start(&seed);
        ck_assert_msg(!zoid_graph_init(&g, &clamped), "%s: init", case_words(&g));
        why = case_disproof(&g);
        ck_assert_msg(!why, "%s: %s", case_words(&g), why);
    }
}
END_TEST

/* Refused: an axis that the domain does not have, borders along the chain axis that move, cells
 * there that are lower than the reach of blocks, and a method that cannot cut. */
START_TEST(cells_are_refused)
{
    static const long border[] = {0, 4, 20, 0, 5, 20};
    struct zoid_method uncut = zoid_leaning;
    struct zoid_graph g = case_line(&zoid_leaning, 20, 5, 2, 6);
    bool clamped;

    g.cut[1].cells = 5;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), ZOID_GRAPH_BAD_CELLS);
    g.shape.dims = 2;
    g.shape.n[1] = 20;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    g.shape.reach[0].lo[1] = 1;
    g.epoch = 4;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    g.epoch = 5;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), ZOID_GRAPH_BAD_RANKS);
    g.epoch = 4;
    g.cut[1] = (struct zoid_axis_cells){.cells = 2, .epochs = 1, .border = border};
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    g.cut[1].epochs = 2;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), ZOID_GRAPH_BAD_CELLS);
    g.cut[1].epochs = 1;
    uncut.cells = false;
    g.method = &uncut;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), ZOID_GRAPH_BAD_CELLS);
}
END_TEST

/* Cells consist of whole grains, as even as possible; an axis may be left uncut. */
START_TEST(cells_have_grains)
{
    static const long border[][4] = {{0, 6, 12, 20}, {0, 6, 11, 20}, {0, 3, 9, 20}};
    static const int want[] = {0, ZOID_GRAPH_BAD_CELLS, 0};
    struct zoid_graph g = case_line(&zoid_leaning, 20, 5, 2, 6);
    bool clamped;

    g.shape.dims = 2;
    g.shape.n[1] = 20;
    for (g.shape.grain[0] = 0; g.shape.grain[0] < 22; g.shape.grain[0]++) {
        const long grain = g.shape.grain[0] ? g.shape.grain[0] : 1;

        for (long cells = 1; cells < 22; cells++) {
            const long most = (20 + grain - 1) / grain;
            long start = 0;

            g.cut[0] = (struct zoid_axis_cells){.cells = cells};
            ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
            ck_assert_int_eq(g.cut[0].cells, cells < most ? cells : most);
            for (long c = 0; g.cut[0].cells > 1 && c < g.cut[0].cells; c++) {
                const struct zoid_range own = zoid_cell_own(&g, c, 0).axis[0];

                ck_assert_int_eq(own.lo, start);
                ck_assert_int_eq(own.lo % grain, 0);
                ck_assert_int_gt(own.hi, own.lo);
                ck_assert_int_lt((own.hi - own.lo) * g.cut[0].cells, 20 + grain * g.cut[0].cells);
                start = own.hi;
            }
            ck_assert(g.cut[0].cells == 1 || start == 20);
        }
    }
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        g.shape.grain[0] = 3;
        g.cut[0] = (struct zoid_axis_cells){.cells = 3, .epochs = 1, .border = border[i]};
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), want[i]);
    }
    g.cut[0] = (struct zoid_axis_cells){.cells = 2};
    g.shape.grain[0] = ZOID_UNCUT;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), ZOID_GRAPH_BAD_CELLS);
    g.cut[0].cells = 1;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
}
END_TEST

START_TEST(low_blocks_are_refused)
{
    uint64_t seed = (uint64_t)_i;

    for (int i = 0; i < effort(CASES); i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i]);
        long lowest = g.method->min_block(&g.shape);
        bool clamped;

        ck_assert_int_ge(lowest, 1);
        g.block = lowest - case_between(&seed, 1, 3);
        ck_assert_msg(zoid_graph_init(&g, &clamped) == ZOID_GRAPH_BAD_BLOCK, "%s", case_words(&g));
        g.block = lowest;
        ck_assert_msg(!zoid_graph_init(&g, &clamped), "%s", case_words(&g));
        ck_assert_int_eq(g.block, lowest);
    }
}
END_TEST

/* A circle: periodic along the chain axis of 1 to 3 dimensions. */
static struct zoid_graph circle(const struct zoid_method *method, int dims, long n, long depth)
{
    struct zoid_graph g = {.method = method,
                           .shape = {.dims = dims, .n = {1, 1, 1}, .stages = 2},
                           .steps = 20,
                           .block = 9,
                           .depth = depth,
                           .lanes = 1};

    g.shape.n[dims - 1] = n;
    g.shape.reach[1].hi[dims - 1] = 3;
    g.shape.face[dims - 1][ZOID_LOW] = g.shape.face[dims - 1][ZOID_HIGH] = ZOID_PERIODIC;
    return g;
}

START_TEST(circles)
{
    static const char *const words[] = {"a periodic x", "a periodic y", "a periodic z"};
    int dims = _i + 1, honoured = 0, methods = 0;
    bool clamped;

    for (size_t i = 0; zoid_methods[i]; i++, methods++) {
        struct zoid_graph g = circle(zoid_methods[i], dims, 100, 1);
        const char *refusal = zoid_method_refuses(zoid_methods[i], &g.shape);
        int rc = zoid_graph_init(&g, &clamped);

        honoured += !refusal;
        ck_assert_int_eq(rc, refusal ? ZOID_GRAPH_BAD_SHAPE : 0);
        if (refusal)
            ck_assert_str_eq(refusal, words[_i]);
        /* Other periodic axes do not concern the methods. */
        g = circle(zoid_methods[i], dims, 100, 1);
        g.shape.dims = dims % 3 + 1;
        ck_assert(dims == 3 || !zoid_graph_init(&g, &clamped));
    }
    ck_assert_int_gt(honoured, 0);
    ck_assert_int_lt(honoured, methods);
}
END_TEST

/* One method supports ordered stages: upwards, over whole planes, between closed faces. */
START_TEST(orders)
{
    static const struct {
        signed char order[2];
        bool open;
        const char *refusal; /* of leaning; other methods do not support order */
    } want[] = {{{0, 0}, false, NULL},
                {{1, 1}, false, NULL},
                {{0, 1}, false, NULL},
                {{1, 0}, false, NULL},
                {{1, -1}, false, "sweeps in both orders in one step"},
                {{-1, 0}, false, "sweeps in descending order"},
                {{0, 1}, true, "sweeps in order at open faces"}};
    bool clamped;

    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        for (int m = 0; zoid_methods[m]; m++) {
            struct zoid_graph g = circle(zoid_methods[m], 3, 100, 2), cut;
            const char *refusal = want[i].refusal, *said;
            const bool any = want[i].order[0] || want[i].order[1];

            memset(g.shape.face, ZOID_DIRICHLET, sizeof g.shape.face);
            g.shape.face[1][ZOID_LOW] = want[i].open ? ZOID_NEUMANN : ZOID_DIRICHLET;
            g.shape.n[0] = 50;
            memcpy(g.shape.order, want[i].order, sizeof want[i].order);
            if (any && !refusal && g.method != &zoid_leaning)
                refusal = "sweeps in order";
            said = zoid_method_refuses(g.method, &g.shape);
            ck_assert((refusal && said) ? !strcmp(refusal, said) : refusal == said);
            cut = g;
            ck_assert_int_eq(zoid_graph_init(&g, &clamped), refusal ? ZOID_GRAPH_BAD_SHAPE : 0);
            cut.cut[0].cells = 2;
            if (any && !refusal)
                ck_assert_int_eq(zoid_graph_init(&cut, &clamped), ZOID_GRAPH_BAD_CELLS);
        }
}
END_TEST

/* Two stages of at most 3 planes: no pass goes around the whole domain if a smaller depth avoids
 * it. */
START_TEST(circles_are_not_gone_round)
{
    struct {
        long n, depth;
    } want[] = {{1, 1}, {11, 1}, {12, 2}, {29, 4}, {30, 5}, {1000, 10}};
    bool clamped;

    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct zoid_graph g = circle(&zoid_overlapped, 2, want[i].n, 10);

        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        ck_assert_int_eq(g.depth, want[i].depth);
        ck_assert(clamped == (want[i].depth < 10 || want[i].n < 9));
        g = circle(&zoid_overlapped, 2, want[i].n, 10);
        g.shape.face[1][ZOID_LOW] = g.shape.face[1][ZOID_HIGH] = ZOID_NEUMANN;
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        ck_assert_int_eq(g.depth, 10);
    }
}
END_TEST

/* Blocks between two others shrink from both sides; of two slabs neither is between others, and a
 * single one does not shrink. Around a circle every slab is between others, and the planes that are
 * left over are distributed. */
START_TEST(trapezoids_do_not_vanish)
{
    struct {
        long n, block, depth;
        bool periodic;
    } want[] = {{60, 12, 1, false},  {60, 25, 2, false}, {60, 30, 10, false},
                {60, 60, 10, false}, {60, 12, 1, true},  {60, 30, 2, true},
                {60, 60, 2, true},   {47, 24, 1, true},  {25, 12, 1, true}};
    bool clamped;

    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct zoid_graph g = circle(&zoid_trapezoid, 2, want[i].n, 10);

        g.block = want[i].block;
        g.shape.reach[0].lo[1] = 3;
        g.shape.face[1][ZOID_LOW] = g.shape.face[1][ZOID_HIGH] =
            want[i].periodic ? ZOID_PERIODIC : ZOID_DIRICHLET;
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        ck_assert_int_eq(g.depth, want[i].depth);
        g.shape.n[1] = 23;
        ck_assert(!zoid_method_refuses(&zoid_trapezoid, &g.shape) == !want[i].periodic);
    }
}
END_TEST

START_TEST(blocks_and_depths_are_clamped)
{
    const struct zoid_method *m = zoid_methods[_i];
    struct zoid_graph g = case_line(m, 10, 11, 1, 4);
    bool clamped = false;

    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert(clamped);
    ck_assert_int_eq(g.block, 10);

    g = case_line(m, 10, 10, 5, 4);
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert(clamped);
    ck_assert_int_eq(g.depth, m->single_step ? 1 : 4);

    /* A domain lower than the lowest slab still has that slab. */
    g = case_line(m, 1, 9, 1, 4);
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert(clamped);
    ck_assert_int_eq(g.block, m->min_block(&g.shape));

    g = case_line(m, 10, 10, 1, 4);
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert(!clamped);

    /* Zero steps reduce the depth to one. */
    g = case_line(m, 10, 10, 1, 0);
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert(!clamped);
    ck_assert_int_eq(g.depth, 1);
}
END_TEST

START_TEST(methods_by_name)
{
    for (size_t i = 0; zoid_methods[i]; i++) {
        ck_assert_ptr_eq(zoid_method_find(zoid_methods[i]->name), zoid_methods[i]);
        ck_assert_uint_gt(strlen(zoid_methods[i]->summary), 0);
    }
    ck_assert_ptr_null(zoid_method_find("no such method"));
}
END_TEST

struct stopper {
    struct zoid_sink sink;
    long left;
};

static int stop(struct stopper *s)
{
    return s->left-- ? 0 : 77;
}

static int stop_access(struct zoid_sink *self, const struct zoid_access *a)
{
    (void)a;
    return stop((struct stopper *)self);
}

static int stop_block(struct zoid_sink *self, const struct zoid_block *b)
{
    (void)b;
    return stop((struct stopper *)self);
}

/* If a callback returns nonzero, the emission stops and returns that value. */
START_TEST(sinks_stop_emissions)
{
    struct zoid_graph g = case_line(zoid_methods[_i], 40, 4, 2, 6);
    struct stopper s = {.left = -1,
                        .sink = {.load = stop_access, .block = stop_block, .store = stop_access}};
    long calls;
    bool clamped;

    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert_int_eq(zoid_graph_emit(&g, &s.sink), 0);
    calls = -1 - s.left;
    ck_assert_int_gt(calls, 12);
    for (long i = 0; i < calls; i++) {
        s.left = i;
        ck_assert_int_eq(zoid_graph_emit(&g, &s.sink), 77);
        ck_assert_int_eq(s.left, -1);
    }
    /* Callbacks that are NULL are skipped. */
    s.sink.load = s.sink.store = NULL;
    s.left = -1;
    ck_assert_int_eq(zoid_graph_emit(&g, &s.sink), 0);
}
END_TEST

static void add(TCase *tests)
{
    const int methods = case_methods();

    tcase_add_loop_test(tests, proved, 0, methods * PARTS);
    tcase_add_loop_test(tests, low_blocks_are_refused, 0, methods);
    tcase_add_test(tests, cells_are_refused);
    tcase_add_test(tests, cells_have_grains);
    tcase_add_loop_test(tests, blocks_and_depths_are_clamped, 0, methods);
    tcase_add_loop_test(tests, circles, 0, ZOID_AXES);
    tcase_add_test(tests, orders);
    tcase_add_test(tests, circles_are_not_gone_round);
    tcase_add_test(tests, trapezoids_do_not_vanish);
    tcase_add_loop_test(tests, sinks_stop_emissions, 0, methods);
    tcase_add_test(tests, methods_by_name);
}

int main(void)
{
    return run_suite("builders", 300, add);
}
