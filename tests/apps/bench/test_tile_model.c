/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of tiled loop nests: terms of tiles counted point by point, coefficients that a fit is to
 * find again, predictions by hand, and the choice against all predictions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apps/bench/tile_search.h"
#include "tests/suite.h"

enum { M = ZOID_WAVEFRONT_ROWS };

static struct zoid_wavefront_nest nest_of(int axes, bool balanced, long n, long steps)
{
    struct zoid_wavefront_nest nest = {.axes = axes, .n = {1, 1, 1}, .steps = steps};

    nest.shape = zoid_wavefront_sor(axes, balanced);
    for (int a = 0; a < axes; a++)
        nest.n[a] = n;
    return nest;
}

static long draw(long lo, long hi)
{
    return lo + rand() % (hi - lo + 1);
}

static long parts(long n, long of)
{
    return (n + of - 1) / of;
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* Points of each row of q_m, by wavefront and the coordinates between. */
static void count_rows(const struct zoid_wavefront *w, long (*row)[16][16])
{
    long q[M];

    for (q[0] = 0; q[0] < w->tile[0]; q[0]++)
        for (q[1] = 0; q[1] < w->tile[1]; q[1]++)
            for (q[2] = 0; q[2] < (w->rows > 2 ? w->tile[2] : 1); q[2]++)
                for (q[3] = 0; q[3] < (w->rows > 3 ? w->tile[3] : 1); q[3]++) {
                    const long v = w->balanced ? q[0] : q[0] + q[1] + q[2] + q[3];

                    row[v][w->rows > 2 ? q[1] : 0][w->rows > 3 ? q[2] : 0]++;
                }
}

START_TEST(terms_of_tiles)
{
    static long row[80][16][16];

    for (int i = 0; i < effort(200); i++) {
        const int axes = 1 + i % 3;
        const struct zoid_tile_machine machine = {.processors = 4, .lanes = i % 2 ? 32 : 4};
        struct zoid_wavefront_nest nest = nest_of(axes, i / 3 % 2, 1000, 1000);
        struct zoid_wavefront w;
        struct zoid_tile_terms terms;
        double warps = 0, trips = 0, points = 1;
        int tile[M] = {1, 1, 1, 1}, threads[ZOID_AXES] = {8, 1, 1};

        srand((unsigned)i);
        for (int k = 0; k <= axes; k++) {
            tile[k] = (int)draw(1, 15);
            points *= tile[k];
        }
        threads[1] = axes > 1 ? (int)draw(1, 4) : 1;
        ck_assert_ptr_null(zoid_wavefront_make(&nest, tile, &w));
        memset(row, 0, sizeof row);
        count_rows(&w, row);
        for (long v = 0; v < zoid_wavefront_waves(&w); v++) {
            long longest = 0, y = 0, z = 0;

            for (int a = 0; a < 16; a++)
                for (int b = 0; b < 16; b++)
                    warps += (double)parts(row[v][a][b], machine.lanes);
            if (axes == 3)
                continue;
            for (int a = 0; a < 16; a++) {
                longest = row[v][a][0] > longest ? row[v][a][0] : longest;
                y += row[v][a][0] > 0;
            }
            z = axes == 1 ? 1 : parts(y, threads[1]);
            trips += (double)(z * parts(longest, threads[0]));
        }
        terms = zoid_tile_terms_of(&w, &machine, threads);
        ck_assert_double_eq(terms.points, points);
        ck_assert_double_eq(terms.waves, (double)zoid_wavefront_waves(&w));
        ck_assert_double_eq(terms.warps, warps);
        ck_assert_double_eq(terms.memory, 2 * zoid_wavefront_box(&w));
        if (axes < 3)
            ck_assert_double_eq(terms.trips, trips);
    }
}
END_TEST

/* ---- fits ----------------------------------------------------------------------------------- */

START_TEST(fit_finds_coefficients)
{
    const double wanted[4] = {3, 0.25, 2e-3, 5};
    double rows[10 * 4], seconds[10], found[4];

    for (int i = 0; i < effort(100); i++) {
        srand((unsigned)i);
        for (int k = 0; k < 10; k++) {
            seconds[k] = 0;
            for (int j = 0; j < 4; j++) {
                rows[k * 4 + j] = pow(10, (double)rand() / RAND_MAX * 3);
                seconds[k] += wanted[j] * rows[k * 4 + j];
            }
        }
        zoid_tile_least_squares(10, 4, rows, seconds, i % 2, found);
        for (int j = 0; j < 4; j++)
            ck_assert_double_eq_tol(found[j] / wanted[j], 1, 1e-6);
    }
}
END_TEST

/* Errors are relative: of 1 and 1000 units in seconds 2 and 1000, the factor is between the two as
 * (2 / 1 wants 2, 1 wants 1): the sum of (f / 2 - 1)^2 and (f - 1)^2 is least at 1.2. */
START_TEST(fit_is_relative)
{
    const double rows[2] = {1, 1000}, seconds[2] = {2, 1000};
    double found[1];

    zoid_tile_least_squares(2, 1, rows, seconds, false, found);
    ck_assert_double_eq_tol(found[0], 1.2, 1e-12);
}
END_TEST

/* A term that is another one's multiple is left out; and so is one that would be negative, where
 * that is asked for. */
START_TEST(fit_leaves_out)
{
    const double same[6] = {1, 2, 2, 4, 5, 10}, seconds[3] = {3, 6, 15};
    const double falling[6] = {1, 1, 1, 2, 1, 3}, fewer[3] = {10, 9, 8};
    double found[2];

    zoid_tile_least_squares(3, 2, same, seconds, false, found);
    ck_assert_double_eq_tol(found[0] + 2 * found[1], 3, 1e-9);
    ck_assert(found[0] == 0 || found[1] == 0);
    zoid_tile_least_squares(3, 2, falling, fewer, false, found);
    ck_assert_double_eq_tol(found[0], 11, 1e-9);
    ck_assert_double_eq_tol(found[1], -1, 1e-9);
    zoid_tile_least_squares(3, 2, falling, fewer, true, found);
    ck_assert_double_gt(found[0], 8);
    ck_assert_double_eq(found[1], 0);
}
END_TEST

/* ---- predictions ---------------------------------------------------------------------------- */

static struct zoid_tile_model model_by_hand(void)
{
    struct zoid_tile_model m = {.machine = {.processors = 2, .lanes = 32},
                                .launch = 5,
                                .nthreads = 1,
                                .nresident = 2,
                                .threads = {{32, 1, 1}},
                                .resident = {1, 3}};

    m.entry[0][0] = (struct zoid_tile_entry){
        .known = true, .blocks = 1, .sync = 0.5, .coefficient = {{2, 0.25, 0.125}, {1, 2, 3, 0.5}}};
    m.entry[0][1] = (struct zoid_tile_entry){
        .known = true, .blocks = 2, .sync = 0.5, .coefficient = {{2, 0.25, 0.125}, {2, 4, 6, 1}}};
    return m;
}

/* A 4 x 6 tile of SOR in 1-D, rows (1 0) (1 1): 9 wavefronts of 1, 2, 3, 4, 4, 4, 3, 2, 1 points, a
 * warp and a trip each; it loads and stores 4 + 6 + 1 values. By (5.7): 2 * 9 warps + 0.25 * 24
 * points + 0.125 * 22 values + (9 + 2) * 0.5 = 32.25; the groups are 9 + 18 + 27 + 11 = 65 of one
 * tile and 130 of three. */
START_TEST(by_hand)
{
    const struct zoid_tile_model m = model_by_hand();
    struct zoid_wavefront_nest nest = nest_of(1, false, 100, 100);
    long tiles[] = {1, 2, 7, 0, 6}, full[] = {0, 1, 3, 0, 6};
    const struct zoid_tile_profile profile = {.n = 5, .tiles = tiles, .full = full};
    struct zoid_tile_terms t;
    struct zoid_wavefront w;

    ck_assert_ptr_null(zoid_wavefront_make(&nest, (int[]){4, 6}, &w));
    t = zoid_tile_terms_of(&w, &m.machine, m.threads[0]);
    ck_assert_double_eq(t.waves, 9);
    ck_assert_double_eq(t.warps, 9);
    ck_assert_double_eq(t.trips, 9);
    ck_assert_double_eq(t.points, 24);
    ck_assert_double_eq(t.memory, 22);
    ck_assert_double_eq(zoid_tile_group(&m, ZOID_TILE_DI, 0, 0, 1, &t), 32.25);
    ck_assert_double_eq(zoid_tile_group(&m, ZOID_TILE_DI, 0, 1, 2, &t), 64.5);
    ck_assert_double_eq(zoid_tile_group(&m, ZOID_TILE_GROUPS, 0, 0, 1, &t), 65);
    ck_assert_double_eq(zoid_tile_group(&m, ZOID_TILE_GROUPS, 0, 1, 2, &t), 97.5);
    ck_assert_double_eq(zoid_tile_group(&m, ZOID_TILE_GROUPS, 0, 1, 3, &t), 130);
    /* One resident: 1, 1, 4 and 3 rounds, the first of which counts half by (5.10). */
    ck_assert_double_eq(zoid_tile_predict(&m, ZOID_TILE_DI, 0, 0, &t, &profile),
                        5 + 4 * 1 + 8.5 * 32.25);
    ck_assert_double_eq(zoid_tile_predict(&m, ZOID_TILE_GROUPS, 0, 0, &t, &profile),
                        5 + 4 * 1 + 9 * 65);
    /* Three resident, six at a time: 1; 1; 3 + 1; 3. */
    ck_assert_double_eq(zoid_tile_predict(&m, ZOID_TILE_DI, 0, 1, &t, &profile),
                        5 + 4 * 2 + (0.5 + 1 + 4 + 3) * 32.25);
    ck_assert_double_eq(zoid_tile_predict(&m, ZOID_TILE_GROUPS, 0, 1, &t, &profile),
                        5 + 4 * 2 + 65 + 65 + (130 + 65) + 130);
}
END_TEST

/* Both models find their own coefficients from rounds that follow them. */
START_TEST(models_find_themselves)
{
    for (int kind = 0; kind < ZOID_TILE_MODELS; kind++)
        for (int i = 0; i < effort(30); i++) {
            struct zoid_tile_model wanted = model_by_hand(), found;
            struct zoid_wavefront_nest nest = nest_of(1, false, 10000, 10000);
            struct zoid_tile_sample sample[10];

            srand((unsigned)i);
            wanted.threads[0][0] = 96; /* with 32, trips are warps */
            found = wanted;
            for (int k = 0; k < 10; k++) {
                struct zoid_wavefront w;

                ck_assert_ptr_null(zoid_wavefront_make(
                    &nest, (int[]){(int)draw(20, 500), (int)draw(20, 500)}, &w));
                sample[k].terms = zoid_tile_terms_of(&w, &wanted.machine, wanted.threads[0]);
                sample[k].seconds = zoid_tile_group(&wanted, kind, 0, 1, 3, &sample[k].terms);
            }
            memset(found.entry[0][1].coefficient, 0, sizeof found.entry[0][1].coefficient);
            zoid_tile_model_fit(&found, 0, 1, 10, sample);
            for (int j = 0; j < (kind == ZOID_TILE_DI ? 3 : 4); j++)
                ck_assert_double_eq_tol(found.entry[0][1].coefficient[kind][j] /
                                            wanted.entry[0][1].coefficient[kind][j],
                                        1, 1e-4);
        }
}
END_TEST

/* Without samples, or with fewer than coefficients, an entry has no fit. */
START_TEST(too_few_samples)
{
    struct zoid_wavefront_nest nest = nest_of(1, false, 1000, 1000);

    for (int n = 0; n <= 4; n++) {
        struct zoid_tile_model m = model_by_hand();
        struct zoid_tile_sample sample[4];

        m.entry[0][0] = (struct zoid_tile_entry){.blocks = 1, .sync = 0.5};
        for (int k = 0; k < n; k++) {
            struct zoid_wavefront w;

            ck_assert_ptr_null(
                zoid_wavefront_make(&nest, (int[]){20 + 7 * k, 30 + 40 * (k % 2)}, &w));
            sample[k].terms = zoid_tile_terms_of(&w, &m.machine, m.threads[0]);
            sample[k].seconds = 1; /* less than its barriers */
        }
        zoid_tile_model_fit(&m, 0, 0, n, sample);
        ck_assert_int_eq(m.entry[0][0].known, n == 4);
    }
}
END_TEST

/* ---- choices -------------------------------------------------------------------------------- */

static struct zoid_tile_space space_of(int axes, bool balanced, long n, long steps)
{
    struct zoid_tile_space s = {.nest = nest_of(axes, balanced, n, steps),
                                .least = {4, 16, 16, 16},
                                .most = {20, 40, 40, 40},
                                .bytes = 233472,
                                .own = 1152,
                                .block = 232448};

    return s;
}

/* The choice is the least prediction of all, which a few layouts take; some of whose bounds are
 * above it are not predicted. */
START_TEST(choice_is_the_best)
{
    for (int i = 0; i < effort(8); i++) {
        struct zoid_tile_model m = model_by_hand();
        struct zoid_tile_space s = space_of(1, i % 2, 300 + 100 * i, 60);
        struct zoid_tile_choice choice;
        double best = INFINITY;
        long n = 0;

        ck_assert(zoid_tile_choose(&s, &m, ZOID_TILE_GROUPS, 1 << 20, &choice));
        for (int a = s.least[0]; a <= s.most[0]; a++)
            for (int b = 16; b <= 40; b++)
                for (int r = 0; r < 2; r++) {
                    struct zoid_tile_profile profile = {.n = 0};
                    struct zoid_tile_terms t;
                    struct zoid_wavefront w;

                    ck_assert_ptr_null(zoid_wavefront_make(&s.nest, (int[]){a, b}, &w));
                    t = zoid_tile_terms_of(&w, &m.machine, m.threads[0]);
                    ck_assert(zoid_tile_profile(&w, &profile));
                    best = fmin(best, zoid_tile_predict(&m, ZOID_TILE_GROUPS, 0, r, &t, &profile));
                    zoid_tile_profile_free(&profile);
                    n++;
                }
        ck_assert_int_eq(choice.layouts, n);
        ck_assert_int_lt(choice.evaluated, n);
        ck_assert_double_eq(choice.predicted, best);
    }
}
END_TEST

/* Random layouts fit, and depend on the seed alone. */
START_TEST(random_layouts)
{
    const struct zoid_tile_model m = model_by_hand();
    struct zoid_tile_space s = space_of(3, false, 100, 10);
    unsigned short one[3] = {1, 2, 3}, other[3] = {1, 2, 3};

    s.least[1] = s.least[2] = 2;
    s.bytes = 120000;
    for (int i = 0; i < effort(100); i++) {
        struct zoid_tile_layout a = {.resident = i % 2}, b = {.resident = i % 2};
        struct zoid_wavefront w;

        ck_assert(zoid_tile_draw(&s, &m, one, &a));
        ck_assert(zoid_tile_draw(&s, &m, other, &b));
        ck_assert(!memcmp(&a, &b, sizeof a));
        ck_assert_ptr_null(zoid_wavefront_make(&s.nest, a.tile, &w));
        ck_assert_double_le(m.resident[i % 2] * (4 * zoid_wavefront_box(&w) + s.own), s.bytes);
    }
    s.bytes = 2000;
    ck_assert(!zoid_tile_draw(&s, &m, one, &(struct zoid_tile_layout){.resident = 1}));
}
END_TEST

/* A million layouts of a GPU take seconds of one core. */
START_TEST(a_million)
{
    const long wanted = SANITIZED ? 10000 : 1000000;
    struct zoid_tile_model m = {.machine = {.processors = 132, .lanes = 32},
                                .launch = 5e-6,
                                .nthreads = 2,
                                .nresident = 2,
                                .threads = {{32, 8, 1}, {32, 16, 1}},
                                .resident = {1, 2}};
    struct zoid_tile_space s = space_of(2, _i, 2048, 256);
    struct zoid_tile_choice choice;
    clock_t start;

    for (int i = 0; i < 4; i++)
        m.entry[i / 2][i % 2] = (struct zoid_tile_entry){
            .known = true,
            .blocks = 1.3e-6,
            .sync = 1e-8,
            .coefficient = {{2e-9, -1e-11, 1e-10}, {5e-8, 1e-9, 2e-8, 1e-9 * (1 + i % 2)}}};
    s.most[0] = 80;
    s.most[1] = 160;
    s.most[2] = 160;
    start = clock();
    ck_assert(zoid_tile_choose(&s, &m, _i ? ZOID_TILE_DI : ZOID_TILE_GROUPS, wanted, &choice));
    ck_assert_int_ge(choice.layouts, wanted);
    ck_assert_int_lt(choice.evaluated, choice.layouts / 2);
    ck_assert(SANITIZED || clock() - start < 20 * CLOCKS_PER_SEC);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, terms_of_tiles);
    tcase_add_test(tests, fit_finds_coefficients);
    tcase_add_test(tests, fit_is_relative);
    tcase_add_test(tests, fit_leaves_out);
    tcase_add_test(tests, by_hand);
    tcase_add_test(tests, models_find_themselves);
    tcase_add_test(tests, too_few_samples);
    tcase_add_test(tests, choice_is_the_best);
    tcase_add_test(tests, random_layouts);
    tcase_add_loop_test(tests, a_million, 0, 2);
}

int main(void)
{
    return run_suite("tile_model", 60, add);
}
