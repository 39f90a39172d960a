/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/entries.h"

#include <stdlib.h>
#include <unistd.h>

#include "codelets/band/band.h"
#include "runtime/matrix.h"

static enum zoid_status no_memory(void)
{
    return zoid_fail(ZOID_RESOURCE, "there is no memory for the matrix; it needs 24 bytes for each "
                                    "entry, and 8 for each row");
}

enum zoid_status zoid_entries_add(struct zoid_entries *e, struct zoid_entry entry)
{
    if (e->count == e->room) {
        const size_t room = 2 * e->room + 4096;
        struct zoid_entry *more = realloc(e->entry, room * sizeof *more);

        if (!more)
            return no_memory();
        e->entry = more;
        e->room = room;
    }
    e->entry[e->count++] = entry;
    return ZOID_OK;
}

void zoid_entries_free(struct zoid_entries *e)
{
    free(e->entry);
    *e = (struct zoid_entries){.n = e->n};
}

/* Add up the values of a sorted row that have the same column. Returns the number of those left. */
static int64_t add_up(int64_t count, int32_t *column, double *value)
{
    int64_t n = 0;

    for (int64_t i = 0; i < count; i++)
        if (n && column[n - 1] == column[i]) {
            value[n - 1] += value[i];
        } else {
            column[n] = column[i];
            value[n++] = value[i];
        }
    return n;
}

static bool sorted(int64_t count, const int32_t *column)
{
    for (int64_t i = 1; i < count; i++)
        if (column[i] <= column[i - 1])
            return false;
    return true;
}

/* Sort rows; they move down to close the gaps that sums leave. */
static enum zoid_status tidy(const struct zoid_rows *r, bool sum, struct zoid_twice *twice)
{
    int64_t from = 0, to = 0;

    for (long i = 0; i < r->n; i++) {
        int32_t *column = r->column + from;
        double *value = r->value + from;
        int64_t count = r->start[i + 1] - from;

        from = r->start[i + 1];
        if (!sorted(count, column)) {
            if (!zoid_sort_row(count, column, value))
                return no_memory();
            for (int64_t e = 1; !sum && e < count; e++)
                if (column[e] == column[e - 1]) {
                    *twice = (struct zoid_twice){i, column[e]};
                    return ZOID_OK;
                }
            count = add_up(count, column, value);
        }
        for (int64_t e = 0; e < count && to != column - r->column; e++) {
            r->column[to + e] = column[e];
            r->value[to + e] = value[e];
        }
        to += count;
        r->start[i + 1] = to;
    }
    return ZOID_OK;
}

void zoid_rows_free(struct zoid_rows *r)
{
    free(r->start), free(r->column), free(r->value);
    *r = (struct zoid_rows){.n = r->n};
}

enum zoid_status zoid_rows_matrix(struct zoid_rows *r, bool sum, struct zoid_twice *twice,
                                  struct zoid_matrix **matrix)
{
    enum zoid_status status;

    *twice = (struct zoid_twice){.row = -1};
    status = tidy(r, sum, twice);
    if (status || twice->row >= 0)
        return status;
    status = zoid_matrix_take(r->n, r->start, r->column, r->value, matrix);
    if (!status)
        *r = (struct zoid_rows){.n = r->n};
    return status;
}

/* A line of a file may claim any number of rows. Even an empty one takes memory: its offset, twice,
 * and a value of the vector. */
static enum zoid_status check_rows(long n)
{
    const double each = 2 * sizeof(int64_t) + sizeof(double), unit = 1024.0 * 1024 * 1024;
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    if ((double)n * each <= memory)
        return ZOID_OK;
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "%ld rows take %.3g GiB without their entries, and this machine has %.3g GiB; "
                     "let the file have fewer rows",
                     n, (double)n * each / unit, memory / unit);
}

/* Rows from entries, which keep their order within a row. */
static bool place(const struct zoid_entries *e, struct zoid_rows *r)
{
    r->n = e->n;
    r->start = calloc((size_t)e->n + 2, sizeof *r->start);
    r->column = malloc((e->count + 1) * sizeof *r->column);
    r->value = malloc((e->count + 1) * sizeof *r->value);
    if (!r->start || !r->column || !r->value)
        return false;
    /* One index on, so that a row's start is the index of its next entry until all are there. */
    for (size_t i = 0; i < e->count; i++)
        r->start[e->entry[i].row + 2]++;
    for (long i = 0; i < e->n; i++)
        r->start[i + 2] += r->start[i + 1];
    for (size_t i = 0; i < e->count; i++) {
        const int64_t at = r->start[e->entry[i].row + 1]++;

        r->column[at] = e->entry[i].column;
        r->value[at] = e->entry[i].value;
    }
    return true;
}

enum zoid_status zoid_entries_matrix(struct zoid_entries *e, bool sum, struct zoid_twice *twice,
                                     struct zoid_matrix **matrix)
{
    struct zoid_rows rows = {.start = NULL};
    enum zoid_status status = check_rows(e->n);

    *twice = (struct zoid_twice){.row = -1};
    if (!status && !place(e, &rows))
        status = no_memory();
    zoid_entries_free(e);
    if (!status)
        status = zoid_rows_matrix(&rows, sum, twice, matrix);
    zoid_rows_free(&rows);
    return status;
}
