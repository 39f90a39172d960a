/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/output/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/io/file_format.h"
#include "runtime/io/h5.h"
#include "runtime/io/npy.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/output/finite.h"

struct zoid_dump {
    const struct zoid_problem *problem;
    enum zoid_file_format format;
    char *path;
    struct zoid_output *output;
    long offset[ZOID_MAX_FIELDS]; /* of HDF5's datasets */
};

static enum zoid_status cannot_write(const struct zoid_dump *d)
{
    return zoid_fail(ZOID_RESOURCE, "cannot write the dump %s: %s; make room or name another file",
                     d->path, strerror(errno));
}

/* ---- HDF5 -------------------------------------------------------------------------------- */

static enum zoid_status add_field(const struct zoid_dump *d, struct zoid_h5 *file, int field,
                                  const double *h, long *offset)
{
    const struct zoid_problem *p = d->problem;
    const int dims = p->op->dims;
    struct zoid_h5_dataset set = {
        .name = p->op->field[field], .axes = dims, .element = zoid_element_of(p->op->type)};
    enum zoid_status status;

    for (int a = 0; a < dims; a++)
        set.n[a] = p->n[dims - 1 - a];
    status = zoid_h5_add(file, &set, offset);
    for (int a = 0; a < dims && !status; a++) {
        const char axis[] = {"xyz"[dims - 1 - a], '\0'};

        status = zoid_h5_scale(file, axis, set.n[a], h[dims - 1 - a]);
        if (!status)
            status = zoid_h5_attach(file, set.name, a, axis);
    }
    return status;
}

enum zoid_status zoid_dump_describe(struct zoid_h5 *file, const struct zoid_problem *p, long step,
                                    const struct zoid_dump_units *units)
{
    const double time = (double)step * units->dt;
    enum zoid_status status = zoid_h5_put_longs(file, "", "step", 1, &step);

    if (!status)
        status = zoid_h5_put_doubles(file, "", "time", 1, &time);
    for (int a = 0; a < p->op->dims && !status; a++) {
        const char name[] = {'d', "xyz"[a], '\0'};

        status = zoid_h5_put_doubles(file, "", name, 1, &units->h[a]);
    }
    if (!status)
        status = zoid_h5_put_doubles(file, "", "dt", 1, &units->dt);
    return status ? status : zoid_h5_put_text(file, "", "operator", p->op->name);
}

/* Create the file without the values, for which it has datasets. */
static enum zoid_status make_h5(struct zoid_dump *d, long step, const struct zoid_dump_units *units)
{
    struct zoid_h5 *file = NULL;
    enum zoid_status status =
        zoid_h5_open(zoid_output_file(d->output), d->path, ZOID_H5_NEW, &file);

    for (int f = 0; f < d->problem->op->nstate && !status; f++)
        status = add_field(d, file, f, units->h, &d->offset[f]);
    if (!status)
        status = zoid_dump_describe(file, d->problem, step, units);
    return status ? (zoid_h5_close(&file), status) : zoid_h5_close(&file);
}

/* ---- all formats ------------------------------------------------------------------------- */

static enum zoid_status write_header(const struct zoid_dump *d)
{
    const struct zoid_op *op = d->problem->op;
    struct zoid_npy npy = {.element = zoid_element_of(op->type)};
    char header[ZOID_NPY_HEADER];
    size_t length;

    if (op->nstate > 1)
        npy.n[npy.axes++] = op->nstate;
    for (int a = op->dims - 1; a >= 0; a--)
        npy.n[npy.axes++] = d->problem->n[a];
    length = zoid_npy_header(&npy, header);
    if (!length || fwrite(header, length, 1, zoid_output_stream(d->output)) != 1)
        return cannot_write(d);
    return ZOID_OK;
}

/* Values on their way into the file. */
struct passing {
    const struct zoid_dump *dump; /* NULL: another rank's */
    struct zoid_finite of;
    bool looks; /* check the values: not done by the program, and all finite so far */
    bool lost;  /* some were non-finite: see the last failure */
};

/* Non-finite values are written, too, for inspection. */
static enum zoid_status write_part(void *user, const struct zoid_box *box, const void *values,
                                   size_t bytes)
{
    struct passing *p = user;

    if (p->looks && zoid_finite_look(&p->of, box, values)) {
        p->looks = false;
        p->lost = true;
    }
    if (!p->dump || fwrite(values, bytes, 1, zoid_output_stream(p->dump->output)) == 1)
        return ZOID_OK;
    return cannot_write(p->dump);
}

static enum zoid_status begin(struct zoid_dump *d, long step, const struct zoid_dump_units *units)
{
    if (d->format == ZOID_FORMAT_H5)
        return make_h5(d, step, units);
    return d->format == ZOID_FORMAT_NPY ? write_header(d) : ZOID_OK;
}

enum zoid_status zoid_dump_open(const char *path, const struct zoid_problem *problem,
                                struct zoid_dump **dump)
{
    struct zoid_dump *d = calloc(1, sizeof *d);
    enum zoid_status status;

    if (!d || !(d->path = strdup(path))) {
        free(d);
        return zoid_no_memory();
    }
    d->problem = problem;
    d->format = zoid_file_format_of(path);
    status = zoid_output_open(path, &d->output);
    if (!status && d->format == ZOID_FORMAT_H5)
        status = zoid_file_format_try_h5(d->output, "dump", path);
    if (status)
        zoid_dump_discard(&d);
    else
        *dump = d;
    return status;
}

enum zoid_status zoid_dump_write(const struct zoid_dump_state *state,
                                 const struct zoid_dump_units *units, struct zoid_dump **dump)
{
    struct zoid_dump *d = *dump;
    struct passing p = {.dump = d,
                        .of = {.problem = state->problem, .step = state->step},
                        .looks = !state->reader.each};
    enum zoid_status status = zoid_ranks_agree(d ? begin(d, state->step, units) : ZOID_OK);

    for (int f = 0; f < state->problem->op->nstate && !status; f++) {
        if (d && d->format == ZOID_FORMAT_H5 &&
            fseeko(zoid_output_stream(d->output), d->offset[f], SEEK_SET))
            status = cannot_write(d);
        p.of.field = f;
        if (!status)
            status = zoid_reader_each(&state->reader, state->job, f, write_part, &p);
    }
    if (!status && d)
        status = zoid_output_commit(&d->output);
    zoid_dump_discard(dump);
    return status || !p.lost ? status : ZOID_CHECK_FAILED;
}

void zoid_dump_discard(struct zoid_dump **dump)
{
    struct zoid_dump *d = *dump;

    if (!d)
        return;
    zoid_output_discard(&d->output);
    free(d->path);
    free(d);
    *dump = NULL;
}
