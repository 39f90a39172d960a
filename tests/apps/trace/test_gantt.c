/* SPDX-License-Identifier: BSD-3-Clause */
/* Gantt charts of hand-made timelines: their size, and colours at positions where the activity is
 * known. The pictures stay in the test's working folder for inspection. */
#include <cairo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/trace/gantt_draw.h"
#include "tests/suite.h"

/* Deterministic pseudo-random number. */
static double chance(void)
{
    static uint32_t state = 1;

    state = state * 1664525 + 1013904223;
    return state / 4294967296.0;
}

static void must(enum zoid_status status)
{
    ck_assert_msg(!status, "%s", zoid_error());
}

static struct zoid_timeline *machine(int gpus, int cores)
{
    struct zoid_timeline *t;

    must(zoid_timeline_create(&t));
    for (int w = 0; w < gpus + cores; w++) {
        struct zoid_timeline_worker worker = {.id = w, .device = ZOID_DEVICE_GPU, .number = w};

        worker.node = w + 1;
        if (w >= gpus) {
            worker.device = ZOID_DEVICE_CPU;
            worker.number = w - gpus;
            worker.node = 0;
        }
        snprintf(worker.name, sizeof worker.name, "%s %d", w < gpus ? "GPU" : "CPU", worker.number);
        must(zoid_timeline_add_worker(t, &worker));
    }
    return t;
}

static void move(struct zoid_timeline *t, int from, int to, double end)
{
    const struct zoid_timeline_transfer x = {
        .span = {end - 0.7e-3 - 0.2e-3 * chance(), end}, .from = from, .to = to, .bytes = 32e6};

    must(zoid_timeline_add_transfer(t, &x));
}

/* A pipeline: pass p runs on worker p mod W; each block follows its left neighbour and the block
 * above it; a GPU receives a slab from the GPU before it. */
static struct zoid_timeline *pipeline(int gpus, int cores, long passes, long positions)
{
    struct zoid_timeline *t = machine(gpus, cores);
    int workers = gpus + cores;
    double *above = calloc((size_t)positions, sizeof *above);
    double *free_at = calloc((size_t)workers, sizeof *free_at);

    for (long pass = 0; pass < passes; pass++) {
        int w = (int)(pass % workers);

        for (long j = 0; j < positions; j++) {
            struct zoid_timeline_block b = {.worker = w, .pass = pass, .position = j};
            double ready = above[j + 1 < positions ? j + 1 : j];

            b.span.begin = (ready > free_at[w] ? ready : free_at[w]) + 0.02e-3;
            if (w < gpus && chance() < 0.2) {
                must(zoid_timeline_add_request(t, w, b.span.begin));
                b.span.begin += 0.4e-3;
            }
            b.span.end = b.span.begin + 0.8e-3 + 0.6e-3 * chance();
            if (w < gpus && b.span.begin > 1e-3)
                move(t, w ? w : 0, w + 1, b.span.begin);
            if (w + 1 == gpus)
                move(t, gpus, 0, b.span.end + 1e-3);
            above[j] = free_at[w] = b.span.end;
            must(zoid_timeline_add_block(t, &b));
        }
    }
    free(above);
    free(free_at);
    must(zoid_timeline_finish(t, NULL));
    return t;
}

static long size_of(const char *path)
{
    struct stat st;

    ck_assert_int_eq(stat(path, &st), 0);
    return st.st_size;
}

