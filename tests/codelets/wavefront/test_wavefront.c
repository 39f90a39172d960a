/* SPDX-License-Identifier: BSD-3-Clause */
/* SOR by tiles in wavefronts: the tiles and intra-tile wavefronts that have points, against all
 * points of small domains; and values, byte for byte against the plain loop nest. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "codelets/wavefront/cores.h"
#include "codelets/wavefront/cuda.h"
#include "tests/codelets/gpu.h"
#include "tests/suite.h"

enum { M = ZOID_WAVEFRONT_ROWS, CASES = 400, RUNS = 150, OTHERS = 3 };

static long draw(long lo, long hi)
{
    return lo + rand() % (hi - lo + 1);
}

/* Rows of other nests, which order the dependences of SOR, too: Jacobi, and 9 points in order. */
static const struct {
    int axes;
    struct zoid_wavefront_shape shape;
} others[OTHERS] = {{1, {{{1, 0}, {2, 1}}}},
                    {2, {{{4, 2, 1}, {1, 0, 0}, {1, 1, 0}}}},
                    {2, {{{1, 0, 0}, {2, 1, 0}, {2, 0, 1}}}}};

static struct zoid_wavefront_nest draw_nest(long points, long steps)
{
    struct zoid_wavefront_nest nest = {.axes = (int)draw(1, 3), .n = {1, 1, 1}};
    const long i = draw(0, 3 * OTHERS);

    nest.shape = zoid_wavefront_sor(nest.axes, draw(0, 1));
    if (i < OTHERS) {
        nest.axes = others[i].axes;
        nest.shape = others[i].shape;
    }
    for (int a = 0; a < nest.axes; a++)
        nest.n[a] = draw(0, 9) ? draw(3, points) : draw(1, 3);
    nest.steps = draw(0, 9) ? draw(1, steps) : draw(0, 1);
    return nest;
}

static void draw_tile(const struct zoid_wavefront_nest *nest, long most, int *tile)
{
    for (int k = 0; k <= nest->axes; k++)
        tile[k] = (int)draw(1, draw(0, 3) ? most : 4 * most);
}

/* ---- geometry ------------------------------------------------------------------------------- */

/* A tile that has points, its intra-tile wavefronts, and the number of its points. */
struct seen {
    long tau[M], first, last, points;
    bool listed;
};
struct tiles {
    long n;
    struct seen of[1 << 14];
};
static struct tiles all;

static struct seen *find(const long *tau)
{
    for (long i = all.n - 1; i >= 0; i--)
        if (!memcmp(all.of[i].tau, tau, sizeof all.of[i].tau))
            return &all.of[i];
    return NULL;
}

static void see(const struct zoid_wavefront *w, const long *x)
{
    long tau[M] = {0}, wave = 0;
    struct seen *tile;

    for (int k = 0; k < w->rows; k++) {
        long e = 0;

        for (int i = 0; i < w->rows; i++)
            e += w->nest.shape.phi[k][i] * x[i];
        tau[k] = e / w->tile[k];
        wave += k && w->balanced ? 0 : e % w->tile[k];
    }
    tile = find(tau);
    if (!tile) {
        ck_assert_int_lt(all.n, 1 << 14);
        tile = &all.of[all.n++];
        *tile = (struct seen){.first = wave, .last = wave};
        memcpy(tile->tau, tau, sizeof tau);
    }
    tile->first = zoid_min(tile->first, wave);
    tile->last = zoid_max(tile->last, wave);
    tile->points++;
}

static void see_all(const struct zoid_wavefront *w)
{
    long lo[M] = {0}, hi[M] = {0}, x[M];

    all.n = 0;
    for (int i = 0; i < M; i++) {
        lo[i] = i && i < w->rows ? 1 : 0;
        hi[i] = i == 0 ? w->nest.steps - 1 : i < w->rows ? w->n[i - 1] - 2 : 0;
    }
    for (x[0] = lo[0]; x[0] <= hi[0]; x[0]++)
        for (x[1] = lo[1]; x[1] <= hi[1]; x[1]++)
            for (x[2] = lo[2]; x[2] <= hi[2]; x[2]++)
                for (x[3] = lo[3]; x[3] <= hi[3]; x[3]++)
                    see(w, x);
}

