/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of a band matrix on a core. A time is a step, and many of them march behind one another
 * (codelets/march.h), so that a part of the matrix that is in a cache serves all of them:
 *
 *     t + 2    x x x x 2 . . . . . .     each is as many rows behind the one before as the band is
 *     t + 1    x x x x x x 1 . . . .     wide on either side; rows between the first and the last
 *     t        x x x x x x x x x x x     are in the cache, those of all times that are computed
 *     rows  ->
 *
 * Of every few rows the vector that they read is put into one place, where it does not lie so, with
 * zeros beyond the matrix; their sums come next, and what a step makes of these goes to where the
 * block wants it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "codelets/band/band.h"
#include "codelets/device.h"
#include "codelets/march.h"

/* Rows that are computed at once, at most, and at least so many groups. */
enum { ROWS_MOST = 4096, GROUPS_LEAST = 4 };

/* A core at a block. */
struct worker {
    const struct zoid_band *band;
    const struct zoid_band_kernels *kernels;
    const struct zoid_run *run;
    enum zoid_type type;
    size_t size; /* bytes of a value */
    long lower, upper, n;
    long batch; /* rows that are computed at once */
    char *x, *sums,
        *gather; /* for vectors one after the other, for sums likewise, and row by row */
};

/* Some rows of a piece, and the groups that they lie in. */
struct rows {
    long lo, hi;       /* the rows */
    long from, groups; /* the first row of the groups, and how many groups */
    struct zoid_band_piece at;
    const char *piece;
};

static long min(long a, long b)
{
    return zoid_min(a, b);
}

/* ---- x ------------------------------------------------------------------------------------- */

static const struct zoid_segment *segment_of(const struct zoid_sweep *sweep, long row)
{
    for (size_t i = 0; i < sweep->in[0].n; i++)
        if (row >= sweep->in[0].segment[i].lo && row < sweep->in[0].segment[i].hi)
            return &sweep->in[0].segment[i];
    return NULL;
}

/* The first row of any segment beyond one that none has; `end` if there is none before that. */
static long next_segment(const struct zoid_sweep *sweep, long row, long end)
{
    for (size_t i = 0; i < sweep->in[0].n; i++)
        if (sweep->in[0].segment[i].lo > row)
            end = min(end, sweep->in[0].segment[i].lo);
    return end;
}

static const char *value_at(const struct worker *w, const struct zoid_segment *s, int field,
                            long row)
{
    return (const char *)s->base +
           ((size_t)field * s->field + (size_t)((row - s->lo) * w->band->vectors)) * w->size;
}

/* `rows` rows from one on, each vector by itself, vectors `stride` values apart. */
#define SPREAD(type)                                                                              \
    static void spread_##type(const zoid_##type *from, long rows, long vectors, zoid_##type *to,  \
                              long stride)                                                        \
    {                                                                                             \
        for (long v = 0; v < vectors; v++)                                                        \
            for (long i = 0; i < rows; i++)                                                       \
                to[v * stride + i] = from[i * vectors + v];                                       \
    }                                                                                             \
                                                                                                  \
    static void collect_##type(const zoid_##type *from, long rows, long vectors, zoid_##type *to, \
                               long stride)                                                       \
    {                                                                                             \
        for (long i = 0; i < rows; i++)                                                           \
            for (long v = 0; v < vectors; v++)                                                    \
                to[i * vectors + v] = from[v * stride + i];                                       \
    }

SPREAD(f32)
SPREAD(f64)

static void spread(const struct worker *w, const char *from, long rows, char *to, long stride)
{
    if (w->band->vectors == 1)
        memcpy(to, from, (size_t)rows * w->size);
    else if (w->type == ZOID_F32)
        spread_f32((const zoid_f32 *)from, rows, w->band->vectors, (zoid_f32 *)to, stride);
    else
        spread_f64((const zoid_f64 *)from, rows, w->band->vectors, (zoid_f64 *)to, stride);
}

static void clear(const struct worker *w, long rows, char *to, long stride)
{
    for (long v = 0; v < w->band->vectors; v++)
        memset(to + (size_t)(v * stride) * w->size, 0, (size_t)rows * w->size);
}

/* Rows [lo, hi) of x, in the worker's own place, with zeros where none are given: those that the
 * block does not have belong to rows of a group that it does not compute. */
static const char *bring(const struct worker *w, const struct zoid_sweep *sweep, long lo, long hi)
{
    for (long row = lo, end; row < hi; row = end) {
        const struct zoid_segment *s = segment_of(sweep, row);
        char *to = w->x + (size_t)(row - lo) * w->size;

        end = s ? min(s->hi, hi) : next_segment(sweep, row, hi);
        if (s)
            spread(w, value_at(w, s, 0, row), end - row, to, hi - lo);
        else
            clear(w, end - row, to, hi - lo);
    }
    return w->x;
}

