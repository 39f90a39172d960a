/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/io/file_format.h"
#include "runtime/io/h5.h"
#include "runtime/io/npy.h"
#include "runtime/io/segy.h"
#include "runtime/ranks/ranks.h"

static enum zoid_status cannot_write(const char *path)
{
    return zoid_fail(ZOID_RESOURCE,
                     "cannot write the record %s: %s; make room or name another file", path,
                     strerror(errno ? errno : EIO));
}

static bool write_header(const struct zoid_problem *p, long rows, FILE *out)
{
    const struct zoid_npy npy = {.element = zoid_element_of(p->op->type),
                                 .axes = 2,
                                 .n = {rows, (long)p->points->receivers}};
    char header[ZOID_NPY_HEADER];
    const size_t length = zoid_npy_header(&npy, header);

    return length && fwrite(header, length, 1, out) == 1;
}

/* Rounds a row to the problem's type in place, and writes it; f64 needs no conversion. */
static bool write_row(enum zoid_type type, double *seen, size_t n, FILE *out)
{
    for (size_t i = 0; i < n && type == ZOID_F32; i++) {
        const float value = (float)seen[i];

        memcpy((char *)seen + i * sizeof value, &value, sizeof value);
    }
    return fwrite(seen, zoid_type_size(type), n, out) == n;
}

static size_t receivers(const struct zoid_problem *p)
{
    return p->points ? p->points->receivers : 0;
}

enum zoid_status zoid_record_begin_with(const struct zoid_problem *problem, const double *seen,
                                        long numbers, struct zoid_record *record)
{
    const long n = (long)receivers(problem);
    const long rows = n ? numbers / n : 0;

    *record = (struct zoid_record){.problem = problem, .first = problem->start};
    if (numbers == 0 || n == 0)
        return ZOID_OK;
    if (numbers % n || rows > problem->start + 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "the checkpoint has what other receivers have seen; "
                                            "drop {receivers}, or start without {restart}");
    record->first = problem->start + 1 - rows;
    record->before = seen;
    return ZOID_OK;
}

/* Reads the row of a step, from the checkpoint or the job. Collective for steps of the job. */
static enum zoid_status see(const struct zoid_record *r, long step, double *seen)
{
    const size_t n = receivers(r->problem);

    if (!r->before || step >= r->problem->start)
        return zoid_job_record(r->job, step, seen);
    memcpy(seen, r->before + (size_t)(step - r->first) * n, n * sizeof *seen);
    return ZOID_OK;
}

enum zoid_status zoid_record_rows(const struct zoid_record *r, long *numbers, double **seen)
{
    const size_t n = receivers(r->problem);
    const long rows = zoid_job_steps(r->job) - r->first + 1;
    double *all;
    enum zoid_status status;

    *numbers = 0;
    *seen = NULL;
    if (n == 0)
        return ZOID_OK;
    all = malloc((size_t)rows * n * sizeof *all);
    status = zoid_ranks_agree(all ? ZOID_OK : zoid_no_memory());
    for (long row = 0; row < rows && !status; row++)
        status = see(r, r->first + row, all + (size_t)row * n);
    if (status) {
        free(all);
        return status;
    }
    *numbers = rows * (long)n;
    *seen = all;
    return ZOID_OK;
}

/* ---- files ------------------------------------------------------------------------------- */

enum zoid_status zoid_record_open(const char *path, const struct zoid_problem *p,
                                  struct zoid_output **file)
{
    const enum zoid_file_format format = zoid_file_format_of(path);
    enum zoid_status status;

    if (format == ZOID_FORMAT_SEGY && !zoid_segy_here())
        return zoid_fail(
            ZOID_RESOURCE,
            "%s: this build has no SEG-Y; name a .npy or .h5 file, or build Zoid where "
            "libsegyio is",
            path);
    if (format == ZOID_FORMAT_SEGY && p->start + p->steps >= ZOID_SEGY_SAMPLES)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s: SEG-Y has no space for %ld samples, but for %d; name a .npy or .h5 "
                         "file",
                         path, p->start + p->steps + 1, ZOID_SEGY_SAMPLES);
    status = zoid_output_open(path, file);
    if (!status && format == ZOID_FORMAT_H5)
        status = zoid_file_format_try_h5(*file, "record", path);
    if (status)
        zoid_output_discard(file);
    return status;
}

static enum zoid_status add_record(const struct zoid_record *r, long rows, double dt,
                                   struct zoid_h5 *h5, long *offset)
{
    const struct zoid_problem *p = r->problem;
    const struct zoid_h5_dataset set = {.name = "record",
                                        .axes = 2,
                                        .n = {rows, (long)receivers(p)},
                                        .element = zoid_element_of(p->op->type)};
    enum zoid_status status = zoid_h5_add(h5, &set, offset);

    /* Only rows that begin at step 0 have a time scale. */
    if (status || r->first)
        return status;
    status = zoid_h5_scale(h5, "time", rows, dt);
    return status ? status : zoid_h5_attach(h5, "record", 0, "time");
}

