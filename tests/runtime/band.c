/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/runtime/band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static long min(long a, long b)
{
    return a < b ? a : b;
}

static long max(long a, long b)
{
    return a > b ? a : b;
}

/* ---- the matrix -------------------------------------------------------------------------- */

/* True if row i has an entry in a column: the larger i modulo 7, the sparser the row. */
static bool has(const struct band_matrix *m, long i, long column)
{
    return column >= max(i - m->lower, 0) && column <= min(i + m->upper, m->n - 1) && i % 7 != 6 &&
           (column + 2 * i) % (1 + i % 7) == 0;
}

static double entry(const struct band_matrix *m, long i, long column)
{
    const long hash = (i * 7919 + column * 104729) % 2003;

    return ((double)hash / 1001 - 1) / (double)(1 + (m->lower + m->upper) / 4);
}

/* A piece: offsets of the entries of each row and the end of the last row; then the entries, each
 * with its column. */
struct entry {
    long column;
    double value;
};

static size_t bytes_of(const struct zoid_op *op, long lo, long hi)
{
    const struct band_matrix *m = op->self;

    return (size_t)(hi - lo + 1) * sizeof(long) +
           (size_t)(m->first[hi] - m->first[lo]) * sizeof(struct entry);
}

void band_piece(void *band, long lo, long hi, void *bytes)
{
    const struct band_matrix *m = &((const struct band *)band)->matrix;
    long *first = bytes, n = 0;
    struct entry *at = (struct entry *)(first + (hi - lo) + 1);

    for (long i = lo; i < hi; i++) {
        first[i - lo] = n;
        for (long c = max(i - m->lower, 0); c <= min(i + m->upper, m->n - 1); c++)
            if (has(m, i, c))
                at[n++] = (struct entry){c, entry(m, i, c)};
    }
    first[hi - lo] = n;
}

void band_multiply(const struct band *band, long vectors, const double *x, double *next)
{
    const struct band_matrix *m = &band->matrix;

    for (long i = 0; i < m->n; i++)
        for (long v = 0; v < vectors; v++) {
            double sum = 0;

            for (long c = max(i - m->lower, 0); c <= min(i + m->upper, m->n - 1); c++)
                if (has(m, i, c))
                    sum = fma(entry(m, i, c), x[c * vectors + v], sum);
            next[i * vectors + v] = sum;
        }
}

/* ---- its runner -------------------------------------------------------------------------- */

/* All rows at every time of a block; rows that the block does not have are NaN. */
struct levels {
    const struct zoid_block_args *run;
    long n, vectors;
    double *value;
};

static double *row_of(const struct levels *l, long t, long i)
{
    return l->value + ((t - l->run->zoid.t0) * l->n + i) * l->vectors;
}

static double *slot_of(const struct levels *l, const struct zoid_part *part,
                       const struct zoid_view *view, long t, long i)
{
    const struct zoid_layout *layout = l->run->layout;
    double *plane = (double *)part->base + zoid_view_slot(view, t, i) * layout->plane;

    return layout->dims > 1 ? plane + zoid_layout_at(layout, 0, 0) : plane;
}

static void move(const struct levels *l, bool reads)
{
    for (size_t p = 0; p < l->run->nparts; p++) {
        const struct zoid_part *part = &l->run->part[p];
        const struct zoid_view *view = reads ? &part->in : &part->out;
        const size_t bytes = (size_t)l->vectors * sizeof(double);

        if (part->coefficient || !(reads ? part->reads : part->writes))
            continue;
        for (long t = view->t0; t <= view->t1; t++) {
            const long down = view->drift * (t - view->t0);

            for (long i = max(view->lo + down, 0); i < min(view->hi + down, l->n); i++)
                if (reads)
                    memcpy(row_of(l, t, i), slot_of(l, part, view, t, i), bytes);
                else
                    memcpy(slot_of(l, part, view, t, i), row_of(l, t, i), bytes);
        }
    }
}

