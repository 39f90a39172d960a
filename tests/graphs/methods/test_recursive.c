/* SPDX-License-Identifier: BSD-3-Clause */
/* labels: repeats */
/* Properties of recursive blocks beyond correctness: they do not exceed the leaf, and their order
 * has cache reuse at every cache size. */
#include <stdlib.h>
#include <string.h>

#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/graphs/recorder.h"
#include "tests/suite.h"

enum { CASES = 1000 };

static long planes_at(const struct zoid_block *b, long t)
{
    struct zoid_box box = zoid_box_at(&b->zoid, t);
    int chain = zoid_chain(b->shape);

    return box.hi[chain] - box.lo[chain];
}

START_TEST(no_block_is_larger_than_the_leaf)
{
    uint64_t seed = (uint64_t)_i << 24;

    for (int i = 0; i < CASES; i++) {
        struct zoid_graph g = case_graph(&seed, &zoid_recursive);
        struct recorder r;
        bool clamped;

        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        recorder_fill(&r, &g);
        for (long k = 0; k < r.blocks; k++)
            for (long t = r.block[k].zoid.t0; t <= r.block[k].zoid.t1; t++)
                ck_assert_msg(planes_at(&r.block[k], t) <= g.leaf, "%s: %ld planes", case_words(&g),
                              planes_at(&r.block[k], t));
        recorder_free(&r);
    }
}
END_TEST

/* A requested leaf that is large enough is used; a smaller one is raised to the least that slabs
 * and reach allow. */
START_TEST(leaves_are_as_asked_for)
{
    struct {
        long n, block, asked, leaf;
    } want[] = {{1000, 1, 50, 50},  {1000, 1, 1, 9},   {1000, 10, 1, 36}, {1000, 10, 0, 80},
                {100, 1, 500, 100}, {100, 20, 0, 100}, {4, 1, 0, 9}};

    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct zoid_graph g = case_line(&zoid_recursive, want[i].n, want[i].block, 8, 8);
        bool clamped;

        g.leaf = want[i].asked;
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        ck_assert_int_eq(g.leaf, want[i].leaf);
    }
}
END_TEST

/* A pass of 6 steps over 33 planes, with leaves of 9: two upright subzoids and the inverted one
 * between them, each split into halves in time, which are cut in space if they are wide enough. */
START_TEST(cuts)
{
    static const long want[][6] = {
        {0, 2, 0, 8, 0, 6},     {0, 2, 8, 16, 10, 14},  {0, 2, 8, 8, 6, 10},
        {2, 4, 0, 7, 0, 5},     {2, 4, 7, 14, 9, 12},   {2, 4, 7, 7, 5, 9},
        {4, 6, 0, 6, 0, 4},     {4, 6, 6, 12, 8, 10},   {4, 6, 6, 6, 4, 8},
        {0, 2, 16, 24, 18, 22}, {0, 2, 24, 33, 26, 33}, {0, 2, 24, 24, 22, 26},
        {2, 4, 18, 25, 20, 23}, {2, 4, 25, 33, 27, 33}, {2, 4, 25, 25, 23, 27},
        {4, 6, 20, 26, 22, 24}, {4, 6, 26, 33, 28, 33}, {4, 6, 26, 26, 24, 28},
        {0, 4, 16, 16, 12, 20}, {4, 5, 12, 16, 11, 15}, {4, 5, 16, 20, 17, 21},
        {4, 5, 16, 16, 15, 17}, {5, 6, 11, 16, 10, 15}, {5, 6, 16, 21, 17, 22},
        {5, 6, 16, 16, 15, 17},
    };
    struct zoid_graph g = case_line(&zoid_recursive, 33, 1, 6, 6);
    struct recorder r;
    bool clamped;

    g.leaf = 9;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    recorder_fill(&r, &g);
    ck_assert_int_eq(r.blocks, sizeof want / sizeof want[0]);
    for (long i = 0; i < r.blocks; i++) {
        const struct zoid *z = &r.block[i].zoid;
        struct zoid_box in = zoid_box_at(z, z->t0), out = zoid_box_at(z, z->t1);
        const long got[] = {z->t0, z->t1, in.lo[0], in.hi[0], out.lo[0], out.hi[0]};

        ck_assert_msg(!memcmp(got, want[i], sizeof got),
                      "block %ld: times %ld to %ld, planes [%ld, %ld) to [%ld, %ld)", i, got[0],
                      got[1], got[2], got[3], got[4], got[5]);
    }
    recorder_free(&r);
}
END_TEST

