/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices from compressed rows, or from a callback that generates rows. */
#include "runtime/matrix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/band/band.h"
#include "runtime/error.h"
#include "runtime/zoid_session.h"

static enum zoid_status no_memory(void)
{
    return zoid_no_memory();
}

/* ---- stored rows --------------------------------------------------------------------------- */

static void own_entries(const void *user, long i, zoid_entry_fn *put, void *into)
{
    const struct zoid_matrix *m = user;

    for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
        put(into, i + m->column[e], m->value[e]);
}

static int64_t column_of(const struct zoid_csr *csr, int64_t e)
{
    return csr->wide ? ((const int64_t *)csr->column)[e] : ((const int32_t *)csr->column)[e];
}

static double value_of(const struct zoid_csr *csr, int64_t e)
{
    return csr->type == ZOID_F32 ? (double)((const zoid_f32 *)csr->value)[e]
                                 : ((const zoid_f64 *)csr->value)[e];
}

/* All starts are checked before any entry is read. */
static enum zoid_status check_starts(const struct zoid_csr *csr)
{
    if (csr->start[0] != 0)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "row 0 of the matrix begins with entry %" PRId64 "; let it be 0",
                         csr->start[0]);
    for (long i = 0; i < csr->n; i++)
        if (csr->start[i + 1] < csr->start[i])
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "row %ld of the matrix ends before it begins; starts ascend", i);
    return ZOID_OK;
}

static enum zoid_status check_columns(const struct zoid_csr *csr, long i)
{
    for (int64_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
        const int64_t column = column_of(csr, e);

        if (column < 0 || column >= csr->n)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "row %ld of the matrix has an entry in column %" PRId64
                             "; columns are 0 to %ld",
                             i, column, csr->n - 1);
        if (column - i > INT32_MAX || column - i < -INT32_MAX)
            return zoid_fail(ZOID_DOES_NOT_FIT,
                             "row %ld of the matrix has an entry 2^31 columns or more from "
                             "the diagonal; reorder the rows",
                             i);
    }
    return ZOID_OK;
}

static enum zoid_status check_csr(const struct zoid_csr *csr)
{
    enum zoid_status status = ZOID_OK;

    if (csr->n < 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a matrix of %ld rows; give at least 1", csr->n);
    if (csr->type != ZOID_F32 && csr->type != ZOID_F64)
        return zoid_fail(ZOID_BAD_ARGUMENT, "values of a matrix have the type f32 or f64");
    status = check_starts(csr);
    for (long i = 0; i < csr->n && !status; i++)
        status = check_columns(csr, i);
    return status;
}

static enum zoid_status copy_rows(const struct zoid_csr *csr, struct zoid_matrix *m)
{
    const size_t entries = (size_t)csr->start[csr->n];

    m->start = malloc(((size_t)csr->n + 1) * sizeof *m->start);
    m->column = malloc((entries + 1) * sizeof *m->column);
    m->value = malloc((entries + 1) * sizeof *m->value);
    if (!m->start || !m->column || !m->value)
        return no_memory();
    memcpy(m->start, csr->start, ((size_t)csr->n + 1) * sizeof *m->start);
    for (long i = 0; i < csr->n; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            m->column[e] = (int32_t)(column_of(csr, e) - i);
            m->value[e] = value_of(csr, e);
        }
        if (!zoid_sort_row(m->start[i + 1] - m->start[i], m->column + m->start[i],
                           m->value + m->start[i]))
            return no_memory();
        for (int64_t e = m->start[i] + 1; e < m->start[i + 1]; e++)
            if (m->column[e] == m->column[e - 1])
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "row %ld of the matrix has column %ld twice; add the two up", i,
                                 i + m->column[e]);
    }
    return ZOID_OK;
}

/* ---- generated rows ------------------------------------------------------------------------ */

/* Statistics of a matrix, collected row by row. */
struct look {
    struct zoid_matrix_about about;
    long row, count, last;
    bool wrong; /* a column out of range, or not after the one before */
};

