/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/run_tables.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/op/traits.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/number.h"
#include "runtime/session/points_list.h"
#include "runtime/session/session.h"

/* Name of a table in checkpoints. */
static void stored_name(const struct zoid_op *op, int i, char name[96])
{
    snprintf(name, 96, "table.%s", op->table[i].name);
}

static enum zoid_status no_table(const struct zoid_op *op, const char *text)
{
    char list[300] = "";
    size_t n = 0;

    for (int i = 0; i < op->ntables && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", op->table[i].name);
    return zoid_fail(ZOID_BAD_ARGUMENT, "{table=%s}: %s has no such table; it has %s", text,
                     op->family, *list ? list : "none");
}

/* Returns the index of the table that NAME=VALUES names; -1: unknown. */
static int find(const struct zoid_op *op, const char *text)
{
    char name[96];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    return zoid_op_table(op, name);
}

/* ---- values -------------------------------------------------------------------------------- */

static enum zoid_status copy_values(struct zoid_run_tables *t, int i, long n, const double *values)
{
    t->value[i] = malloc((size_t)n * sizeof *values);
    if (!t->value[i])
        return zoid_no_memory();
    memcpy(t->value[i], values, (size_t)n * sizeof *values);
    t->n[i] = n;
    return ZOID_OK;
}

enum zoid_status zoid_run_numbers(const char *key, const struct zoid_array_view *view, long *n,
                                  double **values)
{
    const struct zoid_element *e = &view->element;

    if (view->axes != 1 || view->n[0] < 1 || view->device >= 0 || e->kind != 'f' || e->big ||
        (e->size != 4 && e->size != 8))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s}: the array %s is no line of f4 or f8 values in main memory, in "
                         "this machine's byte order; give a number for each step",
                         key, view->name);
    *values = malloc((size_t)view->n[0] * sizeof **values);
    if (!*values)
        return zoid_no_memory();
    *n = view->n[0];
    for (long k = 0; k < view->n[0]; k++) {
        const char *at = view->at + k * view->stride[0];
        float single;

        if (e->size == sizeof single) {
            memcpy(&single, at, sizeof single);
            (*values)[k] = (double)single;
        } else {
            memcpy(*values + k, at, sizeof(double));
        }
    }
    return ZOID_OK;
}

static enum zoid_status take_file(struct zoid_run_tables *t, int i, const char *path)
{
    long n[2];
    double *values;
    enum zoid_status status = zoid_point_numbers(path, n, &values);

    if (status)
        return status;
    if (n[1] != 1 || n[0] < 1) {
        free(values);
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{table}: %s has %ld x %ld values; a table takes one for each step", path,
                         n[0], n[1]);
    }
    t->value[i] = values;
    t->n[i] = n[0];
    return ZOID_OK;
}

static bool is_number(const char *text)
{
    char *end;

    strtod(text, &end);
    return end != text && !*end;
}

/* Takes NAME=VALUES. A later one replaces an earlier one. */
static enum zoid_status take(struct zoid_session *s, const char *text)
{
    struct zoid_run_tables *t = &s->tables;
    const int i = find(s->problem.op, text);
    const char *from = text + strcspn(text, "=") + 1;
    const struct zoid_array_view *view = zoid_array_view_find(&s->arrays, from);
    double number;
    enum zoid_status status;

    if (i < 0)
        return no_table(s->problem.op, text);
    free(t->value[i]);
    t->value[i] = NULL;
    t->n[i] = 0;
    if (view)
        return zoid_run_numbers("table", view, &t->n[i], &t->value[i]);
    if (!is_number(from))
        return take_file(t, i, from);
    status = zoid_number_real("table", from, &number);
    return status ? status : copy_values(t, i, 1, &number);
}

static enum zoid_status take_stored(struct zoid_session *s, int i)
{
    const struct zoid_stored_table *then = NULL;
    char name[96];

    stored_name(s->problem.op, i, name);
    if (s->restart.then)
        then = zoid_stored_find_table(s->restart.then, name);
    return then && then->rows > 0 && then->columns == 1
               ? copy_values(&s->tables, i, then->rows, then->number)
               : ZOID_OK;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Makes rows as long as the longest table; the others go on with their last value. */
static enum zoid_status make_rows(struct zoid_run_tables *t, const struct zoid_op *op,
                                  struct zoid_params *params)
{
    long rows = 0;

    for (int i = 0; i < op->ntables; i++) {
        if (t->n[i] == 1)
            params->table[i] = t->value[i][0];
        rows = t->n[i] > rows ? t->n[i] : rows;
    }
    if (rows < 2)
        return ZOID_OK;
    t->row = malloc((size_t)rows * (size_t)op->ntables * sizeof *t->row);
    if (!t->row)
        return zoid_no_memory();
    for (long r = 0; r < rows; r++)
        for (int i = 0; i < op->ntables; i++)
            t->row[r * op->ntables + i] = t->n[i] < 1   ? params->table[i]
                                          : r < t->n[i] ? t->value[i][r]
                                                        : t->value[i][t->n[i] - 1];
    params->row = t->row;
    params->rows = rows;
    return ZOID_OK;
}

static enum zoid_status open_all(struct zoid_session *s)
{
    const struct zoid_setting_texts *given = &s->settings.table;
    const struct zoid_op *op = s->problem.op;
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < given->n && !status; i++)
        status = take(s, given->text[i]);
    for (int i = 0; i < op->ntables && !status; i++)
        if (!s->tables.n[i])
            status = take_stored(s, i);
    return status ? status : make_rows(&s->tables, op, &s->problem.params);
}

enum zoid_status zoid_run_tables_open(struct zoid_session *s)
{
    return s->settings.table.n || s->problem.op->ntables ? zoid_ranks_agree(open_all(s)) : ZOID_OK;
}

void zoid_run_tables_close(struct zoid_run_tables *t)
{
    for (int i = 0; i < ZOID_MAX_TABLES; i++)
        free(t->value[i]);
    free(t->row);
    *t = (struct zoid_run_tables){.row = NULL};
}

enum zoid_status zoid_run_tables_store(const struct zoid_run_tables *t, const struct zoid_op *op,
                                       struct zoid_stored *stored)
{
    enum zoid_status status = ZOID_OK;
    char name[96];

    for (int i = 0; i < op->ntables && !status; i++) {
        stored_name(op, i, name);
        if (t->n[i])
            status = zoid_stored_add_table(stored, name, t->n[i], 1, t->value[i]);
    }
    return status;
}