static void check_tile(const struct zoid_wavefront *w, const long *tau)
{
    struct seen *tile = find(tau);
    long first, last, volume = 1;
    bool thin = false; /* one point of an axis, which its parity may leave out of a wavefront */
    struct zoid_wavefront_shape own = zoid_wavefront_sor(w->nest.axes, w->balanced);

    ck_assert_ptr_nonnull(tile);
    ck_assert(!tile->listed);
    tile->listed = true;
    for (int k = 0; k < w->rows; k++)
        volume *= w->tile[k];
    for (int a = 0; a < w->nest.axes; a++)
        thin |= w->n[a] == 3;
    ck_assert(zoid_wavefront_full(w, tau) == (tile->points == volume));
    zoid_wavefront_span(w, tau, &first, &last);
    ck_assert_int_le(first, tile->first);
    ck_assert_int_ge(last, tile->last);
    if (!thin && !memcmp(&own, &w->nest.shape, sizeof own)) {
        ck_assert_int_eq(first, tile->first);
        ck_assert_int_eq(last, tile->last);
    }
}

/* Every tile with points is listed once, no other one, in the order of wavefronts. */
START_TEST(tiles_with_points)
{
    for (int i = 0; i < effort(CASES); i++) {
        struct zoid_wavefront_nest nest;
        struct zoid_wavefront w;
        struct zoid_wavefront_list list;
        int tile[M];
        long listed = 0, waves = LONG_MIN, from, to, *tiles, *full, counted = 0;

        srand((unsigned)i);
        nest = draw_nest(9, 7);
        draw_tile(&nest, 4, tile);
        ck_assert_ptr_null(zoid_wavefront_make(&nest, tile, &w));
        see_all(&w);
        ck_assert(zoid_wavefront_tiles(&w, &list));
        zoid_wavefront_sums(&w, &from, &to);
        tiles = malloc((size_t)(to - from + 2) * sizeof *tiles);
        full = malloc((size_t)(to - from + 2) * sizeof *full);
        ck_assert(tiles && full);
        zoid_wavefront_count(&w, tiles, full);
        for (long sum = from; sum <= to; sum++)
            counted += tiles[sum - from];
        for (long wave = 0; wave < list.nwaves; wave++) {
            long seen_full = 0;

            ck_assert_int_gt(list.wave[wave].sum, waves);
            waves = list.wave[wave].sum;
            ck_assert_int_gt(list.wave[wave].tiles, 0);
            for (long j = 0; j < list.wave[wave].tiles; j++) {
                long tau[M] = {0}, sum = 0;

                zoid_wavefront_tile(&w, &list, wave, j, tau);
                for (int k = 0; k < w.rows; k++)
                    sum += tau[k];
                ck_assert_int_eq(sum, waves);
                check_tile(&w, tau);
                seen_full += zoid_wavefront_full(&w, tau);
            }
            ck_assert_int_ge(tiles[waves - from], list.wave[wave].tiles);
            ck_assert_int_eq(full[waves - from], seen_full);
            counted -= list.wave[wave].tiles;
            listed += list.wave[wave].tiles;
        }
        ck_assert_int_eq(listed, all.n);
        ck_assert_int_ge(counted, 0);
        free(tiles);
        free(full);
        zoid_wavefront_free(&list);
    }
}
END_TEST

START_TEST(refused_rows)
{
    static const struct {
        struct zoid_wavefront_shape shape;
        const char *says;
    } wrong[] = {{{{{1, 1}, {1, 2}}}, "order"},
                 {{{{1, 0}, {1, -1}}}, "below 0"},
                 {{{{9, 1}, {1, 0}}}, "above 8"},
                 {{{{2, 1}, {2, 1}}}, "inverse"},
                 {{{{2, 0}, {1, 1}}}, "inverse"}};
    const int tile[M] = {4, 4, 4, 4};
    struct zoid_wavefront w;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct zoid_wavefront_nest nest = {
            .axes = 1, .n = {9, 1, 1}, .steps = 3, .shape = wrong[i].shape};
        const char *reason = zoid_wavefront_make(&nest, tile, &w);

        ck_assert_ptr_nonnull(reason);
        ck_assert_msg(strstr(reason, wrong[i].says) != NULL, "%s", reason);
    }
}
END_TEST