static enum zoid_status add_places(const struct zoid_problem *p, struct zoid_h5 *h5)
{
    const long n = (long)receivers(p), dims = p->op->dims;
    const struct zoid_h5_dataset set = {
        .name = "places", .axes = 2, .n = {n, dims}, .element = {.kind = 'f', .size = 8}};
    struct zoid_h5_part part = {.element = set.element};
    long offset;
    enum zoid_status status = zoid_h5_add(h5, &set, &offset);

    part.hi[1] = dims;
    for (long i = 0; i < n && !status; i++) {
        part.lo[0] = i;
        part.hi[0] = i + 1;
        status = zoid_h5_write(h5, "places", &part, p->points->receiver[i].at);
    }
    return status;
}

/* Creates the HDF5 file except for the values; the stream is then at their offset. */
static enum zoid_status make_h5(const struct zoid_record *r, const char *path, long rows,
                                const struct zoid_dump_units *units, struct zoid_output *file)
{
    struct zoid_h5 *h5 = NULL;
    long offset = 0;
    enum zoid_status status = zoid_h5_open(zoid_output_file(file), path, ZOID_H5_NEW, &h5);

    if (!status)
        status = add_record(r, rows, units->dt, h5, &offset);
    if (!status)
        status = add_places(r->problem, h5);
    if (!status)
        status = zoid_dump_describe(h5, r->problem, zoid_job_steps(r->job), units);
    if (status)
        zoid_h5_close(&h5);
    else
        status = zoid_h5_close(&h5);
    if (!status && fseeko(zoid_output_stream(file), offset, SEEK_SET))
        status = cannot_write(path);
    return status;
}

static enum zoid_status write_rows(const struct zoid_record *r, const char *path, FILE *out)
{
    const size_t n = receivers(r->problem);
    const long last = zoid_job_steps(r->job);
    double *seen = malloc(n * sizeof *seen + 1);
    enum zoid_status status = zoid_ranks_agree(seen ? ZOID_OK : zoid_no_memory());

    /* zoid_job_record is collective: continue to the last row on all ranks, even after a failure.
     */
    for (long step = r->first; step <= last && seen; step++) {
        const enum zoid_status read = see(r, step, seen);

        if (!status)
            status = read;
        if (!status && out && !write_row(r->problem->op->type, seen, n, out))
            status = cannot_write(path);
    }
    free(seen);
    return zoid_ranks_agree(status);
}

/* SEG-Y stores traces, the columns of the record, so all rows are read first. */
static enum zoid_status write_segy(const struct zoid_record *r, const char *path,
                                   const struct zoid_dump_units *units,
                                   const struct zoid_output *file)
{
    const struct zoid_problem *p = r->problem;
    struct zoid_segy_record traces = {.called = path,
                                      .traces = (long)receivers(p),
                                      .samples = zoid_job_steps(r->job) - r->first + 1,
                                      .receiver = p->points->receiver,
                                      .source = p->points->sources == 1 ? p->points->source : NULL,
                                      .h = {units->h[0], units->h[1], units->h[2]},
                                      .dt = units->dt,
                                      .dims = p->op->dims};
    double *seen = NULL;
    long numbers;
    enum zoid_status status = zoid_record_rows(r, &numbers, &seen);

    traces.seen = seen;
    if (!status && file)
        status = zoid_segy_write(zoid_output_file(file), &traces);
    free(seen);
    return zoid_ranks_agree(status);
}

static enum zoid_status write_values(const struct zoid_record *r, const char *path,
                                     const struct zoid_dump_units *units, struct zoid_output *file)
{
    const enum zoid_file_format format = zoid_file_format_of(path);
    const long rows = zoid_job_steps(r->job) - r->first + 1;
    FILE *out = file ? zoid_output_stream(file) : NULL;
    enum zoid_status status = ZOID_OK;

    errno = 0;
    if (format == ZOID_FORMAT_SEGY)
        return write_segy(r, path, units, file);
    if (out && format == ZOID_FORMAT_H5)
        status = make_h5(r, path, rows, units, file);
    else if (out && !write_header(r->problem, rows, out))
        status = cannot_write(path);
    status = zoid_ranks_agree(status);
    return status ? status : write_rows(r, path, out);
}

/* Checks the last row only: a sample that is not finite stays so. */
static enum zoid_status look_at_end(const struct zoid_record *r)
{
    const size_t n = receivers(r->problem);
    const long step = zoid_job_steps(r->job);
    double *seen = malloc(n * sizeof *seen + 1);
    enum zoid_status status = zoid_ranks_agree(seen ? ZOID_OK : zoid_no_memory());

    if (!status)
        status = see(r, step, seen);
    for (size_t i = 0; i < n && !status; i++)
        if (!isfinite(seen[i]))
            status = zoid_fail(ZOID_CHECK_FAILED,
                               "receiver %zu sees %g after %ld steps, so the run is not stable; "
                               "take a shorter time step, or other parameters or values",
                               i, seen[i], step);
    free(seen);
    return status;
}

enum zoid_status zoid_record_write(const struct zoid_record *r, const char *path,
                                   const struct zoid_dump_units *units, struct zoid_output **file)
{
    enum zoid_status status = write_values(r, path, units, *file);

    if (!status && *file)
        status = zoid_output_commit(file);
    zoid_output_discard(file);
    return status ? status : look_at_end(r);
}
