/* SPDX-License-Identifier: BSD-3-Clause */
/* labels: repeats */
/* Fields of blocks that serve placement only and that no proof needs: the next user of a datum, and
 * the prefetch list. */
#include <stdlib.h>

#include "graphs/sinks/numbering.h"
#include "tests/graphs/cases.h"
#include "tests/graphs/recorder.h"
#include "tests/suite.h"

enum { CASES = 400 };

static bool same(const struct zoid_datum *a, const struct zoid_datum *b)
{
    return zoid_datum_index(a) == zoid_datum_index(b);
}

static bool accesses(const struct zoid_block *b, const struct zoid_datum *d)
{
    for (size_t i = 0; b && i < b->naccess; i++)
        if (same(&b->access[i].datum, d))
            return true;
    return false;
}

static int fetches(const struct zoid_block *b, const struct zoid_datum *d)
{
    int times = 0;

    for (size_t i = 0; i < b->nfetch; i++)
        times += same(&b->fetch[i], d);
    return times;
}

/* First block of a pass from index i on; NULL if the pass has no more blocks. */
static const struct zoid_block *next_of_pass(const struct recorder *r, long i, long pass)
{
    for (; i < r->blocks; i++)
        if (r->block[i].pass == pass)
            return &r->block[i];
    return NULL;
}

static int lane_of(const struct recorder *r, long pass)
{
    const struct zoid_block *b = next_of_pass(r, 0, pass);

    return b ? b->lane : 0;
}

static void check_next(const struct zoid_graph *g, const struct recorder *r, long i)
{
    const struct zoid_block *b = &r->block[i], *next = next_of_pass(r, i + 1, b->pass);
    /* Around a circle the next lane waits until the pass has ended. */
    bool hand_on = lane_of(r, b->pass + 1) == b->lane + 1 && !zoid_chain_periodic(&g->shape);

    for (size_t k = 0; k < b->naccess; k++) {
        const struct zoid_access *a = &b->access[k];
        enum zoid_next want = accesses(next, &a->datum) ? ZOID_NEXT_SAME
                              : hand_on                 ? ZOID_NEXT_LANE
                                                        : ZOID_NEXT_RAM;

        if (a->datum.kind == ZOID_COEFFICIENT)
            ck_assert_msg(a->next == want, "%s: pass %ld, position %ld: %d", case_words(g), b->pass,
                          b->position, (int)a->next);
    }
}

/* True if one of the next blocks of the pass, from block i on, accesses the datum. */
static bool soon(const struct recorder *r, long i, long pass, const struct zoid_datum *d)
{
    enum { SOON = 3 };
    int blocks = 0;

    for (; i < r->blocks && blocks < SOON; i++) {
        if (r->block[i].pass != pass)
            continue;
        if (accesses(&r->block[i], d))
            return true;
        blocks++;
    }
    return false;
}

/* The prefetch list has all coefficients that the next block reads and this one does not, once
 * each, after the slabs. */
static void check_fetch(const struct zoid_graph *g, const struct recorder *r, long i)
{
    const struct zoid_block *b = &r->block[i], *next = next_of_pass(r, i + 1, b->pass);

    for (size_t k = 0; next && k < next->naccess; k++) {
        const struct zoid_datum *d = &next->access[k].datum;

        if (d->kind == ZOID_COEFFICIENT)
            ck_assert_msg(fetches(b, d) == !accesses(b, d), "%s: pass %ld, position %ld",
                          case_words(g), b->pass, b->position);
    }
    for (size_t k = 0; k < b->nfetch; k++) {
        const struct zoid_datum *d = &b->fetch[k];

        ck_assert_int_eq(fetches(b, d), 1);
        ck_assert(d->kind == ZOID_COEFFICIENT ? accesses(next, d) : soon(r, i + 1, b->pass, d));
        ck_assert(k == 0 || d->kind == ZOID_COEFFICIENT || d->kind == ZOID_MEMORY ||
                  b->fetch[k - 1].kind == ZOID_SLAB);
    }
}

START_TEST(coefficients_come_and_go)
{
    uint64_t seed = (uint64_t)_i << 20;

    for (int i = 0; i < CASES; i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i]);
        struct recorder r;
        bool clamped;

        if (!g.coefficients)
            g.coefficients = ZOID_COEFFICIENTS_ALL;
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        recorder_fill(&r, &g);
        for (long k = 0; k < r.blocks; k++) {
            check_next(&g, &r, k);
            check_fetch(&g, &r, k);
        }
        recorder_free(&r);
    }
}
END_TEST

/* State in which its last accessor left a datum. */
struct trail {
    long block; /* counted from 1; 0: not accessed yet */
    enum zoid_mode mode;
    enum zoid_next next;
};

static void follow(const struct zoid_graph *g, struct trail *trail, long block,
                   const struct zoid_access *a)
{
    bool died = trail->mode == ZOID_READ && trail->next == ZOID_NEXT_DEAD;

    /* A block may read a datum at several places; a block that updates it reads its contents. */
    if ((a->datum.kind == ZOID_REUSE || a->datum.kind == ZOID_EDGE) && trail->block &&
        trail->block != block)
        ck_assert_msg(died == !(a->mode & ZOID_READ), "%s: block %ld", case_words(g), block);
    *trail = (struct trail){block, a->mode, a->next};
}

/* Data between blocks die with their last reader, neither before nor later. */
START_TEST(what_nobody_reads_again_is_dead)
{
    uint64_t seed = (uint64_t)_i << 20 | 7;

    for (int i = 0; i < CASES; i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i]);
        struct zoid_numbering numbering;
        struct zoid_census census;
        struct trail *trail;
        struct recorder r;
        bool clamped;

        if (case_between(&seed, 0, 1))
            case_cut(&seed, &g);
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        zoid_graph_census(&g, &census);
        ck_assert_int_eq(zoid_numbering_init(&numbering, &census), 0);
        trail = calloc((size_t)numbering.count + 1, sizeof *trail);
        recorder_fill(&r, &g);
        for (long b = 0; b < r.blocks; b++)
            for (size_t k = 0; k < r.block[b].naccess; k++) {
                const struct zoid_access *a = &r.block[b].access[k];
                long datum = zoid_number(&numbering, &a->datum);

                ck_assert_int_ge(datum, 0);
                follow(&g, &trail[datum], b + 1, a);
            }
        for (long d = numbering.kind[ZOID_REUSE].first; d < numbering.kind[ZOID_COEFFICIENT].first;
             d++)
            ck_assert_msg(!trail[d].block || trail[d].next == ZOID_NEXT_DEAD, "%s: datum %ld",
                          case_words(&g), d);
        recorder_free(&r);
        free(trail);
    }
}
END_TEST

static void add(TCase *tests)
{
    const int methods = case_methods();

    tcase_add_loop_test(tests, coefficients_come_and_go, 0, methods);
    tcase_add_loop_test(tests, what_nobody_reads_again_is_dead, 0, methods);
}

int main(void)
{
    return run_suite("placement", 120, add);
}