/* ---- a cache with LRU replacement -------------------------------------------------------- */

enum { DATA = 4096 };

struct memory {
    struct zoid_sink sink;
    struct zoid_census census;
    long room, taken, moved; /* planes */
    long clock, used[DATA];  /* 0: not cached */
};

static long datum_of(const struct memory *m, const struct zoid_datum *d)
{
    return d->col + (d->kind == ZOID_REUSE ? m->census.kind[ZOID_SLAB].cols : 0);
}

static long size_of(const struct memory *m, long datum)
{
    return m->census.kind[datum < m->census.kind[ZOID_SLAB].cols ? ZOID_SLAB : ZOID_REUSE].planes;
}

static void make_room(struct memory *m)
{
    while (m->taken > m->room) {
        long oldest = -1;

        for (long i = 0; i < DATA; i++)
            if (m->used[i] && (oldest < 0 || m->used[i] < m->used[oldest]))
                oldest = i;
        m->used[oldest] = 0;
        m->taken -= size_of(m, oldest);
    }
}

static int visit(struct zoid_sink *self, const struct zoid_block *b)
{
    struct memory *m = (struct memory *)self;

    for (size_t i = 0; i < b->naccess; i++) {
        long datum = datum_of(m, &b->access[i].datum);

        ck_assert_int_lt(datum, DATA);
        if (!m->used[datum]) {
            m->moved += b->access[i].mode & ZOID_READ ? size_of(m, datum) : 0;
            m->taken += size_of(m, datum);
        }
        m->used[datum] = ++m->clock;
        if (b->access[i].next == ZOID_NEXT_DEAD) {
            m->used[datum] = 0;
            m->taken -= size_of(m, datum);
        }
        make_room(m);
    }
    return 0;
}

/* Planes loaded into a cache of `room` planes. */
static long moved(const struct zoid_graph *g, long room)
{
    struct memory m = {.sink = {.block = visit}, .room = room};

    zoid_graph_census(g, &m.census);
    ck_assert_int_eq(zoid_graph_emit(g, &m.sink), 0);
    return m.moved;
}

/* Twice the cache about halves the traffic, at every cache size. Blocks of one pass after the
 * other, at the height that is best for the smallest cache, gain nothing. */
START_TEST(one_order_for_every_memory)
{
    struct zoid_graph g = case_line(&zoid_recursive, 1000, 2, 240, 240);
    struct zoid_graph flat = case_line(&zoid_trapezoid, 1000, 16, 4, 240);
    bool clamped;

    g.leaf = 16;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert_int_eq(zoid_graph_init(&flat, &clamped), 0);
    ck_assert_int_lt(2 * moved(&g, 64), moved(&flat, 64));
    for (long room = 128; room <= 512; room *= 2) {
        long planes = moved(&g, room);

        ck_assert_msg(10 * planes < 6 * moved(&g, room / 2), "%ld planes move into room for %ld",
                      planes, room);
        ck_assert_int_eq(moved(&flat, room), moved(&flat, 128));
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, no_block_is_larger_than_the_leaf, 0, 2);
    tcase_add_test(tests, leaves_are_as_asked_for);
    tcase_add_test(tests, cuts);
    tcase_add_test(tests, one_order_for_every_memory);
}

int main(void)
{
    return run_suite("recursive", 120, add);
}
