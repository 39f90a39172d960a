/* SPDX-License-Identifier: BSD-3-Clause */
/* How the state of a job is read in the layout of files. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_READER_H
#define ZOID_RUNTIME_SESSION_OUTPUT_READER_H

#include "runtime/zoid_advanced.h"

/* Reads field 0, of a problem with no other field, if the job has it in another layout than files;
 * from `of`. */
struct zoid_reader {
    enum zoid_status (*each)(const void *of, const struct zoid_job *job, zoid_part_fn *part,
                             void *user); /* as zoid_job_each, which NULL stands for */
    const void *of;
};

/* Pass all values of a field to `part`. Collective; fails as zoid_job_each does. */
static inline enum zoid_status zoid_reader_each(const struct zoid_reader *reader,
                                                const struct zoid_job *job, int field,
                                                zoid_part_fn *part, void *user)
{
    return reader->each ? reader->each(reader->of, job, part, user)
                        : zoid_job_each(job, field, part, user);
}

#endif
