/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/runtime/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/band.h"
#include "runtime/zoid_session.h"
#include "tests/check.h"

/* ---- matrices ------------------------------------------------------------------------------ */

bool matrix_has(const struct kind *k, long i, long j)
{
    return j >= 0 && j < k->n && j >= i - k->lower && j <= i + k->upper &&
           ((i % 7 != 6 && (i * 31 + j * 17) % k->every == 0) ||
            (i == k->n / 2 && (j == i - k->lower || j == i + k->upper)));
}

static double entry(const struct kind *k, long i, long j)
{
    const long hash = (i * 7919 + j * 104729) % 2003;

    return ((double)hash / 1001 - 1) / (double)(1 + (k->lower + k->upper) / (2 * k->every));
}

static void entries(const void *kind, long i, zoid_entry_fn *put, void *into)
{
    const struct kind *k = kind;

    for (long j = i - k->lower; j <= i + k->upper; j++)
        if (matrix_has(k, i, j))
            put(into, j, entry(k, i, j));
}

/* The same as compressed rows, from the last column to the first. */
static struct zoid_matrix *from_csr(const struct kind *k, bool wide)
{
    const size_t room = (size_t)(k->n * (k->lower + k->upper + 1));
    int64_t *start = calloc((size_t)k->n + 1, sizeof *start), *columns = calloc(room, 8);
    int32_t *narrow = (int32_t *)columns;
    double *values = calloc(room, sizeof *values);
    struct zoid_csr csr = {k->n, start, columns, wide, values, ZOID_F64};
    struct zoid_matrix *m;
    int64_t e = 0;

    ck_assert(start && columns && values);
    for (long i = 0; i < k->n; i++) {
        for (long j = i + k->upper; j >= i - k->lower; j--)
            if (matrix_has(k, i, j)) {
                if (wide)
                    columns[e] = j;
                else
                    narrow[e] = (int32_t)j;
                values[e++] = entry(k, i, j);
            }
        start[i + 1] = e;
    }
    ck_assert_msg(!zoid_matrix_create(&csr, &m), "%s", zoid_error());
    free(start), free(columns), free(values);
    return m;
}

/* ---- the plain loop ------------------------------------------------------------------------ */

const struct zoid_term matrix_terms[MATRIX_TERMS] = {{.a = 1.25, .b = -0.5, .s = 0.75},
                                                     {.a = -0.5, .b = 0.375, .c = -1, .s = -2},
                                                     {.a = 1, .d = 0.5},
                                                     {.b = 0.1, .c = 0.3, .d = 0.7, .s = 0.1},
                                                     {.a = 0.7}};

static double rounded(const struct kind *k, double value)
{
    return k->type == ZOID_F32 ? (double)(float)value : value;
}

