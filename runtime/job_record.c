/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/memory/record.h"
#include "runtime/ranks/ranks.h"

/* Parts, and ranks, that computed a value have the same bits, the others have 0. */
void zoid_job_seen(const struct zoid_job *job, long step, void *to)
{
    char *row = to;
    const size_t bytes = zoid_record_row_bytes(job->part->work.sample_points);

    memset(row, 0, bytes);
    for (int i = 0; i < job->parts; i++) {
        const char *seen = zoid_record_row(job->part[i].work.sample_points, step);

        for (size_t b = 0; b < bytes; b++)
            row[b] |= seen[b];
    }
}

enum zoid_status zoid_job_record(const struct zoid_job *job, long step, double *seen)
{
    const struct zoid_sample_points *sample_points = job->part->work.sample_points;
    enum zoid_status status = ZOID_OK;
    void *row;

    if (!sample_points || step < sample_points->start || step > zoid_job_steps(job))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "nothing was recorded of step %ld; give a problem receivers, and a step "
                         "that its job was filled at or has come to",
                         step);
    row = malloc(zoid_record_row_bytes(sample_points) + 1);
    zoid_jobs_enter(job->memory);
    status = zoid_ranks_agree(row ? ZOID_OK : zoid_no_memory());
    if (!status) {
        zoid_job_seen(job, step, row);
        if (zoid_ranks_here()->size > 1)
            zoid_ranks_combine(row, zoid_record_row_bytes(sample_points));
        zoid_record_see(sample_points, row, seen);
    }
    zoid_jobs_leave(job->memory);
    free(row);
    return status;
}
