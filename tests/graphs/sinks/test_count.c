/* SPDX-License-Identifier: BSD-3-Clause */
/* labels: repeats */
/* Counts of a graph against an oracle that has all of it at once; and the graph's drawing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/graphs/recorder.h"
#include "tests/suite.h"

enum { CASES = 150 };

static long points_of(const struct zoid_block *b)
{
    long points = 0;

    for (long t = b->zoid.t0 + 1; t <= b->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&b->zoid, &b->region, t);

        points += zoid_box_volume(&box);
    }
    return points;
}

static long planes_of(const struct zoid_graph *g, const struct zoid_view *v)
{
    long planes = 0, n = g->shape.n[zoid_chain(&g->shape)];
    bool periodic = zoid_chain_periodic(&g->shape);
    long far = labs(v->drift * (v->t1 - v->t0));

    for (long t = v->t0; t <= v->t1; t++)
        for (long z = periodic ? v->lo - far : 0; z < (periodic ? v->hi + far : n); z++)
            planes += zoid_view_has(v, t, z);
    return planes;
}

static bool same(const struct zoid_datum *a, const struct zoid_datum *b)
{
    return zoid_datum_index(a) == zoid_datum_index(b);
}

/* Critical paths by definition: every block is compared with all blocks before it. */
static void longest_chains(const struct recorder *r, struct zoid_count *want)
{
    long *points = calloc((size_t)r->blocks + 1, sizeof *points);
    long *blocks = calloc((size_t)r->blocks + 1, sizeof *blocks);

    for (long i = 0; i < r->blocks; i++) {
        for (long j = 0; j < i; j++) {
            if (!recorder_conflict(&r->block[j], &r->block[i]))
                continue;
            if (points[i] < points[j])
                points[i] = points[j];
            if (blocks[i] < blocks[j])
                blocks[i] = blocks[j];
        }
        points[i] += points_of(&r->block[i]);
        blocks[i]++;
        if (want->critical_points < points[i])
            want->critical_points = points[i];
        if (want->critical_blocks < blocks[i])
            want->critical_blocks = blocks[i];
    }
    free(points);
    free(blocks);
}

static struct zoid_count brute_force(const struct zoid_graph *g, const struct recorder *r)
{
    struct zoid_count want = {.blocks = r->blocks};

    want.useful = g->steps * g->shape.stages;
    for (int a = 0; a < g->shape.dims; a++)
        want.useful *= g->shape.n[a];
    for (long i = 0; i < r->blocks; i++) {
        const struct zoid_block *b = &r->block[i];

        want.points += points_of(b);
        for (size_t j = 0; j < b->naccess; j++) {
            const struct zoid_access *a = &b->access[j];

            if (a->mode & ZOID_READ)
                want.plane_reads[a->datum.kind] += planes_of(g, &a->in);
            if (a->mode & ZOID_WRITE)
                want.plane_writes[a->datum.kind] += planes_of(g, &a->out);
        }
    }
    want.redundant = want.points - want.useful;
    longest_chains(r, &want);
    return want;
}

static long plane_points(const struct zoid_shape *shape)
{
    long points = 1;

    for (int a = 0; a < zoid_chain(shape); a++)
        points *= shape->n[a];
    return points;
}

/* Makes a line 2-D, with rows of 128 points a cell. */
static void cut_in_cells(struct zoid_graph *g, long cells)
{
    g->shape = (struct zoid_shape){.dims = 2,
                                   .n = {128 * cells, g->shape.n[0], 1},
                                   .stages = 1,
                                   .reach = {{{1, 1, 0}, {1, 1, 0}}}};
    g->cut[0].cells = cells;
}

/* The critical path's share of all work is close to the census's. */
static void check_chain(struct zoid_graph *g, double least, double most)
{
    struct zoid_census census;
    struct zoid_count count;
    double serial;
    bool clamped;

    ck_assert_int_eq(zoid_graph_init(g, &clamped), 0);
    zoid_graph_census(g, &census);
    ck_assert_int_eq(zoid_count_graph(g, &count), 0);
    serial = (double)count.critical_points / (double)count.points;
    ck_assert_msg(census.about.serial > least * serial && census.about.serial < most * serial,
                  "%s: %g of the work in a chain, the census says %g", case_words(g), serial,
                  census.about.serial);
}

/* The census's estimate of the critical path with many lanes. */
START_TEST(longest_chain)
{
    static const long blocks[] = {10, 60, 120}, depths[] = {2, 8};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
            for (long cells = 1; cells <= 8; cells *= 2) {
                struct zoid_graph g = case_line(zoid_methods[_i], 120, blocks[i], depths[d], 32);

                g.lanes = 64;
                g.elastic = true;
                if (cells > 1 && g.method->cells)
                    cut_in_cells(&g, cells);
                check_chain(&g, 0.7, 1.4);
            }
}
END_TEST

