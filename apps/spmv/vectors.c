/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/spmv/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- in -------------------------------------------------------------------------------------- */

static enum zoid_type type_of(const struct zoid_vectors *v)
{
    return v->problem->op->type;
}

static size_t row_bytes(const struct zoid_vectors *v)
{
    return zoid_op_point_bytes(v->problem->op);
}

/* Rows [lo, hi) of x, as files number them. */
static void fill_rows(const struct zoid_vectors *v, struct zoid_input *input, long lo, long hi,
                      void *values)
{
    const struct zoid_box box = {{lo, 0, 0}, {hi, 1, 1}};
    const struct zoid_values to = zoid_values_packed(&box, values);
    struct zoid_initial plain = *v->initial;

    plain.state = NULL;
    if (input)
        zoid_input_box(input, 0, &box, &to);
    else
        zoid_initial_box(&plain, 0, &box, &to);
}

/* Rows [lo, hi) of the matrix. */
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

/* ---- out ------------------------------------------------------------------------------------- */

/* Version 1 of NumPy's header: its length is a multiple of 64. */
static enum zoid_status write_header(const struct zoid_vectors *v, zoid_part_fn *part, void *user)
{
    char header[128], text[118];
    const int length = snprintf(
        text, sizeof text, "{'descr': '<f%zu', 'fortran_order': False, 'shape': (%ld, %ld)}",
        zoid_type_size(type_of(v)), v->problem->n[0], zoid_op_width(v->problem->op));

    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(header + 10, text, (size_t)length);
    header[sizeof header - 1] = '\n';
    return part(user, NULL, header, sizeof header);
}

/* A field whose rows come in the order of the matrix. */
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

/* Of all rows at once: vectors are little beside their matrix. */
static enum zoid_status dump_ordered(const struct zoid_vectors *v, const struct zoid_job *job,
                                     int field, zoid_part_fn *part, void *user)
{
    const size_t bytes = (size_t)v->problem->n[0] * row_bytes(v);
    const struct zoid_box all = zoid_problem_planes(v->problem, 0, v->problem->n[0]);
    struct ordered o = {.vectors = v, .rows = malloc(bytes)};
    enum zoid_status status =
        o.rows ? zoid_job_each(job, field, keep, &o)
               : zoid_fail(ZOID_RESOURCE, "there is no memory for the rows of the dump in order");

    if (!status)
        status = part(user, &all, o.rows, bytes);
    free(o.rows);
    return status;
}

enum zoid_status zoid_vectors_dump(const struct zoid_vectors *v, const struct zoid_job *job,
                                   int field, const char *path, zoid_part_fn *part, void *user)
{
    const size_t length = strlen(path);
    enum zoid_status status = ZOID_OK;

    if (length > 4 && !strcmp(path + length - 4, ".npy"))
        status = write_header(v, part, user);
    if (status)
        return status;
    return v->order ? dump_ordered(v, job, field, part, user)
                    : zoid_job_each(job, field, part, user);
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
            return zoid_fail(ZOID_CHECK_FAILED,
                             "row %ld is no finite number any more; take fewer --steps, or scale "
                             "the matrix",
                             v->order ? v->order[row] : row);
    }
    return ZOID_OK;
}

enum zoid_status zoid_vectors_finite(const struct zoid_vectors *v, const struct zoid_job *job,
                                     int field)
{
    return zoid_job_each(job, field, look, (void *)v);
}
