/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of a band matrix on a core. A time is a step, and many of them form a wavefront
 * (codelets/block/wavefront.h), so that a part of the matrix in a cache serves all of them:
 *
 *     t + 2    x x x x 2 . . . . . .     each lags behind the one before by the band's width on
 *     t + 1    x x x x x x 1 . . . .     either side; rows between the first and the last time
 *     t        x x x x x x x x x x x     in progress are in the cache
 *     rows  ->
 *
 * For every batch of rows the input vector is copied to a contiguous buffer, if it is not
 * contiguous already, with zeros beyond the matrix. The kernels compute its sums, and a step
 * combines these and stores the result at its destination. */
#include <string.h>

#include "codelets/band/band.h"
#include "codelets/block/scratch.h"
#include "codelets/cpu/run.h"

/* The state of a core that runs a block. */
struct worker {
    const struct zoid_band *band;
    const struct zoid_band_kernels *kernels;
    const struct zoid_block_args *run;
    enum zoid_type type;
    size_t size; /* bytes per value */
    long lower, upper, n;
    long batch;              /* rows computed together */
    bool far;                /* no time reuses matrix rows that an earlier one loaded */
    char *x, *sums, *gather; /* buffers: vectors one by one, sums likewise, sums row by row */
};

/* Some rows of a piece, and the groups that contain them. */
struct rows {
    long lo, hi;       /* the rows */
    long from, groups; /* first row of the groups, number of groups */
    struct zoid_band_piece at;
    const char *piece;
};

/* ---- x ------------------------------------------------------------------------------------- */

static const struct zoid_segment *segment_of(const struct zoid_sweep *sweep, long row)
{
    for (size_t i = 0; i < sweep->in[0].n; i++)
        if (row >= sweep->in[0].segment[i].lo && row < sweep->in[0].segment[i].hi)
            return &sweep->in[0].segment[i];
    return NULL;
}

/* Returns the first row after `row` that is in a segment; `end` if there is none before. */
static long next_segment(const struct zoid_sweep *sweep, long row, long end)
{
    for (size_t i = 0; i < sweep->in[0].n; i++)
        if (sweep->in[0].segment[i].lo > row)
            end = zoid_min(end, sweep->in[0].segment[i].lo);
    return end;
}

static const char *value_at(const struct worker *w, const struct zoid_segment *s, int field,
                            long row)
{
    return (const char *)s->base +
           ((size_t)field * s->field + (size_t)((row - s->lo) * w->band->vectors)) * w->size;
}

/* Transposes `rows` rows between row-wise storage and separate vectors, `stride` values apart. */
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

/* Copies rows [lo, hi) of x to the worker's buffer, with zeros for rows that the block does not
 * have: they belong to rows of a group that it does not compute. */
static const char *bring(const struct worker *w, const struct zoid_sweep *sweep, long lo, long hi)
{
    for (long row = lo, end; row < hi; row = end) {
        const struct zoid_segment *s = segment_of(sweep, row);
        char *to = w->x + (size_t)(row - lo) * w->size;

        end = s ? zoid_min(s->hi, hi) : next_segment(sweep, row, hi);
        if (s)
            spread(w, value_at(w, s, 0, row), end - row, to, hi - lo);
        else
            clear(w, end - row, to, hi - lo);
    }
    return w->x;
}

static bool whole(const struct worker *w, const struct rows *r)
{
    return r->lo == r->from && r->hi == r->from + r->groups * w->band->lanes;
}

/* Returns the address of the same rows in place, if a single vector is contiguous and rows are
 * whole groups; otherwise NULL. */
static const char *there(const struct worker *w, const struct zoid_sweep *sweep,
                         const struct rows *r, long lo, long hi)
{
    const struct zoid_segment *s = segment_of(sweep, zoid_max(lo, 0));

    if (w->band->format == ZOID_FORMAT_SELL)
        hi = zoid_min(hi, w->n);
    else if (lo < 0)
        return NULL;
    return whole(w, r) && s && w->band->vectors == 1 && s->hi >= hi ? value_at(w, s, 0, lo) : NULL;
}

