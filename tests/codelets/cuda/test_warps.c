/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch parameters of ordered sweeps: parts fit in the kernels' lists in any graph, of one rank or
 * of several that take turns. */
#include <stdlib.h>

#include "codelets/cuda/lanes.h"
#include "codelets/sweep.h"
#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/method.h"
#include "tests/effort.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { CASES = 1000 };

/* Maximal number of parts of a block. */
struct parts {
    struct zoid_sink sink;
    long reads, writes, pieces, patches;
};

static int look(struct zoid_sink *sink, const struct zoid_block *b)
{
    struct parts *most = (struct parts *)sink;
    struct parts n = {.reads = 0};

    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        const struct zoid_kind_type *kind = &zoid_kinds[a->datum.kind];

        if (kind->constant) {
            n.pieces++;
            continue;
        }
        n.reads += a->mode & ZOID_READ ? 1 : 0;
        n.writes += a->mode & ZOID_WRITE ? 1 : 0;
        n.patches += kind->planes != ZOID_PLANES_WHOLE;
    }
    most->reads = zoid_max(most->reads, n.reads);
    most->writes = zoid_max(most->writes, n.writes);
    most->pieces = zoid_max(most->pieces, n.pieces);
    most->patches = zoid_max(most->patches, n.patches);
    return 0;
}

/* Deals to ranks of cells that are sometimes exactly as high as an epoch moves them. */
static void deal(uint64_t *seed, struct zoid_graph *g)
{
    const int chain = zoid_chain(&g->shape);
    const long ranks = case_between(seed, 1, 5);

    if (ranks == 1)
        return;
    g->shape.n[chain] = ranks * 2 + case_between(seed, 0, case_between(seed, 0, 200));
    g->rank = ZOID_EVERY_RANK;
    g->cut[chain].cells = ranks;
    g->ranks[chain] = ranks;
    g->turned = case_between(seed, 0, 1);
    g->epoch = case_between(seed, 1, zoid_epoch_most(g));
}

/* A graph of sor or sor_rhs, sometimes the first leg of two. */
static struct zoid_graph draw(uint64_t *seed)
{
    const int dims = (int)case_between(seed, 1, ZOID_AXES);
    const bool rhs = case_between(seed, 0, 1);
    const struct zoid_op *op = zoid_op_find(rhs ? "sor_rhs" : "sor", dims, 1, ZOID_F32);
    const long planes = case_between(seed, 1, 200);
    struct zoid_graph g = {.method = &zoid_leaning,
                           .shape = zoid_op_shape(op, (const long[]){planes, planes, planes}),
                           .steps = case_between(seed, 1, 200),
                           .depth = case_between(seed, 1, case_between(seed, 1, 100)),
                           .block = case_between(seed, 1, case_between(seed, 1, 100)),
                           .lanes = (int)case_between(seed, 1, 4),
                           .elastic = case_between(seed, 0, 1),
                           .coefficients = rhs};

    g.leg.is = case_between(seed, 0, 1) ? ZOID_LEG_FIRST : ZOID_LEG_ONLY;
    g.start = case_start(seed);
    deal(seed, &g);
    return g;
}

/* Also checks that the lists for state are not larger than necessary: some block fills them. */
START_TEST(parts_find_room)
{
    struct parts most = {.sink = {.block = look}};

    for (int i = 0; i < effort(CASES); i++) {
        uint64_t seed = (uint64_t)i;
        struct zoid_graph g = draw(&seed);
        bool clamped;

        ck_assert_msg(!zoid_graph_init(&g, &clamped), "%s: init", case_words(&g));
        ck_assert_msg(!zoid_graph_emit(&g, &most.sink), "%s: emission", case_words(&g));
        ck_assert_msg(most.reads <= ZOID_WARP_STATES && most.writes <= ZOID_WARP_STATES &&
                          most.pieces <= ZOID_WARP_PIECES,
                      "%s: reads %ld, writes %ld, pieces %ld", case_words(&g), most.reads,
                      most.writes, most.pieces);
    }
    ck_assert_int_eq(zoid_max(most.reads, most.writes), ZOID_WARP_STATES);
    ck_assert_int_gt(most.patches, 0);
    ck_assert_int_gt(most.pieces, 1);
}
END_TEST

/* The buffer for data passed between warps begins at a cache line, wherever the planes before it
 * end. */
START_TEST(scratch_has_room_from_a_line_on)
{
    for (int dims = 1; dims <= ZOID_AXES; dims++)
        for (long planes = 1; planes < 40; planes++) {
            const struct zoid_op *op = zoid_op_find("sor", dims, 1, ZOID_F32);
            const long n[ZOID_AXES] = {40, dims > 1 ? 40 : 1, dims > 2 ? 40 : 1};
            const struct zoid_shape shape = zoid_op_shape(op, n);
            const struct zoid_layout layout = zoid_layout_make(op, n, 0);
            const size_t plane = zoid_layout_plane_bytes(&layout);
            const size_t from = ((size_t)planes * plane + ZOID_LINE - 1) / ZOID_LINE * ZOID_LINE;
            const struct zoid_warp_tiles t = zoid_warp_tiles_of(op, n);
            const size_t warps = (size_t)(t.across * t.along * 2); /* of two groups */
            const size_t ring = (size_t)(t.ahead * (t.east + t.north)) * 2 * t.vector;
            const size_t edges = (size_t)(planes + ZOID_WARP_LANES) *
                                 ((size_t)t.east + (size_t)(t.north * t.across)) * t.vector;

            ck_assert_uint_le(from + warps * (ZOID_LINE + ring) + edges,
                              (size_t)zoid_warp_scratch(op, &shape, &layout, planes, 64) * plane);
        }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, parts_find_room);
    tcase_add_test(tests, scratch_has_room_from_a_line_on);
}

int main(void)
{
    return run_suite("warps", 300, add);
}
