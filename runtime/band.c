/* SPDX-License-Identifier: BSD-3-Clause */
/* A band matrix as the operator of a job. */
#include <stdlib.h>
#include <string.h>

#include "codelets/band/band.h"
#include "codelets/band/cuda.h"
#include "runtime/band.h"
#include "runtime/error.h"
#include "runtime/zoid_advanced.h"

enum { VECTORS_MOST = 1 << 16 };

/* ---- the format ---------------------------------------------------------------------------- */

static const char *const format_names[ZOID_FORMATS] = {
    [ZOID_FORMAT_AUTO] = "auto", [ZOID_FORMAT_DIA] = "dia", [ZOID_FORMAT_SELL] = "sell"};

const char *zoid_format_name(enum zoid_format format)
{
    return format_names[format];
}

/* Choose the format with fewer bytes; an entry of SELL stores an index besides its value. */
static enum zoid_format choose(const struct zoid_matrix_about *m, enum zoid_type type)
{
    const double size = (double)zoid_type_size(type);
    const double dia = (double)m->n * (double)(m->lower + 1 + m->upper) * size;

    return (double)m->entries * (size + 2) > dia ? ZOID_FORMAT_DIA : ZOID_FORMAT_SELL;
}

/* More than any machine can address. */
static enum zoid_status check_dia(const struct zoid_matrix_about *m)
{
    if ((double)m->n * (double)(m->lower + 1 + m->upper) < 0x1p54)
        return ZOID_OK;
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "the diagonals of a matrix of %ld rows with a band of %ld below the diagonal "
                     "and %ld above are more than any memory holds; choose the format sell",
                     m->n, m->lower, m->upper);
}

static enum zoid_status set_format(struct zoid_band *b, enum zoid_format format)
{
    const struct zoid_matrix_about *m = &b->matrix->about;

    b->format = format == ZOID_FORMAT_AUTO ? choose(m, b->op.type) : format;
    if (b->format == ZOID_FORMAT_DIA)
        return check_dia(m);
    b->wide = m->lower + m->upper + b->lanes >= ZOID_SELL_NONE_16;
    return zoid_band_count(b) ? ZOID_OK : zoid_no_memory();
}

/* ---- the operator -------------------------------------------------------------------------- */

static void make_op(struct zoid_band *b, enum zoid_type type)
{
    const struct zoid_matrix_about *m = &b->matrix->about;
    const int nstate = 1 + (b->previous >= 0) + (b->sum >= 0);
    struct zoid_stage stage = {
        .nreads = 2,
        .read = {{.field = 0, .reach = {.lo = {m->lower}, .hi = {m->upper}}}, {.field = nstate}},
        .writes = (1u << nstate) - 1};

    snprintf(b->name, sizeof b->name, "band_%ld_%ld_%s", m->lower, m->upper, zoid_type_name(type));
    b->op = (struct zoid_op){.name = b->name,
                             .family = "band",
                             .dims = 1,
                             .type = type,
                             .nstate = nstate,
                             .ncoef = 1,
                             .field = {"x"},
                             .width = b->vectors,
                             .coefficient_bytes = zoid_band_bytes,
                             .self = b,
                             .nstages = 1,
                             .step = 1,
                             .own_edges = true,
                             .flops = 2 * (double)m->entries / (double)m->n * (double)b->vectors,
                             .runner = zoid_band_runners,
                             .reference = zoid_band_loop};
    b->op.stage[0] = stage;
    if (b->previous >= 0)
        b->op.field[b->previous] = "previous";
    if (b->sum >= 0)
        b->op.field[b->sum] = "sum";
    b->op.field[nstate] = "rows";
}

static enum zoid_status check_options(const struct zoid_band_options *o)
{
    if (o->type != ZOID_F32 && o->type != ZOID_F64)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a band matrix has values of type f32 or f64");
    if (o->format < 0 || o->format >= ZOID_FORMATS)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a band matrix is in the format auto, dia or sell");
    if (o->vectors < 0 || o->vectors > VECTORS_MOST)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%ld vectors; give 1 to %d", o->vectors, VECTORS_MOST);
    return ZOID_OK;
}

enum zoid_status zoid_band_create(const struct zoid_band_options *o, struct zoid_band **band)
{
    static const struct zoid_term power = {.a = 1};
    enum zoid_status status = check_options(o);
    struct zoid_band *b;

    if (status)
        return status;
    b = calloc(1, sizeof *b);
    if (!b)
        return zoid_no_memory();
    *b = (struct zoid_band){.matrix = o->matrix,
                            .lanes = ZOID_LINE / (long)zoid_type_size(o->type),
                            .diagonals = o->matrix->about.lower + 1 + o->matrix->about.upper,
                            .vectors = o->vectors ? o->vectors : 1,
                            .previous = o->previous ? 1 : -1,
                            .sum = o->sum ? 1 + o->previous : -1,
                            .rhs = o->rhs,
                            .rhs_user = o->rhs_user};
    make_op(b, o->type);
    status = set_format(b, o->format);
    if (!status && zoid_cuda_band) {
        b->kernels = zoid_cuda_band_kernels(b);
        b->op.kernels = &b->kernels;
        b->op.cuda = zoid_cuda_band;
    }
    if (!status)
        b->op.bytes =
            (double)zoid_band_bytes(&b->op, 0, o->matrix->about.n) / (double)o->matrix->about.n +
            2 * (double)(zoid_op_point_bytes(&b->op) * (size_t)b->op.nstate);
    if (!status)
        status = zoid_band_set_terms(b, 0, &power, 1);
    if (status)
        zoid_band_destroy(&b);
    else
        *band = b;
    return status;
}

void zoid_band_destroy(struct zoid_band **band)
{
    struct zoid_band *b = *band;

    if (!b)
        return;
    free(b->before);
    free(b->term);
    free(b);
    *band = NULL;
}

/* Return the feature that a term needs and the band lacks; NULL: no such feature. */
static const char *lacking(const struct zoid_band *b, const struct zoid_term *t)
{
    if (t->c != 0 && b->previous < 0)
        return "the vector before, and the band was made without; make it with `previous`";
    if (t->d != 0 && !b->rhs)
        return "a right-hand side, and the band was made without; make it with `rhs`";
    if (t->s != 0 && b->sum < 0)
        return "a sum, and the band was made without; make it with `sum`";
    return NULL;
}

enum zoid_status zoid_band_set_terms(struct zoid_band *b, long start, const struct zoid_term *term,
                                     long terms)
{
    struct zoid_term *copy;

    if (terms < 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a polynomial of no terms; give at least 1");
    for (long i = 0; i < terms; i++)
        if (lacking(b, &term[i]))
            return zoid_fail(ZOID_BAD_ARGUMENT, "term %ld takes %s", i, lacking(b, &term[i]));
    copy = malloc((size_t)terms * sizeof *copy);
    if (!copy)
        return zoid_no_memory();
    memcpy(copy, term, (size_t)terms * sizeof *copy);
    free(b->term);
    b->term = copy;
    b->terms = terms;
    b->start = start;
    return ZOID_OK;
}

const struct zoid_op *zoid_band_op(const struct zoid_band *band)
{
    return &band->op;
}

enum zoid_format zoid_band_format(const struct zoid_band *band)
{
    return band->format;
}

enum zoid_status zoid_band_fill(const struct zoid_band *band, struct zoid_job *job)
{
    return zoid_job_fill_pieces(job, zoid_band_write, (void *)band);
}