static cairo_surface_t *paint(const struct zoid_timeline *t, const char *name)
{
    const struct zoid_gantt gantt = {
        .timeline = t, .title = name, .subtitle = "made by hand", .note = NULL};
    char svg[64], png[64];
    cairo_surface_t *picture;

    snprintf(svg, sizeof svg, "gantt-%s.svg", name);
    snprintf(png, sizeof png, "gantt-%s.png", name);
    must(zoid_gantt_svg(&gantt, svg));
    must(zoid_gantt_png(&gantt, png));
    ck_assert_int_lt(size_of(svg), 2 << 20);
    ck_assert_int_lt(size_of(png), 2 << 20);
    picture = cairo_image_surface_create_from_png(png);
    ck_assert_int_eq(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
    ck_assert_int_eq(cairo_image_surface_get_width(picture), GANTT_WIDTH);
    return picture;
}

static bool shows(cairo_surface_t *picture, int x, int y, struct zoid_colour colour)
{
    const unsigned char *row = cairo_image_surface_get_data(picture) +
                               (size_t)y * (size_t)cairo_image_surface_get_stride(picture);
    uint32_t pixel;

    memcpy(&pixel, row + 4 * (size_t)x, sizeof pixel);
    return abs((int)(pixel >> 16 & 255) - (int)(255 * colour.red)) < 4 &&
           abs((int)(pixel >> 8 & 255) - (int)(255 * colour.green)) < 4 &&
           abs((int)(pixel & 255) - (int)(255 * colour.blue)) < 4;
}

/* Number of pixels of column x that have the colour. */
static int count(cairo_surface_t *picture, int x, struct zoid_colour colour)
{
    int n = 0;

    for (int y = 0; y < cairo_image_surface_get_height(picture); y++)
        n += shows(picture, x, y, colour);
    return n;
}

/* Ten seconds: 0-4 pass 0, 4-5 starved, 5-6 waiting, 6-10 pass 1; the upload is at 5-6. `parts`
 * splits the blocks, to make the row dense. */
static struct zoid_timeline *known(int parts)
{
    struct zoid_timeline *t = machine(1, 0);
    const struct zoid_timeline_transfer x = {.span = {5, 6}, .from = 0, .to = 1, .bytes = 1e9};

    for (int i = 0; i < 2 * parts; i++) {
        long pass = i / parts;
        double begin = 6.0 * (double)pass + 4.0 * (i % parts) / parts;
        const struct zoid_timeline_block b = {
            .span = {begin, begin + 4.0 / parts}, .worker = 0, .pass = pass, .position = -1};

        must(zoid_timeline_add_block(t, &b));
    }
    must(zoid_timeline_add_request(t, 0, 5));
    must(zoid_timeline_add_transfer(t, &x));
    must(zoid_timeline_finish(t, NULL));
    return t;
}

static void check_known(int parts, const char *name)
{
    struct zoid_timeline *t = known(parts);
    cairo_surface_t *picture = paint(t, name);
    struct zoid_colour first = zoid_gantt_pass_colour(t, 0), second = zoid_gantt_pass_colour(t, 1),
                       upload = zoid_gantt_link_colour(ZOID_LINK_UPLOAD);
    double second_wide = (GANTT_WIDTH - GANTT_LEFT - GANTT_RIGHT) / 10.0;
    int at[10];

    /* Away from the ticks, which are at whole seconds. */
    for (int s = 0; s < 10; s++)
        at[s] = (int)(GANTT_LEFT + (s + 0.7) * second_wide);
    for (int s = 0; s < 10; s++) {
        ck_assert_int_eq(count(picture, at[s], first) > 20, s < 4);
        ck_assert_int_eq(count(picture, at[s], second) > 20, s >= 6);
        ck_assert_int_eq(count(picture, at[s], zoid_colour_waiting) > 20, s == 5);
        ck_assert_int_eq(count(picture, at[s], upload) > 20, s == 5);
        /* Both rows, one or neither; the summary's bars add a few pixels on the left. */
        ck_assert_int_eq(count(picture, at[s], zoid_colour_starved) > 20, s != 5);
        ck_assert_int_eq(count(picture, at[s], zoid_colour_starved) > 60, s == 4);
    }
    cairo_surface_destroy(picture);
    zoid_timeline_destroy(&t);
}

START_TEST(shows_what_happened)
{
    check_known(1, "known");
}
END_TEST

START_TEST(shows_the_same_when_dense)
{
    check_known(20000, "known-dense");
}
END_TEST

/* Ten seconds: one transfer until 4.5, and one queued behind it since 1, with a gap between
 * them. */
START_TEST(tells_queued_transfers_apart)
{
    enum { BETWEEN = GANTT_LEFT + (GANTT_WIDTH - GANTT_LEFT - GANTT_RIGHT) * 45 / 100 };
    const struct zoid_timeline_block b = {.span = {0, 10}, .worker = 0, .pass = 0, .position = 0};
    const struct zoid_timeline_transfer first = {.span = {0, 4.5},
                                                 .from = 0,
                                                 .to = 1,
                                                 .bytes = 1e9},
                                        second = {.span = {1, 9}, .from = 0, .to = 1, .bytes = 1e9};
    struct zoid_colour upload = zoid_gantt_link_colour(ZOID_LINK_UPLOAD);
    struct zoid_timeline *t = machine(1, 0);
    cairo_surface_t *picture;

    must(zoid_timeline_add_block(t, &b));
    must(zoid_timeline_add_transfer(t, &first));
    must(zoid_timeline_add_transfer(t, &second));
    must(zoid_timeline_finish(t, NULL));
    picture = paint(t, "queued");
    ck_assert_int_gt(count(picture, BETWEEN - 2, upload), 20);
    ck_assert_int_eq(count(picture, BETWEEN - 1, upload), 0);
    ck_assert_int_gt(count(picture, BETWEEN + 1, upload), 20);
    cairo_surface_destroy(picture);
    zoid_timeline_destroy(&t);
}
END_TEST

/* Height of the lowest pixel of column x that has the colour, from the top. */
static int lowest(cairo_surface_t *picture, int x, struct zoid_colour colour)
{
    int y = cairo_image_surface_get_height(picture) - 1;

    while (y >= 0 && !shows(picture, x, y, colour))
        y--;
    return y;
}

/* Ten seconds: the border is at a quarter of the planes, and from 5.5 on, where the axis has no
 * tick, at three quarters. */
START_TEST(shows_the_border)
{
    enum { PLOT = GANTT_WIDTH - GANTT_LEFT - GANTT_RIGHT, MOVE = GANTT_LEFT + PLOT * 11 / 20 };
    const struct zoid_timeline_block b = {.span = {0, 10}, .worker = 0, .pass = 0, .position = 0};
    const struct zoid_timeline_border border[] = {
        {0, 0, 40, 160}, {3, 0, 40, 160}, {5.5, 0, 120, 160}};
    const struct zoid_timeline_part parts[] = {{0, "overlapped, block 12, depth 3"},
                                               {1, "leaning, block 8, depth 4"}};
    struct zoid_timeline *t = machine(0, 2);
    cairo_surface_t *alone, *picture;
    int before, after, height;

    must(zoid_timeline_add_block(t, &b));
    must(zoid_timeline_finish(t, NULL));
    alone = paint(t, "no-border");
    for (int i = 0; i < 3; i++)
        must(zoid_timeline_add_border(t, &border[i]));
    for (int i = 0; i < 2; i++)
        must(zoid_timeline_add_part(t, &parts[i]));
    ck_assert_int_eq(zoid_timeline_moves(t, 0), 1);
    picture = paint(t, "border");
    height = cairo_image_surface_get_height(picture) - cairo_image_surface_get_height(alone);
    ck_assert_int_gt(height, 40);
    before = lowest(picture, GANTT_LEFT + PLOT / 3, zoid_colour_busy);
    after = lowest(picture, GANTT_LEFT + PLOT * 2 / 3, zoid_colour_busy);
    ck_assert_int_gt(before - after, height / 3);
    ck_assert_int_eq(lowest(picture, GANTT_LEFT + PLOT * 9 / 20, zoid_colour_busy), before);
    /* The move is a line from one to the other, and a tick; elsewhere nothing is in ink. */
    ck_assert_int_ge(count(picture, MOVE, zoid_colour_busy), (before - after) / 2);
    ck_assert_int_ge(count(picture, MOVE - 1, zoid_colour_ink), 5);
    ck_assert_int_eq(count(picture, MOVE + 20, zoid_colour_ink),
                     count(alone, MOVE + 20, zoid_colour_ink));
    cairo_surface_destroy(alone);
    cairo_surface_destroy(picture);
    zoid_timeline_destroy(&t);
}
END_TEST

/* Each pixel is busy half of its time, so its colour is half way between the two. */
START_TEST(dense_rows_keep_their_share)
{
    struct zoid_timeline *t = machine(0, 1);
    enum { BLOCKS = 200000 };
    struct zoid_colour whole, half;
    cairo_surface_t *picture;

    for (int i = 0; i < BLOCKS; i++) {
        const struct zoid_timeline_block b = {.span = {i, i + 0.5}, .pass = 0, .position = i};

        must(zoid_timeline_add_block(t, &b));
    }
    must(zoid_timeline_finish(t, NULL));
    whole = zoid_gantt_pass_colour(t, 0);
    half = (struct zoid_colour){(whole.red + zoid_colour_starved.red) / 2,
                                (whole.green + zoid_colour_starved.green) / 2,
                                (whole.blue + zoid_colour_starved.blue) / 2};
    picture = paint(t, "half");
    ck_assert_int_gt(count(picture, GANTT_WIDTH / 2 + 7, half), 20);
    cairo_surface_destroy(picture);
    zoid_timeline_destroy(&t);
}
END_TEST

static const struct {
    const char *name;
    int gpus, cores;
    long passes, positions;
    size_t links;
} pictures[] = {
    {"2-workers-50", 0, 2, 5, 10, 0},       {"2-workers-50000", 0, 2, 50, 1000, 0},
    {"64-workers-50", 0, 64, 5, 10, 0},     {"64-workers-50000", 0, 64, 128, 391, 0},
    {"64-mixed-50000", 8, 56, 128, 391, 9}, {"2-gpus-50", 2, 0, 5, 10, 3},
    {"8-gpus-50000", 8, 0, 200, 250, 9},
};

START_TEST(has_every_row)
{
    struct zoid_timeline *t = pipeline(pictures[_i].gpus, pictures[_i].cores, pictures[_i].passes,
                                       pictures[_i].positions);
    cairo_surface_t *picture = paint(t, pictures[_i].name);

    ck_assert_uint_eq(t->workers, (size_t)(pictures[_i].gpus + pictures[_i].cores));
    ck_assert_uint_eq(t->links, pictures[_i].links);
    ck_assert_int_lt(cairo_image_surface_get_height(picture), 1700);
    cairo_surface_destroy(picture);
    zoid_timeline_destroy(&t);
}
END_TEST

/* ---- several ranks ------------------------------------------------------------------------ */

static const struct {
    const char *name;
    int ranks, gpus, cores;
    int most; /* maximal height */
} of_ranks[] = {
    {"3-ranks", 3, 0, 2, 700},
    {"4-ranks-of-2-gpus", 4, 2, 2, 1800},
    {"64-ranks-of-16", 64, 0, 16, 4500},
};

/* All ranks do the same, each by its own clock. */
static struct zoid_timeline *ranks_together(int ranks, int gpus, int cores)
{
    struct zoid_timeline *all;

    must(zoid_timeline_create(&all));
    for (int r = 0; r < ranks; r++) {
        struct zoid_timeline *t = pipeline(gpus, cores, 5, 20);

        for (size_t i = 0; i < t->blocks; i++)
            t->block[i].worker = t->worker[t->block[i].worker].id;
        t->waits = 0; /* waits of a finished timeline cannot be added up */
        t->before = (struct zoid_timeline_mark){.known = true, .trace = 0, .clock = 100};
        must(zoid_timeline_add_rank(all, r, t));
        zoid_timeline_destroy(&t);
    }
    must(zoid_timeline_finish(all, NULL));
    return all;
}

START_TEST(has_the_rows_of_every_rank)
{
    const int ranks = of_ranks[_i].ranks, gpus = of_ranks[_i].gpus, cores = of_ranks[_i].cores;
    struct zoid_timeline *t = ranks_together(ranks, gpus, cores);
    cairo_surface_t *picture = paint(t, of_ranks[_i].name);
    const size_t links = gpus ? (size_t)gpus + 1 : 0;

    ck_assert_int_eq(zoid_timeline_ranks(t), ranks);
    ck_assert_uint_eq(t->workers, (size_t)(ranks * (gpus + cores)));
    ck_assert_uint_eq(t->blocks, (size_t)ranks * 5 * 20);
    ck_assert_uint_eq(t->links, (size_t)ranks * links);
    for (size_t w = 0; w < t->workers; w++)
        ck_assert_int_eq(t->worker[w].rank, (int)w / (gpus + cores));
    for (size_t l = 0; l < t->links; l++) {
        ck_assert_int_eq(t->link[l].rank, (int)(l / links));
        ck_assert_str_eq(t->link[l].name, t->link[l % links].name);
    }
    ck_assert_int_lt(cairo_image_surface_get_height(picture), of_ranks[_i].most);
    cairo_surface_destroy(picture);
    zoid_timeline_destroy(&t);
}
END_TEST

/* Four ranks of eight GPUs, each of which transfers to all others all the time while it computes:
 * few workers, many links. */
START_TEST(many_links_are_seen_beside_few_workers)
{
    enum { RANKS = 4, GPUS = 8, MEMORIES = GPUS + 1, LINKS = RANKS * MEMORIES * GPUS };
    const struct zoid_colour colour[] = {zoid_gantt_link_colour(ZOID_LINK_UPLOAD),
                                         zoid_gantt_link_colour(ZOID_LINK_DOWNLOAD),
                                         zoid_gantt_link_colour(ZOID_LINK_PEER)};
    struct zoid_timeline *t = machine(0, 0);
    cairo_surface_t *picture;
    int seen = 0;

    t->ranks = RANKS;
    for (int i = 0; i < RANKS * GPUS; i++) {
        const int rank = i / GPUS, gpu = i % GPUS, first = rank * ZOID_TIMELINE_IDS;
        const struct zoid_timeline_worker w = {.id = first + gpu,
                                               .rank = rank,
                                               .device = ZOID_DEVICE_GPU,
                                               .number = gpu,
                                               .node = first + gpu + 1};
        const struct zoid_timeline_block b = {.span = {0, 10}, .worker = w.id, .position = -1};

        must(zoid_timeline_add_worker(t, &w));
        must(zoid_timeline_add_block(t, &b));
    }
    for (int i = 0; i < RANKS * MEMORIES * MEMORIES; i++) {
        const int first = i / (MEMORIES * MEMORIES) * ZOID_TIMELINE_IDS;
        const struct zoid_timeline_transfer x = {.span = {0, 10},
                                                 .from = first + i / MEMORIES % MEMORIES,
                                                 .to = first + i % MEMORIES,
                                                 .bytes = 1e9};

        if (x.from != x.to)
            must(zoid_timeline_add_transfer(t, &x));
    }
    must(zoid_timeline_finish(t, NULL));
    ck_assert_uint_eq(t->links, LINKS);
    picture = paint(t, "4-ranks-of-8-gpus");
    for (int c = 0; c < 3; c++)
        seen += count(picture, GANTT_WIDTH / 2 + 7, colour[c]);
    ck_assert_int_ge(seen, 2 * LINKS);
    cairo_surface_destroy(picture);
    zoid_timeline_destroy(&t);
}
END_TEST

START_TEST(refuses_what_it_cannot_write)
{
    struct zoid_timeline *t = known(1);
    const struct zoid_gantt gantt = {.timeline = t, .title = "", .subtitle = ""};

    ck_assert_int_eq(zoid_gantt_svg(&gantt, "/dev/null/x.svg"), ZOID_RESOURCE);
    ck_assert_int_eq(zoid_gantt_png(&gantt, "/dev/null/x.png"), ZOID_RESOURCE);
    ck_assert_int_eq(zoid_gantt_png(&gantt, "/dev/full"), ZOID_RESOURCE);
    ck_assert_int_eq(zoid_gantt_svg(&gantt, "/dev/full"), ZOID_RESOURCE);
    zoid_timeline_destroy(&t);
}
END_TEST

/* A run without steps has no blocks and no duration. */
START_TEST(draws_nothing_at_all)
{
    struct zoid_timeline *t = machine(0, 2);
    cairo_surface_t *picture;

    must(zoid_timeline_finish(t, NULL));
    picture = paint(t, "nothing");
    cairo_surface_destroy(picture);
    zoid_timeline_destroy(&t);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, shows_what_happened);
    tcase_add_test(tests, shows_the_same_when_dense);
    tcase_add_test(tests, tells_queued_transfers_apart);
    tcase_add_test(tests, dense_rows_keep_their_share);
    tcase_add_test(tests, shows_the_border);
    tcase_add_loop_test(tests, has_every_row, 0, sizeof pictures / sizeof *pictures);
    tcase_add_loop_test(tests, has_the_rows_of_every_rank, 0, sizeof of_ranks / sizeof *of_ranks);
    tcase_add_test(tests, many_links_are_seen_beside_few_workers);
    tcase_add_test(tests, refuses_what_it_cannot_write);
    tcase_add_test(tests, draws_nothing_at_all);
}

int main(void)
{
    return run_suite("picture", 60, add);
}