/* The same for a recursion whose pieces share their slopes, with one level of leaves and with
 * several. */
START_TEST(chain_of_pieces)
{
    static const struct {
        long n, block, depth, leaf;
    } cut[] = {{4000, 10, 2, 0}, {4000, 5, 16, 40}, {1000, 5, 16, 32}, {1000, 2, 32, 20}};

    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
        for (int run = 0; run < 6; run++) {
            struct zoid_graph g =
                case_line(&zoid_recursive, cut[i].n, cut[i].block, cut[i].depth, cut[i].depth);

            g.lanes = 1 << run / 2;
            g.leaf = cut[i].leaf;
            if (run % 2)
                cut_in_cells(&g, 3);
            check_chain(&g, 0.6, 1.6);
        }
}
END_TEST

START_TEST(counts)
{
    uint64_t seed = (uint64_t)_i << 40;

    for (int i = 0; i < CASES; i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i]);
        struct zoid_count got, want;
        struct zoid_census census;
        struct recorder r;
        double planes;
        bool clamped;

        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        recorder_fill(&r, &g);
        want = brute_force(&g, &r);
        ck_assert_int_eq(zoid_count_graph(&g, &got), 0);
        ck_assert_msg(!memcmp(&got, &want, sizeof got),
                      "%s: %ld blocks %ld points %ld useful %ld redundant, %ld critical points, "
                      "%ld critical blocks, or the planes",
                      case_words(&g), got.blocks, got.points, got.useful, got.redundant,
                      got.critical_points, got.critical_blocks);
        zoid_graph_census(&g, &census);
        planes = (double)got.points / (double)plane_points(&g.shape);
        ck_assert_msg(planes == census.planes, "%s: %g planes, the census says %g", case_words(&g),
                      planes, census.planes);
        ck_assert_msg(got.redundant == 0 || (got.redundant > 0 && case_redundant(&g)), "%s",
                      case_words(&g));
        recorder_free(&r);
    }
}
END_TEST

/* Two faces at each of the slabs - 1 borders between slabs; i times before the end of a pass each
 * face is i reaches outside its slab. */
START_TEST(redundancy_of_overlapped)
{
    for (long depth = 1; depth <= 5; depth++)
        for (long reach = 0; reach <= 3; reach++) {
            struct zoid_graph g = case_line(&zoid_overlapped, 120, 20, depth, 4 * depth);
            struct zoid_count count;
            bool clamped;

            g.shape.dims = 2;
            g.shape.n[0] = 7;
            g.shape.n[1] = 120;
            g.shape.reach[0] = (struct zoid_reach){.lo = {1, reach}, .hi = {1, reach}};
            ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
            ck_assert_int_eq(zoid_count_graph(&g, &count), 0);
            ck_assert_int_eq(count.redundant, 4 * 5 * 2 * reach * (depth * (depth - 1) / 2) * 7);
        }
}
END_TEST

/* The census's number of concurrent blocks if a single pass has all workers. */
START_TEST(blocks_abreast)
{
    for (int lanes = 1; lanes <= 16; lanes *= 2) {
        struct zoid_graph g = case_line(zoid_methods[_i], 4000, 10, 2, 2);
        struct zoid_census census;
        struct zoid_count count;
        bool clamped;
        double abreast;

        g.lanes = lanes;
        g.elastic = true;
        g.steps = g.method->single_step ? 1 : 2;
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        zoid_graph_census(&g, &census);
        ck_assert_int_eq(zoid_count_graph(&g, &count), 0);
        abreast = (double)count.blocks / (double)count.critical_blocks;
        ck_assert_msg(abreast > 0.9 * (double)census.about.abreast &&
                          abreast < 1.1 * (double)census.about.abreast + 1,
                      "%s: %g blocks abreast, not %ld", case_words(&g), abreast,
                      census.about.abreast);
    }
}
END_TEST

static void rotten_census(const struct zoid_graph *g, struct zoid_census *census)
{
    zoid_leaning.census(g, census);
    census->kind[ZOID_REUSE].cols = 0;
}

/* A datum outside the census must not be looked up. */
START_TEST(bad_census)
{
    struct zoid_graph g = case_line(&zoid_leaning, 20, 5, 2, 6);
    struct zoid_method rotten = zoid_leaning;
    struct zoid_count count;
    FILE *out = tmpfile();

    rotten.census = rotten_census;
    g.method = &rotten;
    ck_assert_int_gt(zoid_count_graph(&g, &count), 0);
    ck_assert_int_gt(zoid_dot_graph(&g, out), 0);
    ck_assert_int_eq(errno, EINVAL);
    fclose(out);
}
END_TEST

/* ---- the drawing ------------------------------------------------------------------------- */