/* The same rows where they lie, if one vector lies in one place and rows are whole groups. */
static const char *there(const struct worker *w, const struct zoid_sweep *sweep,
                         const struct rows *r, long lo, long hi)
{
    const struct zoid_segment *s = segment_of(sweep, zoid_max(lo, 0));
    const bool whole = r->lo == r->from && r->hi == r->from + r->groups * w->band->lanes;

    if (w->band->format == ZOID_FORMAT_SELL)
        hi = min(hi, w->n);
    else if (lo < 0)
        return NULL;
    return whole && s && w->band->vectors == 1 && s->hi >= hi ? value_at(w, s, 0, lo) : NULL;
}

/* ---- A x ----------------------------------------------------------------------------------- */

/* Sums of all groups, for each vector by itself; a few groups at a time, so that these are in the
 * nearest cache for all vectors. */
static void multiply(const struct worker *w, const struct zoid_sweep *sweep, const struct rows *r)
{
    const struct zoid_band *b = w->band;
    const long lo = r->from - w->lower, hi = r->from + r->groups * b->lanes + w->upper;
    const char *x = there(w, sweep, r, lo, hi);
    const long skipped = r->from / b->lanes - r->at.first,
               together = b->vectors > 1 ? 4 : r->groups;

    if (!x)
        x = bring(w, sweep, lo, hi);
    for (long g = 0; g < r->groups; g += together)
        for (long v = 0; v < b->vectors; v++) {
            const long row = g * b->lanes;
            struct zoid_band_groups k = {
                .groups = min(together, r->groups - g),
                .diagonals = b->diagonals,
                .values = r->piece + r->at.values,
                .numbers = r->piece + r->at.numbers,
                .wide = b->wide,
                .column = lo,
                .x = x + (size_t)(v * (hi - lo)) * w->size,
                .sums = w->sums + (size_t)(v * r->groups * b->lanes + row) * w->size};

            if (b->format == ZOID_FORMAT_SELL) {
                k.head = (const struct zoid_sell_head *)r->piece + skipped + g;
                w->kernels->sell(&k);
                continue;
            }
            k.values = r->piece + (size_t)((skipped + g) * b->diagonals) * ZOID_LINE;
            k.x = (const char *)k.x + (size_t)row * w->size;
            w->kernels->dia(&k);
        }
}

/* ---- a step -------------------------------------------------------------------------------- */

/* Sums of all rows, all vectors of a row one after the other. */
static const char *row_by_row(const struct worker *w, const struct rows *r)
{
    const long rows = r->groups * w->band->lanes, vectors = w->band->vectors;

    if (vectors == 1)
        return w->sums;
    if (w->type == ZOID_F32)
        collect_f32((zoid_f32 *)w->sums, rows, vectors, (zoid_f32 *)w->gather, rows);
    else
        collect_f64((zoid_f64 *)w->sums, rows, vectors, (zoid_f64 *)w->gather, rows);
    return w->gather;
}