/* Entries of a row: *at is set to the first one; returns the end. */
static const struct entry *entries_of(const struct zoid_block_args *run, long i,
                                      const struct entry **at)
{
    for (size_t p = 0; p < run->nparts; p++) {
        const struct zoid_part *part = &run->part[p];
        const long *first = part->base;
        const struct entry *entry;

        if (!part->coefficient || i < part->in.lo || i >= part->in.hi)
            continue;
        entry = (const struct entry *)(first + (part->in.hi - part->in.lo) + 1);
        *at = entry + first[i - part->in.lo];
        return entry + first[i - part->in.lo + 1];
    }
    abort();
}

static void compute(const struct levels *l, long t, long i)
{
    const struct entry *first, *end = entries_of(l->run, i, &first);

    for (long v = 0; v < l->vectors; v++) {
        double sum = 0;

        for (const struct entry *e = first; e < end; e++)
            sum = fma(e->value, row_of(l, t - 1, e->column)[v], sum);
        row_of(l, t, i)[v] = sum;
    }
}

static void run(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    const struct zoid_shape *shape = run->shape;
    const int chain = zoid_chain(shape);
    struct levels l = {
        .run = run, .n = shape->n[chain], .vectors = chain ? shape->n[0] : run->layout->width};
    const long values = l.n * l.vectors * (run->zoid.t1 - run->zoid.t0 + 1);

    (void)cpu;
    l.value = malloc((size_t)values * sizeof *l.value);
    if (!l.value)
        abort();
    for (long i = 0; i < values; i++)
        l.value[i] = NAN;
    move(&l, true);
    for (long t = run->zoid.t0 + 1; t <= run->zoid.t1; t++) {
        const struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        for (long i = box.lo[chain]; i < box.hi[chain]; i++)
            compute(&l, t, i);
    }
    move(&l, false);
    free(l.value);
}

static bool fits(const struct zoid_blocks *blocks)
{
    return blocks->op->coefficient_bytes == bytes_of;
}

/* Every time iterates over the rows of a plane. */
static double seconds(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    const struct band_matrix *m = blocks->op->self;

    return pace->far * (double)bytes_of(blocks->op, 0, m->n) / (double)m->n;
}

static const struct zoid_block_runner runner = {
    .name = "rows", .fits = fits, .seconds = seconds, .run = run};
static const struct zoid_block_runner *const runners[] = {&runner, NULL};

/* ---- the operator ------------------------------------------------------------------------ */

struct band *band_create(const struct band_kind *kind)
{
    struct band *b = calloc(1, sizeof *b);
    const int chain = kind->dims - 1;
    struct zoid_read x = {.field = 0}, rows = {.field = 1};

    if (!b)
        return NULL;
    b->matrix = (struct band_matrix){.n = kind->n, .lower = kind->lower, .upper = kind->upper};
    b->matrix.first = calloc((size_t)kind->n + 1, sizeof *b->matrix.first);
    if (!b->matrix.first) {
        free(b);
        return NULL;
    }
    for (long i = 0; i < kind->n; i++) {
        b->matrix.first[i + 1] = b->matrix.first[i];
        for (long c = max(i - kind->lower, 0); c <= min(i + kind->upper, kind->n - 1); c++)
            b->matrix.first[i + 1] += has(&b->matrix, i, c);
    }
    x.reach.lo[chain] = kind->lower;
    x.reach.hi[chain] = kind->upper;
    snprintf(b->name, sizeof b->name, "band%dd_%ld_%ld_f64", kind->dims, kind->lower, kind->upper);
    b->op = (struct zoid_op){.name = b->name,
                             .family = "band",
                             .dims = kind->dims,
                             .type = ZOID_F64,
                             .nstate = 1,
                             .ncoef = 1,
                             .field = {"x", "rows"},
                             .width = kind->dims > 1 ? 1 : kind->vectors,
                             .coefficient_bytes = bytes_of,
                             .self = &b->matrix,
                             .nstages = 1,
                             .step = 1,
                             .own_edges = true,
                             .stage = {{.nreads = 2, .read = {x, rows}, .writes = 1}},
                             .flops = 2,
                             .bytes = sizeof(struct entry),
                             .runner = runners};
    return b;
}

void band_destroy(struct band **band)
{
    free((*band)->matrix.first);
    free(*band);
    *band = NULL;
}