/* Domains and times that overflow integers are refused; large ones have all their tiles. */
START_TEST(large_domains)
{
    const int tile[M] = {64, 128, 256, 64};
    struct zoid_wavefront_nest nest = {.axes = 2, .n = {65536, 65536, 1}, .steps = 100000};
    struct zoid_wavefront_list list;
    struct zoid_wavefront w;
    long from, to, *number, *full;

    for (int balanced = 0; balanced < 2; balanced++) {
        double tiles = 0;

        nest.shape = zoid_wavefront_sor(2, balanced);
        ck_assert_ptr_null(zoid_wavefront_make(&nest, tile, &w));
        zoid_wavefront_sums(&w, &from, &to);
        number = malloc((size_t)(to - from + 2) * sizeof *number);
        full = malloc((size_t)(to - from + 2) * sizeof *full);
        ck_assert(number && full);
        zoid_wavefront_count(&w, number, full);
        for (long i = 0; i <= to - from; i++) {
            ck_assert_int_le(full[i], number[i]);
            tiles += (double)number[i];
        }
        free(number);
        free(full);
        ck_assert(tiles * 64 * 128 * 256 > 65534. * 65534 * 100000);
        nest.steps = 1l << 40;
        ck_assert_ptr_nonnull(zoid_wavefront_make(&nest, tile, &w));
        nest.steps = LONG_MAX;
        ck_assert_ptr_nonnull(zoid_wavefront_make(&nest, tile, &w));
        nest.steps = 100000;
    }
    /* 10^5 tiles of 64 points of one row; the first point is not updated. */
    nest = (struct zoid_wavefront_nest){.axes = 1, .n = {6400002, 1, 1}, .steps = 1};
    nest.shape = zoid_wavefront_sor(1, false);
    ck_assert_ptr_null(zoid_wavefront_make(&nest, (int[]){1, 64}, &w));
    ck_assert(zoid_wavefront_tiles(&w, &list));
    ck_assert_int_eq(list.nwaves, 100001);
    zoid_wavefront_free(&list);
}
END_TEST

/* A wavefront of full tiles, for measurements. */
START_TEST(full_tiles)
{
    for (int i = 0; i < effort(60); i++) {
        struct zoid_wavefront_nest nest = {.axes = 1 + i % 3, .n = {1, 1, 1}, .steps = 400};
        struct zoid_wavefront_list list;
        struct zoid_wavefront w;
        int tile[M];

        srand((unsigned)i);
        nest.shape = zoid_wavefront_sor(nest.axes, i / 3 % 2);
        for (int a = 0; a < nest.axes; a++)
            nest.n[a] = 400;
        draw_tile(&nest, 5, tile);
        ck_assert_ptr_null(zoid_wavefront_make(&nest, tile, &w));
        ck_assert(zoid_wavefront_full_list(&w, 4, &list));
        ck_assert_int_eq(list.nwaves, 1);
        ck_assert_int_eq(list.wave[0].tiles, 4);
        for (long j = 0; j < 4; j++) {
            long tau[M] = {0};

            zoid_wavefront_tile(&w, &list, 0, j, tau);
            ck_assert(zoid_wavefront_full(&w, tau));
        }
        zoid_wavefront_free(&list);
        ck_assert(!zoid_wavefront_full_list(&w, 1l << 30, &list));
    }
}
END_TEST

/* ---- values --------------------------------------------------------------------------------- */

struct values {
    enum zoid_type type;
    size_t bytes;
    void *start, *tiled, *spare;
};

static struct values values_of(const struct zoid_wavefront_nest *nest, enum zoid_type type)
{
    const size_t n = (size_t)(nest->n[0] * nest->n[1] * nest->n[2]);
    struct values v = {.type = type, .bytes = n * zoid_type_size(type)};

    v.start = malloc(v.bytes);
    v.tiled = malloc(v.bytes);
    v.spare = malloc(v.bytes);
    ck_assert(v.start && v.tiled && v.spare);
    for (size_t i = 0; i < n; i++)
        if (type == ZOID_F32)
            ((float *)v.start)[i] = (float)rand() / (float)RAND_MAX;
        else
            ((double *)v.start)[i] = (double)rand() / RAND_MAX;
    memcpy(v.tiled, v.start, v.bytes);
    return v;
}

/* Compares with the plain loop nest, and frees the values. */
static void compare(const struct zoid_wavefront_nest *nest, struct values *v, double omega)
{
    const struct zoid_op *op = zoid_op_find("sor", nest->axes, 1, v->type);
    const struct zoid_shape shape = zoid_op_shape(op, nest->n);
    struct zoid_params params = zoid_op_defaults(op);
    const struct zoid_reference plain = {
        .op = op, .params = &params, .shape = &shape, .steps = nest->steps, .threads = 1};

    params.value[0] = omega;
    zoid_op_derive(op, &params);
    ck_assert(!memcmp(zoid_reference_run(&plain, v->start, v->spare), v->tiled, v->bytes));
    free(v->start);
    free(v->tiled);
    free(v->spare);
}