/* Rows [lo, hi), which lie one after the other where they are read and where they go. */
static void finish(const struct worker *w, const struct zoid_sweep *sweep, const struct rows *r,
                   const struct zoid_segment *out, const char *sums)
{
    const struct zoid_band *b = w->band;
    const struct zoid_term *t = zoid_band_term(b, sweep->t);
    const size_t row = (size_t)b->vectors * w->size;

    for (long lo = r->lo, hi; lo < r->hi; lo = hi) {
        const struct zoid_segment *in = segment_of(sweep, lo);
        struct zoid_band_step step = {.term = *t};

        hi = min(in->hi, r->hi);
        step.n = (hi - lo) * b->vectors;
        step.next = (char *)value_at(w, out, 0, lo);
        if (t->a != 0)
            step.sums = sums + (size_t)(lo - r->from) * row;
        if (t->b != 0)
            step.cur = value_at(w, in, 0, lo);
        if (t->c != 0)
            step.prev = value_at(w, in, b->previous, lo);
        if (t->d != 0)
            step.rhs = r->piece + r->at.rhs + (size_t)(lo - r->at.first * b->lanes) * row;
        if (b->sum >= 0) {
            step.sum = value_at(w, in, b->sum, lo);
            step.new_sum = (char *)value_at(w, out, b->sum, lo);
        }
        w->kernels->step(&step);
        if (b->previous >= 0)
            memcpy((char *)value_at(w, out, b->previous, lo), value_at(w, in, 0, lo),
                   (size_t)(hi - lo) * row);
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* The rows from `lo` on that one piece has. */
static struct rows rows_of(const struct worker *w, long lo, long hi)
{
    const struct zoid_part *part = w->run->part;
    struct rows r = {.lo = lo};

    while (!part->coefficient || lo < part->in.lo || lo >= part->in.hi)
        part++;
    r.hi = min(hi, min(part->in.hi, w->n));
    r.from = lo / w->band->lanes * w->band->lanes;
    r.groups = (r.hi - r.from + w->band->lanes - 1) / w->band->lanes;
    r.at = zoid_band_piece_of(w->band, part->in.lo, min(part->in.hi, w->n));
    r.piece = part->base;
    return r;
}

static int sweep_rows(void *self, const struct zoid_sweep *sweep, size_t nout,
                      const struct zoid_segment *out)
{
    const struct worker *w = self;

    for (size_t i = 0; i < nout; i++)
        for (long lo = out[i].lo, hi; lo < out[i].hi; lo = hi) {
            const struct rows r = rows_of(w, lo, min(out[i].hi, lo + w->batch));

            hi = r.hi;
            if (zoid_band_term(w->band, sweep->t)->a != 0)
                multiply(w, sweep, &r);
            finish(w, sweep, &r, &out[i], row_by_row(w, &r));
        }
    return 0;
}

/* ---- a block ------------------------------------------------------------------------------- */

static double bytes_of_row(const struct zoid_op *op)
{
    const long n = zoid_band_of(op)->matrix->about.n;

    return fmax((double)zoid_band_bytes(op, 0, n) / (double)n, 1);
}

/* An eighth of the cache is worth a call, and leaves room for those of other times. */
static long batch_of(const struct zoid_op *op, size_t cache)
{
    const long lanes = zoid_band_of(op)->lanes;
    const long rows = (long)((double)cache / 8 / bytes_of_row(op)) / lanes * lanes;

    return min(zoid_max(rows, GROUPS_LEAST * lanes), ROWS_MOST);
}

/* Times that march in three quarters of a cache. */
static long march_of(const struct zoid_op *op, size_t cache)
{
    const struct zoid_matrix_about *m = &zoid_band_of(op)->matrix->about;
    const double rows = 0.75 * (double)cache / bytes_of_row(op) - (double)batch_of(op, cache);

    return 1 + (long)fmax(fmin(rows / (double)zoid_max(zoid_max(m->lower, m->upper), 1),
                               ZOID_MARCH_MOST - 1),
                          0);
}

/* What all times of a march keep in a half of the scratch beyond a box, which has to be worth it.
 */
static long slack_of(const struct zoid_op *op, long planes)
{
    const struct zoid_matrix_about *m = &zoid_band_of(op)->matrix->about;

    return min((ZOID_MARCH_MOST + 1) * zoid_max(zoid_max(m->lower, m->upper), 1),
               zoid_max(planes, 0));
}

/* Bytes of the worker's own places: x, sums, and sums row by row. */
static size_t own_bytes(const struct zoid_band *b)
{
    const long rows = ROWS_MOST + 2 * b->lanes, x = rows + b->diagonals + b->lanes;
    const size_t bytes = (size_t)((x + 2 * rows) * b->vectors) * zoid_type_size(b->op.type);

    return (bytes + 3 * ZOID_LINE) / ZOID_LINE * ZOID_LINE;
}

static long scratch(const struct zoid_op *op, const struct zoid_shape *shape, long planes)
{
    const struct zoid_band *b = zoid_band_of(op);
    const long bytes = (long)zoid_op_point_bytes(op) * op->nstate;

    return zoid_scratch_planes(shape, planes + slack_of(op, planes), ROWS_MOST) +
           ((long)own_bytes(b) + bytes - 1) / bytes;
}

/* Planes of the box at the busiest time between the first and the last. */
static long tallest(const struct zoid_run *run)
{
    long planes = 0;

    for (long t = run->zoid.t0 + 1; t < run->zoid.t1; t++) {
        const struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        planes = zoid_max(planes, box.hi[0] - box.lo[0]);
    }
    return planes;
}

/* With times that march in so much cache. */
static void run_in(const struct zoid_run *run, const struct zoid_cpu *cpu, size_t cache)
{
    const struct zoid_band *b = zoid_band_of(run->op);
    const bool naive = run->traversal == ZOID_TRAVERSAL_NAIVE;
    const long rows = ROWS_MOST + 2 * b->lanes;
    const size_t row = (size_t)b->vectors * zoid_type_size(run->op->type);
    struct zoid_run mine = *run;
    struct zoid_device device = {
        .batch = batch_of(run->op, cache), .sweep = sweep_rows, .copy = zoid_cpu.copy};
    struct worker w = {.band = b,
                       .kernels =
                           zoid_band_kernels_of(naive ? ZOID_PORTABLE : cpu->isa, run->op->type),
                       .run = run,
                       .type = run->op->type,
                       .size = zoid_type_size(run->op->type),
                       .lower = b->matrix->about.lower,
                       .upper = b->matrix->about.upper,
                       .n = b->matrix->about.n,
                       .batch = device.batch,
                       .x = run->scratch};

    w.sums = w.x + (size_t)(rows + b->diagonals + b->lanes) * row;
    w.gather = w.sums + (size_t)rows * row;
    mine.scratch = w.x + own_bytes(b);
    if (zoid_traversal_fuses(run->traversal)) {
        device.march = march_of(run->op, cache);
        device.slack = slack_of(run->op, tallest(run));
    }
    zoid_run_block(&mine, &device, &w);
}

/* ---- what the planner knows ------------------------------------------------------------------ */

static bool fits(const struct zoid_blocks *blocks)
{
    return blocks->op->coefficient_bytes == zoid_band_bytes;
}

/* Rows of a block that its times go over again come from a cache that has them all, or those
 * between the first and the last of the times that march. What is to be moved beside the matrix is
 * little, and goes to memory. */
static double seconds_in(const struct zoid_blocks *blocks, const struct zoid_pace *pace,
                         size_t cache, double in_cache)
{
    const struct zoid_op *op = blocks->op;
    const double row = bytes_of_row(op), times = fmax(blocks->times, 1);
    const double state = (double)(zoid_op_point_bytes(op) * (size_t)op->nstate);
    double together = 1;

    if (zoid_traversal_fuses(blocks->traversal))
        together = fmin((double)march_of(op, cache), times);
    if (blocks->planes * row < 0.75 * (double)cache)
        together = times;
    together = ceil(times / ceil(times / together));
    return row * (pace->far / together + in_cache * (1 - 1 / together)) +
           2 * state * (pace->near + pace->far / times + pace->far * blocks->handed_on);
}

static double seconds_near(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    return seconds_in(blocks, pace, pace->cpu.cache, pace->in_cache);
}

static double seconds_shared(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    return pace->cpu.share ? seconds_in(blocks, pace, pace->cpu.share, pace->shared) : INFINITY;
}

/* How full the band is, and how many steps a row can take while it is in a cache. */
static void explain(const struct zoid_op *op, const struct zoid_cpu *cpu, char *text, size_t room)
{
    const struct zoid_matrix_about *m = &zoid_band_of(op)->matrix->about;
    const double band = (double)m->n * (double)zoid_band_of(op)->diagonals;
    const long near = march_of(op, cpu->cache), shared = march_of(op, cpu->share);
    char steps[64] = "no two steps go together";

    if (near > 1 || shared > 1)
        snprintf(steps, sizeof steps, "%ld steps go together in a core's cache, %ld in its share",
                 near, zoid_max(near, shared));
    snprintf(text, room, "%ld + 1 + %ld diagonals, %.3g%% full: %s", m->lower, m->upper,
             100 * (double)m->entries / band, steps);
}

static void run_near(const struct zoid_run *run, const struct zoid_cpu *cpu)
{
    run_in(run, cpu, cpu->cache);
}

static void run_shared(const struct zoid_run *run, const struct zoid_cpu *cpu)
{
    run_in(run, cpu, cpu->share);
}

static const struct zoid_block_runner near = {.name = "rows in its cache",
                                              .fits = fits,
                                              .seconds = seconds_near,
                                              .scratch = scratch,
                                              .explain = explain,
                                              .run = run_near};
static const struct zoid_block_runner shared = {.name = "rows in the shared cache",
                                                .fits = fits,
                                                .seconds = seconds_shared,
                                                .scratch = scratch,
                                                .explain = explain,
                                                .run = run_shared};

const struct zoid_block_runner *const zoid_band_runners[] = {&near, &shared, NULL};

extern const struct zoid_band_kernels zoid_band_kernels_portable_f32,
    zoid_band_kernels_portable_f64;
#ifdef __x86_64__
extern const struct zoid_band_kernels zoid_band_kernels_v3_f32, zoid_band_kernels_v3_f64,
    zoid_band_kernels_v4_f32, zoid_band_kernels_v4_f64;
#endif

const struct zoid_band_kernels *zoid_band_kernels_of(enum zoid_isa isa, enum zoid_type type)
{
    static const struct zoid_band_kernels *const kernels[ZOID_ISAS][ZOID_TYPES] = {
#ifdef __x86_64__
        [ZOID_V3] = {&zoid_band_kernels_v3_f32, &zoid_band_kernels_v3_f64},
        [ZOID_V4] = {&zoid_band_kernels_v4_f32, &zoid_band_kernels_v4_f64},
#endif
        [ZOID_PORTABLE] = {&zoid_band_kernels_portable_f32, &zoid_band_kernels_portable_f64}};

    return kernels[isa][type];
}
