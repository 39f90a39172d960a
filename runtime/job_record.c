/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/memory/record.h"
#include "runtime/ranks/ranks.h"

enum zoid_status zoid_job_record(const struct zoid_job *job, long step, double *seen)
{
    const struct zoid_taps *taps = job->work.taps;
    enum zoid_status status = ZOID_OK;
    void *row;

    if (!taps || step < taps->start || step > job->state.steps)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "nothing was recorded of step %ld; give a problem receivers, and a step "
                         "that its job was filled at or has come to",
                         step);
    row = malloc(zoid_record_row_bytes(taps) + 1);
    zoid_jobs_enter(job->memory);
    status = zoid_ranks_agree(row ? ZOID_OK : zoid_no_memory());
    if (!status) {
        memcpy(row, zoid_record_row(taps, step), zoid_record_row_bytes(taps));
        /* Ranks that computed a value have the same bits, the others have 0. */
        if (zoid_ranks_here()->size > 1)
            zoid_ranks_combine(row, zoid_record_row_bytes(taps));
        zoid_record_see(taps, row, seen);
    }
    zoid_jobs_leave(job->memory);
    free(row);
    return status;
}
