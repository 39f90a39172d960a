/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "apps/files/npy.h"
#include "runtime/ranks/ranks.h"

static enum zoid_status cannot_write(const char *path)
{
    return zoid_fail(ZOID_RESOURCE,
                     "cannot write the record %s: %s; make room or name another file", path,
                     strerror(errno ? errno : EIO));
}

static bool write_header(const struct zoid_problem *p, long rows, FILE *out)
{
    const struct zoid_npy npy = {.element = {.kind = 'f', .size = (int)zoid_type_size(p->op->type)},
                                 .axes = 2,
                                 .n = {rows, (long)p->points->receivers}};
    char header[ZOID_NPY_HEADER];
    const size_t length = zoid_npy_header(&npy, header);

    return length && fwrite(header, length, 1, out) == 1;
}

/* Rounds what was seen of a step to the type, and writes it; of f64 it is that already. */
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
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "the checkpoint has what other receivers have seen; drop --receivers, or "
                         "start without --restart");
    record->first = problem->start + 1 - rows;
    record->before = seen;
    return ZOID_OK;
}

/* Of a step that the job has come to all ranks ask together. */
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
    status = zoid_ranks_agree(all ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory"));
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

enum zoid_status zoid_record_write(const struct zoid_record *r, const char *path, FILE *out)
{
    const size_t n = receivers(r->problem);
    const long last = zoid_job_steps(r->job);
    double *seen = malloc(n * sizeof *seen + 1);
    enum zoid_status status = seen ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");

    errno = 0;
    if (!status && out && !write_header(r->problem, last - r->first + 1, out))
        status = cannot_write(path);
    status = zoid_ranks_agree(status);
    /* The others have to come along to the last row, whatever becomes of it. */
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