/* ---- A x ----------------------------------------------------------------------------------- */

/* True if the step is just the sums of whole groups, and `next` does not overlap the x of these
 * sums. x has `rows` rows; NULL: it is in the worker's buffer. */
static bool straight(const struct worker *w, const struct zoid_sweep *sweep, const struct rows *r,
                     const char *next, const char *x, long rows)
{
    const struct zoid_term *t = zoid_band_term(w->band, sweep->t);
    const bool apart =
        !x || next >= x + (size_t)rows * w->size || next + (size_t)(r->hi - r->lo) * w->size <= x;

    return t->a == 1 && t->b == 0 && t->c == 0 && t->d == 0 && w->band->vectors == 1 &&
           w->band->op.nstate == 1 && whole(w, r) && apart;
}

/* Computes the sums of all groups, vector by vector, a few groups at a time so that these stay in
 * the first-level cache for all vectors. Stores them to `next` if they are the step's result;
 * returns their address. */
static char *multiply(const struct worker *w, const struct zoid_sweep *sweep, const struct rows *r,
                      char *next)
{
    const struct zoid_band *b = w->band;
    const long lo = r->from - w->lower, hi = r->from + r->groups * b->lanes + w->upper;
    const char *x = there(w, sweep, r, lo, hi);
    const long skipped = r->from / b->lanes - r->at.first,
               together = b->vectors > 1 ? 4 : r->groups;
    char *sums = straight(w, sweep, r, next, x, hi - lo) ? next : w->sums;

    if (!x)
        x = bring(w, sweep, lo, hi);
    for (long g = 0; g < r->groups; g += together)
        for (long v = 0; v < b->vectors; v++) {
            const long row = g * b->lanes;
            struct zoid_band_groups k = {.groups = zoid_min(together, r->groups - g),
                                         .diagonals = b->diagonals,
                                         .values = r->piece + r->at.values,
                                         .numbers = r->piece + r->at.numbers,
                                         .wide = b->wide,
                                         .far = w->far && v == 0,
                                         .column = lo,
                                         .x = x + (size_t)(v * (hi - lo)) * w->size,
                                         .sums = sums + (size_t)(v * r->groups * b->lanes + row) *
                                                            w->size};

            if (b->format == ZOID_FORMAT_SELL) {
                k.head = (const struct zoid_sell_head *)r->piece + skipped + g;
                w->kernels->sell(&k);
                continue;
            }
            k.values = r->piece + (size_t)((skipped + g) * b->diagonals) * ZOID_LINE;
            k.x = (const char *)k.x + (size_t)row * w->size;
            w->kernels->dia(&k);
        }
    return sums;
}

/* ---- a step -------------------------------------------------------------------------------- */

/* Returns the sums of all rows, all vectors of a row contiguous. */
static const char *row_by_row(const struct worker *w, const struct rows *r, const char *sums)
{
    const long rows = r->groups * w->band->lanes, vectors = w->band->vectors;

    if (vectors == 1)
        return sums;
    if (w->type == ZOID_F32)
        collect_f32((zoid_f32 *)w->sums, rows, vectors, (zoid_f32 *)w->gather, rows);
    else
        collect_f64((zoid_f64 *)w->sums, rows, vectors, (zoid_f64 *)w->gather, rows);
    return w->gather;
}

