/* SPDX-License-Identifier: BSD-3-Clause */
/* labels: repeats */
/* The census (graph statistics) of every method against the actual usage of random graphs. */
#include "graphs/cell.h"
#include "graphs/method.h"
#include "tests/effort.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { PARTS = 8, CASES = 150 }; /* PARTS x CASES graphs of each method */

enum { LANES = 9, SLABS = 256 }; /* at most */

/* Actual usage of a graph. */
struct usage {
    struct zoid_sink sink;
    struct zoid_census used; /* rows, cols: one beyond the highest */
    int chain;
    bool open[LANES][SLABS]; /* for the pass that a lane is at: slabs that it has not finished */
};

static void use_view(struct usage *u, const struct zoid_access *a, const struct zoid_view *v)
{
    struct zoid_census_row *row = &u->used.kind[a->datum.kind];

    for (long t = v->t0; t <= v->t1; t++)
        if (v->lo < v->hi)
            row->planes =
                zoid_max(row->planes,
                         v->around ? v->around
                                   : 1 + zoid_view_slot(v, t, v->hi - 1 + v->drift * (t - v->t0)));
}

static int use_access(struct usage *u, const struct zoid_access *a)
{
    struct zoid_census_row *row = &u->used.kind[a->datum.kind];

    row->rows = zoid_max(row->rows, a->datum.row + 1);
    row->cols = zoid_max(row->cols, a->datum.col + 1);
    if (a->mode & ZOID_READ)
        use_view(u, a, &a->in);
    if (a->mode & ZOID_WRITE)
        use_view(u, a, &a->out);
    return 0;
}

static int use_end(struct zoid_sink *self, const struct zoid_access *a)
{
    return use_access((struct usage *)self, a);
}

/* Slabs of a pass between their first and last block. */
static void use_slabs(struct usage *u, const struct zoid_block *b)
{
    bool *open = u->open[b->lane];
    long slabs = 0, own = 0;

    for (size_t i = 0; i < b->naccess; i++)
        if (b->access[i].datum.kind == ZOID_SLAB) {
            open[b->access[i].datum.col] = true;
            own++;
        }
    for (int i = 0; i < SLABS; i++)
        slabs += open[i];
    u->used.open_slabs = zoid_max(u->used.open_slabs, slabs);
    u->used.block_slabs = zoid_max(u->used.block_slabs, own);
    for (size_t i = 0; i < b->naccess; i++)
        if (b->access[i].datum.kind == ZOID_SLAB && b->access[i].next != ZOID_NEXT_SAME)
            open[b->access[i].datum.col] = false;
}

static int use_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct usage *u = (struct usage *)self;
    long coefficients = 0, memory = 0;

    u->used.blocks++;
    u->used.max_access = zoid_max(u->used.max_access, (long)b->naccess);
    for (size_t i = 0; i < b->naccess; i++) {
        coefficients += b->access[i].datum.kind == ZOID_COEFFICIENT;
        memory += b->access[i].datum.kind == ZOID_MEMORY;
    }
    u->used.max_coefficients = zoid_max(u->used.max_coefficients, coefficients);
    u->used.max_memory = zoid_max(u->used.max_memory, memory);
    for (long t = b->zoid.t0 + 1; t < b->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&b->zoid, &b->region, t);

        u->used.box_planes = zoid_max(u->used.box_planes, box.hi[u->chain] - box.lo[u->chain]);
    }
    for (size_t i = 0; i < b->naccess; i++)
        use_access(u, &b->access[i]);
    use_slabs(u, b);
    return 0;
}

static struct zoid_census usage_of(const struct zoid_graph *g)
{
    struct usage u = {.sink = {.load = use_end, .block = use_block, .store = use_end},
                      .chain = zoid_chain(&g->shape)};

    ck_assert_int_eq(zoid_graph_emit(g, &u.sink), 0);
    return u.used;
}

/* Memory is planned from the census, so it must be an upper bound, and a close one. Columns may be
 * unused: the outer edges of the first and the last slab, or a slab that exists only at a drift at
 * which no pass starts. And if parts of a recursion have equal shares of the reuse data, the last
 * part need not be one of the largest. */
static long spare_cols(const struct zoid_graph *g, long cols)
{
    return 2 + (g->method == &zoid_recursive ? cols / 3 : 0);
}