static long lines_with(FILE *in, const char *what, const char *but)
{
    char line[512];
    long lines = 0;

    rewind(in);
    while (fgets(line, sizeof line, in))
        lines += strstr(line, what) && !(but && strstr(line, but));
    return lines;
}

/* Number of reads of data that an earlier block wrote. */
static long reads_of_blocks(const struct recorder *r)
{
    long reads = 0;

    for (long i = 0; i < r->blocks; i++)
        for (size_t k = 0; k < r->block[i].naccess; k++) {
            const struct zoid_access *a = &r->block[i].access[k];
            bool found = false;

            for (long j = 0; a->mode & ZOID_READ && !found && j < i; j++)
                for (size_t l = 0; l < r->block[j].naccess; l++)
                    found |= same(&a->datum, &r->block[j].access[l].datum) &&
                             r->block[j].access[l].mode & ZOID_WRITE;
            reads += found;
        }
    return reads;
}

/* Skipped without Graphviz. */
static void ask_graphviz(FILE *dot, const struct recorder *r)
{
    char file[] = "/tmp/zoid-dot-XXXXXX", command[200], line[512];
    int fd = mkstemp(file), c;
    FILE *copy = fdopen(fd, "w"), *plain;
    long nodes = 0;

    rewind(dot);
    while ((c = fgetc(dot)) != EOF)
        fputc(c, copy);
    fclose(copy);
    snprintf(command, sizeof command, "! command -v dot >/dev/null || dot -Tplain %s", file);
    plain = popen(command, "r");
    while (fgets(line, sizeof line, plain))
        nodes += !strncmp(line, "node ", 5);
    ck_assert_int_eq(pclose(plain), 0);
    remove(file);
    ck_assert_msg(nodes == r->blocks || system("command -v dot >/dev/null"), "%ld nodes", nodes);
}

START_TEST(drawing)
{
    struct zoid_graph g = case_line(zoid_methods[_i], 160, 4, 2, 6);
    FILE *dot = tmpfile();
    struct recorder r;
    char first[32];
    bool clamped;

    g.lanes = 2;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    recorder_fill(&r, &g);
    ck_assert_int_eq(zoid_dot_graph(&g, dot), 0);
    rewind(dot);
    ck_assert_ptr_nonnull(fgets(first, sizeof first, dot));
    ck_assert_int_eq(strncmp(first, "digraph ", 8), 0);
    ck_assert_int_eq(lines_with(dot, "label=\"pass ", NULL), r.blocks);
    ck_assert_int_eq(lines_with(dot, " -> ", "dashed"), reads_of_blocks(&r));
    ck_assert_int_gt(lines_with(dot, "dashed", NULL), 0);
    ask_graphviz(dot, &r);
    fclose(dot);
    recorder_free(&r);
}
END_TEST

/* One node and one arrow, verbatim. */
START_TEST(drawing_in_words)
{
    struct zoid_graph g = case_line(&zoid_leaning, 10, 5, 2, 2);
    FILE *dot = tmpfile();

    ck_assert_int_eq(zoid_dot_graph(&g, dot), 0);
    ck_assert_int_eq(lines_with(dot,
                                "subgraph \"pass 0\" { rank=same; b2 [fillcolor=1, label=\"pass 0, "
                                "position 1\\ntimes 0 to 2\\nplanes [5, 10) to [3, 8)\"]; }",
                                NULL),
                     1);
    ck_assert_int_eq(lines_with(dot, "b1 -> b2 [label=\"reuse\"", "dashed"), 1);
    fclose(dot);
}
END_TEST

START_TEST(full_stream)
{
    struct zoid_graph small = case_line(&zoid_leaning, 20, 5, 2, 6);
    struct zoid_graph large = case_line(&zoid_leaning, 20000, 5, 2, 6);
    FILE *full = fopen("/dev/full", "w");

    ck_assert_ptr_nonnull(full);
    /* The small drawing fails when it is flushed, the large one while it is written. */
    ck_assert_int_ne(zoid_dot_graph(&small, full), 0);
    ck_assert_int_eq(errno, ENOSPC);
    clearerr(full);
    ck_assert_int_ne(zoid_dot_graph(&large, full), 0);
    ck_assert_int_eq(errno, ENOSPC);
    fclose(full);
}
END_TEST

static void add(TCase *tests)
{
    const int methods = case_methods();

    tcase_add_loop_test(tests, counts, 0, methods);
    tcase_add_test(tests, redundancy_of_overlapped);
    tcase_add_loop_test(tests, blocks_abreast, 0, methods);
    tcase_add_test(tests, chain_of_pieces);
    tcase_add_loop_test(tests, longest_chain, 0, methods);
    tcase_add_test(tests, bad_census);
    tcase_add_loop_test(tests, drawing, 0, methods);
    tcase_add_test(tests, drawing_in_words);
    tcase_add_test(tests, full_stream);
}

int main(void)
{
    return run_suite("count", 120, add);
}
