/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients that blocks list. On a line these are rows of a band matrix: planes have a wide
 * reach to either side, but read only their own coefficients. */
#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

static const struct {
    long n, lower, upper;
} bands[] = {{1000, 64, 64}, {1000, 64, 0},    {1000, 0, 64}, {1000, 30, 90},
             {1000, 0, 0},   {1000, 700, 700}, {1, 64, 64},   {1, 0, 0}};
enum { BANDS = sizeof bands / sizeof *bands };

static struct zoid_graph band_of(const struct zoid_method *method, int i, long slabs)
{
    struct zoid_graph g = {
        .method = method,
        .shape = {.dims = 1,
                  .n = {bands[i].n, 1, 1},
                  .face = {{ZOID_BARE, ZOID_BARE}},
                  .stages = 1,
                  .reach = {{.lo = {bands[i].lower}, .hi = {bands[i].upper}}}},
        .steps = 8,
        .depth = 3,
        .lanes = 2,
        .coefficients = ZOID_COEFFICIENTS_NEAR,
    };
    const long lowest = method->min_block(&g.shape), block = (bands[i].n + slabs - 1) / slabs;

    g.block = block < lowest ? lowest : block;
    return g;
}

START_TEST(bands_are_proved)
{
    for (int i = 0; i < BANDS; i++)
        for (long slabs = 1; slabs < 9; slabs += 3) {
            struct zoid_graph g = band_of(zoid_methods[_i], i, slabs);
            const char *why;
            bool clamped;

            ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
            why = case_disproof(&g);
            ck_assert_msg(!why, "%s: %s", case_words(&g), why);
        }
}
END_TEST

/* Rows dealt to ranks of several cells each, so that pieces are cut at borders. */
START_TEST(bands_on_ranks_are_proved)
{
    for (int i = 0; i < BANDS; i++)
        for (long cells = 2; cells <= 6; cells += 2)
            for (long slabs = 1; slabs < 6; slabs += 4) {
                struct zoid_graph g = band_of(zoid_methods[_i], i, slabs);
                const char *why;
                bool clamped;

                g.cut[0].cells = cells;
                g.ranks[0] = 2;
                g.rank = ZOID_EVERY_RANK;
                g.depth = 2;
                g.epoch = 4;
                if (zoid_graph_init(&g, &clamped))
                    continue; /* parts are too thin */
                why = case_disproof(&g);
                ck_assert_msg(!why, "%s: %s", case_words(&g), why);
            }
}
END_TEST

struct listing {
    struct zoid_sink sink;
    size_t least, most; /* of coefficients listed by a block that computes anything */
};

static int list_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct listing *l = (struct listing *)self;
    size_t n = 0;

    for (size_t i = 0; i < b->naccess; i++)
        n += b->access[i].datum.kind == ZOID_COEFFICIENT;
    if (b->zoid.t0 == b->zoid.t1)
        return n != 0;
    l->least = n < l->least ? n : l->least;
    l->most = n > l->most ? n : l->most;
    return 0;
}

/* Fixed slabs as high as pieces: one piece if a step needs only its own planes' coefficients. */
START_TEST(rows_of_a_slab)
{
    struct zoid_graph g = band_of(&zoid_naive, 0, 8);
    struct listing own = {.sink = {.block = list_block}, .least = SIZE_MAX}, all = own;
    struct zoid_census census;
    bool clamped;

    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert_int_eq(zoid_graph_emit(&g, &own.sink), 0);
    ck_assert_uint_eq(own.least, 1);
    ck_assert_uint_eq(own.most, 1);
    zoid_graph_census(&g, &census);
    ck_assert_int_eq(census.max_coefficients, 1);
    ck_assert_int_eq(census.kind[ZOID_COEFFICIENT].cols, 8);

    g.coefficients = ZOID_COEFFICIENTS_ALL;
    ck_assert_int_eq(zoid_graph_emit(&g, &all.sink), 0);
    ck_assert_uint_eq(all.least, 2);
    ck_assert_uint_eq(all.most, 3);
}
END_TEST

/* Coefficients beyond a stage's reach are not listed. */
START_TEST(as_far_as_stages_look)
{
    struct zoid_graph g = band_of(&zoid_leaning, 3, 7), far = g;
    struct zoid_census census, other;

    g.coefficients = ZOID_COEFFICIENTS_ALL;
    far.coefficient_reach.lo = far.coefficient_reach.hi = 10000;
    zoid_graph_census(&g, &census);
    zoid_graph_census(&far, &other);
    ck_assert_int_eq(other.max_coefficients, census.max_coefficients);
    ck_assert_int_eq(other.kind[ZOID_COEFFICIENT].planes, census.kind[ZOID_COEFFICIENT].planes);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, bands_are_proved, 0, case_methods());
    tcase_add_loop_test(tests, bands_on_ranks_are_proved, 0, case_methods());
    tcase_add_test(tests, rows_of_a_slab);
    tcase_add_test(tests, as_far_as_stages_look);
}

int main(void)
{
    return run_suite("coefficients", 60, add);
}