/* Two halos a cell, and the same number of ends (boundary slabs) on either side; some are unused if
 * the stencil is one-sided or borders move. Along the chain axis a halo has only the cell's own
 * planes. */
static bool halo_is_close(const struct zoid_graph *g, int k, const struct zoid_census_row *said,
                          const struct zoid_census_row *used)
{
    const bool line = k == ZOID_HALO && zoid_axis_cut(g, zoid_chain(&g->shape));
    const bool size = said->cols <= used->cols + 4 && said->planes == used->planes;

    return said->rows == 2 * zoid_cells(g) && (size || line);
}

static void check_row(const struct zoid_graph *g, int k, const struct zoid_census_row *said,
                      const struct zoid_census_row *used)
{
    bool bound =
        said->rows >= used->rows && said->cols >= used->cols && said->planes >= used->planes;
    bool close = said->rows == used->rows && said->cols <= used->cols + spare_cols(g, used->cols) &&
                 said->planes == used->planes;
    long lo, hi, n = g->shape.n[zoid_chain(&g->shape)];

    close =
        k == ZOID_HALO || k == ZOID_END ? !used->rows || halo_is_close(g, k, said, used) : close;
    zoid_chain_reach(&g->shape, &lo, &hi);
    /* In a domain within its own reach, passes need less than the bound. */
    ck_assert_msg(bound && (close || lo + hi > n),
                  "%s: kind %d is %ld x %ld x %ld, not %ld x %ld x %ld", case_words(g), k,
                  used->rows, used->cols, used->planes, said->rows, said->cols, said->planes);
}

/* One too many if the domain boundary cuts off the largest block; two if the planes between that
 * block's ends do not all belong to one lap. */
static void check_coefficients(const struct zoid_graph *g, const struct zoid_census *said,
                               const struct zoid_census *used)
{
    long spare = said->max_coefficients - used->max_coefficients;
    bool periodic = zoid_chain_periodic(&g->shape);

    ck_assert_msg(spare >= 0 && spare <= (periodic ? 2 : 1), "%s: %ld coefficients, not %ld",
                  case_words(g), used->max_coefficients, said->max_coefficients);
    ck_assert_msg(periodic || said->max_coefficients <= 9, "%s: %ld coefficients", case_words(g),
                  said->max_coefficients);
}

/* The bound is that of the coefficients of all planes that are read. */
static void check_memory(const struct zoid_graph *g, const struct zoid_census *said,
                         const struct zoid_census *used)
{
    const bool any = zoid_remembers(&g->shape);

    ck_assert_msg(said->max_memory >= used->max_memory && (any || !said->max_memory) &&
                      said->max_memory <= zoid_max(said->kind[ZOID_MEMORY].cols, 0),
                  "%s: %ld pieces of memory, not %ld", case_words(g), used->max_memory,
                  said->max_memory);
}

START_TEST(census_is_what_is_used)
{
    uint64_t seed = (uint64_t)_i << 32 | 1u << 31;

    for (int i = 0; i < effort(CASES); i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i / PARTS]);
        struct zoid_census said, used;
        bool clamped;

        if (case_between(&seed, 0, 1))
            case_cut(&seed, &g);
        g.start = case_start(&seed);
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        zoid_graph_census(&g, &said);
        used = usage_of(&g);
        ck_assert_msg(said.blocks == used.blocks, "%s: %ld blocks, not %ld", case_words(&g),
                      used.blocks, said.blocks);
        ck_assert_msg(said.max_access >= used.max_access && said.box_planes >= used.box_planes,
                      "%s: %ld accesses, %ld planes", case_words(&g), used.max_access,
                      used.box_planes);
        ck_assert_msg(!used.blocks || said.open_slabs == used.open_slabs, "%s: %ld slabs, not %ld",
                      case_words(&g), used.open_slabs, said.open_slabs);
        ck_assert_msg(!used.blocks || (said.block_slabs >= used.block_slabs &&
                                       said.block_slabs <= used.block_slabs + 1),
                      "%s: %ld slabs a block, not %ld", case_words(&g), used.block_slabs,
                      said.block_slabs);
        check_coefficients(&g, &said, &used);
        check_memory(&g, &said, &used);
        for (int k = 0; k < ZOID_KINDS; k++)
            check_row(&g, k, &said.kind[k], &used.kind[k]);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, census_is_what_is_used, 0, case_methods() * PARTS);
}

int main(void)
{
    return run_suite("census", 300, add);
}