/* Draws a nest, a layout, and its run. */
struct drawn {
    struct zoid_wavefront_nest nest;
    struct zoid_wavefront w;
    struct zoid_wavefront_list list;
    struct zoid_wavefront_run run;
};

static void draw_run(struct drawn *d, unsigned seed)
{
    int tile[M];

    srand(seed);
    d->nest = draw_nest(draw(0, 3) ? 12 : 40, draw(0, 3) ? 8 : 40);
    draw_tile(&d->nest, 9, tile);
    ck_assert_ptr_null(zoid_wavefront_make(&d->nest, tile, &d->w));
    ck_assert(zoid_wavefront_tiles(&d->w, &d->list));
    d->run = (struct zoid_wavefront_run){.w = &d->w,
                                         .list = &d->list,
                                         .type = draw(0, 1) ? ZOID_F32 : ZOID_F64,
                                         .omega = 0.1 + 0.1 * (double)draw(0, 17),
                                         .threads = {1, 1, 1},
                                         .resident = 1,
                                         .repeat = 1};
}

START_TEST(on_cores)
{
    for (int i = 0; i < effort(RUNS); i++) {
        struct drawn d;
        struct values v;
        struct zoid_team *team;

        draw_run(&d, (unsigned)i);
        d.run.threads[0] = (int)draw(1, 3);
        d.run.resident = (int)draw(1, 3);
        team = zoid_team_create(d.run.threads[0] * d.run.resident, NULL, NULL);
        v = values_of(&d.nest, d.run.type);
        zoid_wavefront_on_cores(&d.run, v.tiled, team);
        compare(&d.nest, &v, d.run.omega);
        zoid_team_destroy(&team);
        zoid_wavefront_free(&d.list);
    }
}
END_TEST

/* Thread blocks of several forms; more resident blocks than fit are refused. */
START_TEST(on_gpu)
{
    struct zoid_wavefront_gpu *gpu;
    struct zoid_wavefront_gpu_facts facts;
    enum { MOST = 8 * 40 * 40 * 40 };

    ck_assert_int_eq(zoid_wavefront_gpu_open(MOST, &gpu, &facts), 0);
    ck_assert_int_gt(facts.processors, 0);
    for (int i = 0; i < effort(RUNS); i++) {
        struct drawn d;
        struct values v;
        double seconds;
        int most;

        draw_run(&d, (unsigned)i);
        d.run.threads[0] = 32 << draw(0, 3);
        for (int a = 1; a < d.nest.axes; a++)
            d.run.threads[a] = (int)draw(1, 2);
        ck_assert_int_eq(zoid_wavefront_gpu_resident(&d.run, &most), 0);
        if (most > 0) {
            v = values_of(&d.nest, d.run.type);
            d.run.resident = (int)draw(1, zoid_min(most, 4));
            ck_assert_int_eq(zoid_wavefront_gpu_put(gpu, v.tiled, v.bytes), 0);
            ck_assert_int_eq(zoid_wavefront_gpu_run(gpu, &d.run, &seconds), 0);
            ck_assert_int_eq(zoid_wavefront_gpu_get(gpu, v.tiled, v.bytes), 0);
            compare(&d.nest, &v, d.run.omega);
        }
        d.run.resident = most + 1;
        ck_assert_int_ne(zoid_wavefront_gpu_run(gpu, &d.run, &seconds), 0);
        zoid_wavefront_free(&d.list);
    }
    zoid_wavefront_gpu_close(&gpu);
}
END_TEST

static void add(TCase *tests)
{
    if (gpu_wanted()) {
        tcase_add_test(tests, on_gpu);
        return;
    }
    tcase_add_test(tests, tiles_with_points);
    tcase_add_test(tests, refused_rows);
    tcase_add_test(tests, large_domains);
    tcase_add_test(tests, full_tiles);
    tcase_add_test(tests, on_cores);
}

/* For test_wavefront_gpu.sh: skipped without a GPU. */
enum { SKIPPED = 77 };

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("wavefront", 20, add);
}