static void look_at(void *into, long column, double value)
{
    struct look *l = into;

    (void)value;
    l->wrong |= column <= l->last || column >= l->about.n;
    l->last = column;
    l->count++;
    l->about.lower = zoid_max(l->about.lower, l->row - column);
    l->about.upper = zoid_max(l->about.upper, column - l->row);
}

static enum zoid_status look_at_all(struct zoid_matrix *m)
{
    struct look l = {.about = {.n = m->rows.n}};

    for (l.row = 0; l.row < m->rows.n; l.row++) {
        l.count = 0;
        l.last = -1;
        m->rows.entries(m->rows.user, l.row, look_at, &l);
        if (l.wrong)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "row %ld of the matrix has columns that do not ascend, or one beyond "
                             "%ld; give each column once, in order",
                             l.row, m->rows.n - 1);
        l.about.entries += l.count;
        l.about.longest = zoid_max(l.about.longest, l.count);
    }
    m->about = l.about;
    return ZOID_OK;
}

enum zoid_status zoid_matrix_from_rows(const struct zoid_matrix_rows *rows,
                                       struct zoid_matrix **matrix)
{
    struct zoid_matrix *m;
    enum zoid_status status;

    if (rows->n < 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a matrix of %ld rows; give at least 1", rows->n);
    m = calloc(1, sizeof *m);
    if (!m)
        return no_memory();
    m->rows = *rows;
    status = look_at_all(m);
    if (status)
        zoid_matrix_destroy(&m);
    else
        *matrix = m;
    return status;
}

enum zoid_status zoid_matrix_create(const struct zoid_csr *csr, struct zoid_matrix **matrix)
{
    enum zoid_status status = check_csr(csr);
    struct zoid_matrix *m;

    if (status)
        return status;
    m = calloc(1, sizeof *m);
    if (!m)
        return no_memory();
    status = copy_rows(csr, m);
    m->rows = (struct zoid_matrix_rows){.n = csr->n, .entries = own_entries, .user = m};
    if (!status)
        status = look_at_all(m);
    if (status)
        zoid_matrix_destroy(&m);
    else
        *matrix = m;
    return status;
}

enum zoid_status zoid_matrix_take(long n, int64_t *start, int32_t *column, double *value,
                                  struct zoid_matrix **matrix)
{
    struct zoid_matrix *m = calloc(1, sizeof *m);
    enum zoid_status status;

    if (!m)
        return no_memory();
    *m = (struct zoid_matrix){.start = start, .column = column, .value = value};
    m->rows = (struct zoid_matrix_rows){.n = n, .entries = own_entries, .user = m};
    for (long i = 0; i < n; i++)
        for (int64_t e = start[i]; e < start[i + 1]; e++)
            column[e] -= (int32_t)i;
    status = look_at_all(m);
    if (status)
        free(m);
    else
        *matrix = m;
    return status;
}

enum zoid_status zoid_matrix_of(const struct zoid_matrix_rows *rows,
                                const struct zoid_matrix_about *about, void (*release)(void *user),
                                struct zoid_matrix **matrix)
{
    struct zoid_matrix *m = calloc(1, sizeof *m);

    if (!m)
        return no_memory();
    *m = (struct zoid_matrix){.about = *about, .rows = *rows, .release = release};
    *matrix = m;
    return ZOID_OK;
}

void zoid_matrix_destroy(struct zoid_matrix **matrix)
{
    struct zoid_matrix *m = *matrix;

    if (!m)
        return;
    if (m->release)
        m->release((void *)m->rows.user);
    free(m->start);
    free(m->column);
    free(m->value);
    free(m);
    *matrix = NULL;
}

struct zoid_matrix_about zoid_matrix_about(const struct zoid_matrix *matrix)
{
    return matrix->about;
}

void zoid_matrix_row(const struct zoid_matrix *matrix, long i, zoid_entry_fn *put, void *into)
{
    matrix->rows.entries(matrix->rows.user, i, put, into);
}
