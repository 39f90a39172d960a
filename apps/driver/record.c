/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/points.h"
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

enum zoid_status zoid_record_write(const struct zoid_job *job, const struct zoid_problem *problem,
                                   const char *path, FILE *out)
{
    const size_t n = problem->points->receivers;
    const long first = problem->start, last = zoid_job_steps(job);
    double *seen = malloc(n * sizeof *seen + 1);
    enum zoid_status status = seen ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");

    errno = 0;
    if (!status && out && !write_header(problem, last - first + 1, out))
        status = cannot_write(path);
    status = zoid_ranks_agree(status);
    /* The others have to come along to the last row, whatever becomes of it. */
    for (long step = first; step <= last && seen; step++) {
        const enum zoid_status read = zoid_job_record(job, step, seen);

        if (!status)
            status = read;
        if (!status && out && !write_row(problem->op->type, seen, n, out))
            status = cannot_write(path);
    }
    free(seen);
    return zoid_ranks_agree(status);
}
