/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/initial.h"
#include "runtime/io/h5.h"

/* ---- in -------------------------------------------------------------------------------------- */

static enum zoid_type type_of(const struct zoid_vectors *v)
{
    return v->problem->op->type;
}

static size_t row_bytes(const struct zoid_vectors *v)
{
    return zoid_op_point_bytes(v->problem->op);
}

void zoid_vectors_show(struct zoid_vectors *v, const char *name)
{
    const long rows = v->problem->n[0], vectors = zoid_op_width(v->problem->op);

    v->line_op = (struct zoid_op){.name = v->problem->op->name,
                                  .family = v->problem->op->family,
                                  .dims = 1,
                                  .type = type_of(v),
                                  .nstate = 1,
                                  .field = {name}};
    v->shown_op = v->line_op;
    v->shown_op.dims = 2;
    v->line = (struct zoid_problem){.op = &v->line_op, .n = {rows, 1, 1}};
    v->shown = (struct zoid_problem){.op = &v->shown_op, .n = {vectors, rows, 1}};
}

/* Number of values in a buffer. */
enum { SOME = 1024 };

/* Reads values [first, first + count) of a file with axes for rows and vectors, or for rows alone.
 */
static void read_some(const struct zoid_vectors *v, struct zoid_input *input, long first,
                      long count, double *values)
{
    const long width = zoid_op_width(v->problem->op);
    const bool line = zoid_input_problem(input) == &v->line;

    for (long done = 0, n; done < count; done += n) {
        const long row = (first + done) / width, column = (first + done) % width;
        struct zoid_box box = {{first + done, 0, 0}, {first + count, 1, 1}};

        n = count - done;
        if (!line) {
            n = width - column < n ? width - column : n;
            box = (struct zoid_box){{column, row, 0}, {column + n, row + 1, 1}};
        }
        zoid_input_read(input, &box, values + done);
    }
}

static enum zoid_status check_values(const struct zoid_vectors *v, const char *path,
                                     struct zoid_input *input)
{
    const long all = v->problem->n[0] * zoid_op_width(v->problem->op);
    double some[SOME];

    for (long first = 0; first < all; first += SOME) {
        const long count = all - first < SOME ? all - first : SOME;

        read_some(v, input, first, count, some);
        for (long i = 0; i < count; i++)
            if (!isfinite(type_of(v) == ZOID_F32 ? (double)(float)some[i] : some[i]))
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "value %ld of %s is no finite number of type %s; correct it",
                                 first + i, path, zoid_type_name(type_of(v)));
    }
    return zoid_input_status(input);
}

enum zoid_status zoid_vectors_open(const struct zoid_vectors *v, const char *path,
                                   struct zoid_input **input)
{
    struct zoid_input_wish wish = {.name = path,
                                   .field = v->line_op.field[0],
                                   .problem = &v->line,
                                   .fixed = true,
                                   .arrays = v->arrays};
    struct zoid_input *in = NULL;
    enum zoid_status status = ZOID_BAD_ARGUMENT;

    if (zoid_op_width(v->problem->op) == 1)
        status = zoid_input_open(&wish, &in);
    wish.problem = &v->shown;
    if (status == ZOID_BAD_ARGUMENT)
        status = zoid_input_open(&wish, &in);
    if (!status)
        status = check_values(v, path, in);
    if (status)
        zoid_input_close(&in);
    else
        *input = in;
    return status;
}

enum zoid_status zoid_vectors_status(const struct zoid_vectors *v)
{
    const enum zoid_status status = v->input ? zoid_input_status(v->input) : ZOID_OK;

    return status || !v->right ? status : zoid_input_status(v->right);
}

/* Writes rows [lo, hi) in the order of files. */
static void fill_rows(const struct zoid_vectors *v, struct zoid_input *input, long lo, long hi,
                      void *values)
{
    const long width = zoid_op_width(v->problem->op), all = (hi - lo) * width;
    const struct zoid_box box = {{lo, 0, 0}, {hi, 1, 1}};
    const struct zoid_values to = zoid_values_packed(&box, values);
    struct zoid_initial plain = *v->initial;
    double some[SOME];

    plain.state = NULL;
    if (!input)
        zoid_initial_box(&plain, 0, &box, &to);
    for (long done = 0; input && done < all; done += SOME) {
        const long count = all - done < SOME ? all - done : SOME;

        read_some(v, input, lo * width + done, count, some);
        zoid_initial_store(type_of(v), some, (size_t)count, (size_t)done, values);
    }
}

/* Writes rows [lo, hi) in the order of the matrix. */
static void fill_ordered(const struct zoid_vectors *v, struct zoid_input *input, long lo, long hi,
                         void *values)
{
    if (!v->order) {
        fill_rows(v, input, lo, hi, values);
        return;
    }
    for (long i = lo; i < hi; i++)
        fill_rows(v, input, v->order[i], v->order[i] + 1,
                  (char *)values + (size_t)(i - lo) * row_bytes(v));
}