/* Computes the step for the rows, in ranges that are contiguous in input and output. */
static void finish(const struct worker *w, const struct zoid_sweep *sweep, const struct rows *r,
                   const struct zoid_segment *out, const char *sums)
{
    const struct zoid_band *b = w->band;
    const struct zoid_term *t = zoid_band_term(b, sweep->t);
    const size_t row = (size_t)b->vectors * w->size;

    for (long lo = r->lo, hi; lo < r->hi; lo = hi) {
        const struct zoid_segment *in = segment_of(sweep, lo);
        struct zoid_band_step step = {.term = *t};

        hi = zoid_min(in->hi, r->hi);
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

/* Returns the rows from `lo` on that one piece has. */
static struct rows rows_of(const struct worker *w, long lo, long hi)
{
    const struct zoid_part *part = w->run->part;
    struct rows r = {.lo = lo};

    while (!part->coefficient || lo < part->in.lo || lo >= part->in.hi)
        part++;
    r.hi = zoid_min(hi, zoid_min(part->in.hi, w->n));
    r.from = lo / w->band->lanes * w->band->lanes;
    r.groups = (r.hi - r.from + w->band->lanes - 1) / w->band->lanes;
    r.at = zoid_band_piece_of(w->band, part->in.lo, zoid_min(part->in.hi, w->n));
    r.piece = part->base;
    return r;
}

static int sweep_rows(void *self, const struct zoid_sweep *sweep, size_t nout,
                      const struct zoid_segment *out)
{
    const struct worker *w = self;
    const long lanes = w->band->lanes;

    for (size_t i = 0; i < nout; i++)
        for (long lo = out[i].lo, hi; lo < out[i].hi; lo = hi) {
            const struct rows r =
                rows_of(w, lo, zoid_min(out[i].hi, (lo + w->batch) / lanes * lanes));
            const char *sums = w->sums;

            hi = r.hi;
            if (zoid_band_term(w->band, sweep->t)->a != 0)
                sums = multiply(w, sweep, &r, (char *)value_at(w, &out[i], 0, lo));
            finish(w, sweep, &r, &out[i], row_by_row(w, &r, sums));
        }
    return 0;
}

extern const struct zoid_band_kernels zoid_band_kernels_portable_f32,
    zoid_band_kernels_portable_f64;
#ifdef __x86_64__
extern const struct zoid_band_kernels zoid_band_kernels_v3_f32, zoid_band_kernels_v3_f64,
    zoid_band_kernels_v4_f32, zoid_band_kernels_v4_f64;
#endif

static const struct zoid_band_kernels *kernels_of(enum zoid_isa isa, enum zoid_type type)
{
    static const struct zoid_band_kernels *const kernels[ZOID_ISAS][ZOID_TYPES] = {
#ifdef __x86_64__
        [ZOID_V3] = {&zoid_band_kernels_v3_f32, &zoid_band_kernels_v3_f64},
        [ZOID_V4] = {&zoid_band_kernels_v4_f32, &zoid_band_kernels_v4_f64},
#endif
        [ZOID_PORTABLE] = {&zoid_band_kernels_portable_f32, &zoid_band_kernels_portable_f64}};

    return kernels[isa][type];
}

/* ---- a block ------------------------------------------------------------------------------- */

void zoid_band_run(const struct zoid_block_args *run, const struct zoid_cpu *cpu, size_t cache)
{
    const struct zoid_band *b = zoid_band_of(run->op);
    const bool naive = run->traversal == ZOID_TRAVERSAL_NAIVE;
    const long rows = ZOID_BAND_ROWS_MOST + 2 * b->lanes;
    const size_t row = (size_t)b->vectors * zoid_type_size(run->op->type);
    struct zoid_block_args mine = *run;
    struct zoid_device device = {
        .batch = zoid_band_batch(run->op, cache), .sweep = sweep_rows, .copy = zoid_cpu.copy};
    struct worker w = {.band = b,
                       .kernels = kernels_of(naive ? ZOID_PORTABLE : cpu->isa, run->op->type),
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
    mine.scratch = w.x + zoid_band_own_bytes(b);
    if (zoid_traversal_fuses(run->traversal)) {
        device.wavefront = zoid_band_wavefront(run->op, cache);
        device.slack = zoid_band_slack(run->op, zoid_block_max_planes(run));
    }
    w.far = device.wavefront <= 1 || run->zoid.t1 - run->zoid.t0 == 1;
    zoid_run_block(&mine, &device, &w);
}