static double fused(const struct kind *k, double a, double b, double c)
{
    return k->type == ZOID_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

static double initial(const struct kind *k, int field, long i)
{
    return rounded(k, sin((double)(i * 3 + field) + 0.5));
}

static double rhs(const struct kind *k, long i)
{
    return rounded(k, cos((double)i));
}

static void more(const struct kind *k, double factor, double value, bool *any, double *next)
{
    if (factor != 0)
        *next = *any ? fused(k, rounded(k, factor), value, *next)
                     : rounded(k, rounded(k, factor) * value);
    *any |= factor != 0;
}

void matrix_step(const struct kind *k, const struct zoid_term *t, bool all,
                 const struct state *from, struct state *to)
{
    for (long i = 0; i < k->n; i++)
        for (long v = 0; v < k->vectors; v++) {
            const long at = i * k->vectors + v;
            double row = 0, next = 0;
            bool any = false;

            for (long j = i - k->lower; j <= i + k->upper; j++)
                if (matrix_has(k, i, j))
                    row = fused(k, rounded(k, entry(k, i, j)), from->x[j * k->vectors + v], row);
            more(k, t->d, rhs(k, at), &any, &next);
            more(k, t->c, from->previous[at], &any, &next);
            more(k, t->b, from->x[at], &any, &next);
            more(k, t->a, row, &any, &next);
            to->x[at] = next;
            to->previous[at] = from->x[at];
            to->sum[at] =
                all && t->s != 0 ? fused(k, rounded(k, t->s), next, from->sum[at]) : from->sum[at];
        }
}

static struct state state_of(const struct kind *k)
{
    const size_t values = (size_t)(k->n * k->vectors);
    struct state s = {calloc(values, 8), calloc(values, 8), calloc(values, 8)};

    ck_assert(s.x && s.previous && s.sum);
    for (size_t i = 0; i < values; i++) {
        s.x[i] = initial(k, 0, (long)i);
        s.previous[i] = initial(k, 1, (long)i);
        s.sum[i] = initial(k, 2, (long)i);
    }
    return s;
}

static void state_free(struct state *s)
{
    free(s->x), free(s->previous), free(s->sum);
}

/* ---- a case -------------------------------------------------------------------------------- */

static void fill_rhs(const void *kind, long lo, long hi, void *values)
{
    const struct kind *k = kind;

    for (long i = lo * k->vectors; i < hi * k->vectors; i++)
        if (k->type == ZOID_F32)
            ((float *)values)[i - lo * k->vectors] = (float)rhs(k, i);
        else
            ((double *)values)[i - lo * k->vectors] = rhs(k, i);
}

struct sample matrix_sample(const struct kind *k, enum zoid_format format, bool all)
{
    static const struct zoid_term power = {.a = 1};
    struct sample s = {.kind = k, .all = all};
    const struct zoid_matrix_rows rows = {k->n, entries, k};
    struct zoid_band_options options = {
        .type = k->type, .format = format, .vectors = k->vectors, .previous = all, .sum = all};

    if (format == ZOID_FORMAT_DIA)
        s.matrix = from_csr(k, all);
    else
        ck_assert(!zoid_matrix_from_rows(&rows, &s.matrix));
    options.matrix = s.matrix;
    if (all)
        options.rhs = fill_rhs, options.rhs_user = k;
    ck_assert_msg(!zoid_band_create(&options, &s.band), "%s", zoid_error());
    if (all)
        ck_assert(!zoid_band_set_terms(s.band, 0, matrix_terms, MATRIX_TERMS));
    s.problem =
        (struct zoid_problem){.op = zoid_band_op(s.band), .n = {k->n, 1, 1}, .steps = MATRIX_STEPS};
    for (int t = 0; t <= MATRIX_STEPS; t++)
        s.state[t] = state_of(k);
    for (int t = 0; t < MATRIX_STEPS; t++)
        matrix_step(k, all ? &matrix_terms[t < MATRIX_TERMS ? t : MATRIX_TERMS - 1] : &power, all,
                    &s.state[t], &s.state[t + 1]);
    return s;
}

void matrix_sample_free(struct sample *s)
{
    for (int t = 0; t <= MATRIX_STEPS; t++)
        state_free(&s->state[t]);
    zoid_band_destroy(&s->band);
    zoid_matrix_destroy(&s->matrix);
}

void matrix_fill(void *kind, int field, const struct zoid_box *box, const struct zoid_values *to)
{
    const struct kind *k = kind;

    for (long i = box->lo[0] * k->vectors; i < box->hi[0] * k->vectors; i++)
        if (k->type == ZOID_F32)
            ((float *)to->at)[i - box->lo[0] * k->vectors] = (float)initial(k, field, i);
        else
            ((double *)to->at)[i - box->lo[0] * k->vectors] = initial(k, field, i);
}

void matrix_compare(const struct zoid_job *job, const struct sample *s, const char *words)
{
    const struct kind *k = s->kind;
    const struct state *should = &s->state[zoid_job_steps(job)];
    const double *const want[] = {should->x, should->previous, should->sum};
    const struct zoid_box box = zoid_problem_planes(&s->problem, 0, k->n);
    const size_t values = (size_t)(k->n * k->vectors);
    double *is = calloc(values, sizeof *is);

    ck_assert_ptr_nonnull(is);
    for (int f = 0; f < s->problem.op->nstate; f++) {
        const struct zoid_values to = zoid_values_packed(&box, is);

        ck_assert_msg(!zoid_job_read(job, f, &box, &to), "%s", zoid_error());
        for (size_t i = 0; i < values; i++) {
            const double value = k->type == ZOID_F32 ? (double)((float *)is)[i] : is[i];

            ck_assert_msg(!memcmp(&value, &want[f][i], sizeof value),
                          "%s %s, %s: value %zu of %s after %ld steps is %a, not %a",
                          s->problem.op->name, zoid_format_name(zoid_band_format(s->band)), words,
                          i, s->problem.op->field[f], zoid_job_steps(job), value, want[f][i]);
        }
    }
    free(is);
}

void matrix_run(struct zoid_context *context, const struct zoid_plan *plan, struct sample *s)
{
    struct zoid_initial start = {
        .problem = &s->problem, .state = matrix_fill, .of = (void *)s->kind};
    struct zoid_report report = {.op = NULL};
    struct zoid_job *job;
    char words[256];

    snprintf(words, sizeof words, "%s, %ld rows, %ld steps", plan->graph.method->name,
             plan->graph.block, plan->graph.depth);
    ck_assert_msg(!zoid_job_create(context, plan, &job), "%s", zoid_error());
    ck_assert_msg(!zoid_job_fill(job, zoid_initial_box, &start), "%s", zoid_error());
    ck_assert_msg(!zoid_band_fill(s->band, job), "%s", zoid_error());
    ck_assert_msg(!zoid_job_run(job, false, &report), "%s", zoid_error());
    matrix_compare(job, s, words);
    ck_assert_msg(!zoid_check(job, &start), "%s", zoid_error());
    zoid_job_destroy(&job);
}