static void scale(const struct zoid_vectors *v, size_t count, void *values)
{
    for (size_t i = 0; i < count; i++)
        if (type_of(v) == ZOID_F32)
            ((zoid_f32 *)values)[i] *= (zoid_f32)v->first;
        else
            ((zoid_f64 *)values)[i] *= v->first;
}

void zoid_vectors_box(void *vectors, int field, const struct zoid_box *box,
                      const struct zoid_values *to)
{
    const struct zoid_vectors *v = vectors;
    const struct zoid_op *op = v->problem->op;
    const long rows = box->hi[0] - box->lo[0];
    const bool sum = !strcmp(op->field[field], "sum");

    if (field == 0 || sum)
        fill_ordered(v, v->input, box->lo[0], box->hi[0], to->at);
    else
        memset(to->at, 0, (size_t)rows * row_bytes(v));
    if (sum)
        scale(v, (size_t)(rows * zoid_op_width(op)), to->at);
}

void zoid_vectors_rhs(const void *vectors, long lo, long hi, void *values)
{
    const struct zoid_vectors *v = vectors;
    const long count = (hi - lo) * zoid_op_width(v->problem->op);

    if (v->right) {
        fill_ordered(v, v->right, lo, hi, values);
        return;
    }
    for (long i = 0; i < count; i++)
        if (type_of(v) == ZOID_F32)
            ((zoid_f32 *)values)[i] = (zoid_f32)v->rhs;
        else
            ((zoid_f64 *)values)[i] = v->rhs;
}

enum zoid_status zoid_vectors_sum(const struct zoid_vectors *v, uint64_t *sum)
{
    const long all = v->problem->n[0] * zoid_op_width(v->problem->op);
    uint64_t both[2] = {0};
    double some[SOME];

    for (long first = 0; first < all; first += SOME) {
        const long count = all - first < SOME ? all - first : SOME;

        read_some(v, v->right, first, count, some);
        both[1] = zoid_h5_sum(some, (size_t)count * sizeof *some);
        both[0] = zoid_h5_sum(both, sizeof both);
    }
    *sum = both[0];
    return zoid_input_status(v->right);
}

/* ---- out ------------------------------------------------------------------------------------- */

/* Buffer that reorders a field from the order of the matrix to that of files. */
struct ordered {
    const struct zoid_vectors *vectors;
    char *rows;
};

static enum zoid_status keep(void *user, const struct zoid_box *box, const void *values,
                             size_t bytes)
{
    const struct ordered *o = user;
    const size_t row = row_bytes(o->vectors);

    (void)bytes;
    for (long i = box->lo[0]; i < box->hi[0]; i++)
        memcpy(o->rows + (size_t)o->vectors->order[i] * row,
               (const char *)values + (size_t)(i - box->lo[0]) * row, row);
    return ZOID_OK;
}

/* Reorders all rows at once: vectors are small compared with their matrix. */
enum zoid_status zoid_vectors_each(const struct zoid_vectors *v, const struct zoid_job *job,
                                   int field, zoid_part_fn *part, void *user)
{
    const size_t bytes = (size_t)v->problem->n[0] * row_bytes(v);
    const struct zoid_box all = zoid_problem_planes(v->problem, 0, v->problem->n[0]);
    struct ordered o = {.vectors = v};
    enum zoid_status status;

    if (!v->order)
        return zoid_job_each(job, field, part, user);
    o.rows = malloc(bytes);
    if (!o.rows)
        return zoid_fail(ZOID_RESOURCE, "there is no memory for the rows of the dump in order");
    status = zoid_job_each(job, field, keep, &o);
    if (!status)
        status = part(user, &all, o.rows, bytes);
    free(o.rows);
    return status;
}

/* ---- finite ---------------------------------------------------------------------------------- */

static enum zoid_status look(void *user, const struct zoid_box *box, const void *values,
                             size_t bytes)
{
    const struct zoid_vectors *v = user;
    const size_t count = bytes / zoid_type_size(type_of(v));
    const size_t width = (size_t)zoid_op_width(v->problem->op);

    for (size_t i = 0; i < count; i++) {
        const long row = box->lo[0] + (long)(i / width);

        if (type_of(v) == ZOID_F32 ? !isfinite(((const zoid_f32 *)values)[i])
                                   : !isfinite(((const zoid_f64 *)values)[i]))
            return zoid_fail(
                ZOID_CHECK_FAILED,
                "row %ld is no finite number any more; take fewer {steps}, or scale the matrix",
                v->order ? v->order[row] : row);
    }
    return ZOID_OK;
}

enum zoid_status zoid_vectors_finite(const struct zoid_vectors *v, const struct zoid_job *job,
                                     int field)
{
    return zoid_job_each(job, field, look, (void *)v);
}
