/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that take turns, mirrored: the data have the same number and size, and a cell's own planes
 * go to the cell whose own planes are their image. */
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/leg.h"
#include "graphs/method.h"
#include "tests/effort.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { CASES = 2000 };

static struct zoid_graph draw(uint64_t *seed)
{
    struct zoid_graph g;
    bool clamped;

    do {
        g = case_graph(seed, &zoid_leaning);
        case_deal(seed, &g);
    } while (!zoid_grid_relays(&g));
    g.leg.is = ZOID_LEG_FIRST;
    g.start = case_start(seed);
    ck_assert_msg(!zoid_graph_init(&g, &clamped), "%s: init", case_words(&g));
    return g;
}

/* Compares the data that outlive a leg. */
static void expect_data(const struct zoid_graph *g, const struct zoid_graph *turned)
{
    static const enum zoid_kind kinds[] = {ZOID_SLAB, ZOID_COEFFICIENT};
    struct zoid_census a, b;

    zoid_graph_census(g, &a);
    zoid_graph_census(turned, &b);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct zoid_census_row *x = &a.kind[kinds[i]], *y = &b.kind[kinds[i]];

        ck_assert_msg(x->rows == y->rows && x->cols == y->cols && x->planes == y->planes,
                      "%s: %ld x %ld data of %ld planes, and %ld x %ld of %ld", case_words(g),
                      x->rows, x->cols, x->planes, y->rows, y->cols, y->planes);
    }
}

/* Own planes of a cell, relative to the first plane of its line. */
static struct zoid_range planes_of(const struct zoid_graph *g, long cell)
{
    const int chain = zoid_chain(&g->shape);
    const struct zoid_range own = zoid_cell_own(g, cell, 0).axis[chain];
    const long base = zoid_cell_base(g, cell);

    return (struct zoid_range){own.lo - base, own.hi - base};
}

static void expect_image(const struct zoid_graph *g, const struct zoid_graph *turned, long cell)
{
    const long n = g->shape.n[zoid_chain(&g->shape)], image = zoid_cells(g) - 1 - cell;
    const struct zoid_range from = planes_of(g, cell), to = planes_of(turned, image);
    const long base = zoid_cell_base(g, cell), sum = zoid_cell_image(g, cell) - 2 * base;

    ck_assert_msg(to.lo >= 0 && to.hi <= zoid_cell_line(turned), "%s: cell %ld has %ld ... %ld",
                  case_words(turned), image, to.lo, to.hi);
    for (long p = from.lo; p < from.hi; p++) {
        const long at = sum - p;

        ck_assert_msg(at >= to.lo && at < to.hi, "%s: plane %ld of cell %ld goes to %ld",
                      case_words(g), p, cell, at);
        ck_assert_int_eq(zoid_cell_base(turned, image) + at, n - 1 - (base + p));
    }
    ck_assert_int_eq(to.hi - to.lo, from.hi - from.lo);
}

/* The ghost planes of a cell are own planes of the cells below and above it. */
static void expect_beside(const struct zoid_graph *g, long cell)
{
    const int chain = zoid_chain(&g->shape);
    const struct zoid_range seen = zoid_grid_seen(g, chain, cell);
    const long below = zoid_max(cell - 1, 0), above = zoid_min(cell + 1, zoid_cells(g) - 1);

    ck_assert_int_ge(seen.lo, zoid_cell_base(g, cell));
    ck_assert_int_le(seen.hi, zoid_cell_base(g, cell) + zoid_cell_line(g));
    ck_assert_msg(seen.lo >= zoid_cell_own(g, below, 0).axis[chain].lo &&
                      seen.hi <= zoid_cell_own(g, above, 0).axis[chain].hi,
                  "%s: cell %ld holds %ld ... %ld", case_words(g), cell, seen.lo, seen.hi);
}

START_TEST(cells_turn_where_they_lie)
{
    uint64_t seed = 5;

    for (int i = 0; i < effort(CASES); i++) {
        const struct zoid_graph g = draw(&seed);
        struct zoid_graph turned = g;
        bool clamped;

        turned.turned = !g.turned;
        ck_assert_int_eq(zoid_graph_init(&turned, &clamped), 0);
        ck_assert(!clamped);
        ck_assert_str_eq(zoid_graph_unlike(&g, &turned), "directions");
        ck_assert_int_eq(zoid_cell_line(&g), zoid_cell_line(&turned));
        expect_data(&g, &turned);
        for (long c = 0; c < zoid_cells(&g); c++) {
            expect_image(&g, &turned, c);
            expect_beside(&g, c);
        }
    }
}
END_TEST

/* A single cell is mirrored. */
START_TEST(one_cell)
{
    struct zoid_graph g = case_line(&zoid_leaning, 24, 5, 2, 12);
    bool clamped;

    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert_int_eq(zoid_cell_image(&g, 0), 23);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, cells_turn_where_they_lie);
    tcase_add_test(tests, one_cell);
}

int main(void)
{
    return run_suite("turns", 60, add);
}
