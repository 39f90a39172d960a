/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_JOB_H
#define ZOID_RUNTIME_JOB_H

#include "runtime/memory/disk.h"
#include "runtime/submit/work.h"

struct zoid_job {
    struct zoid_context *context;
    struct zoid_plan plan;
    struct zoid_store *store;
    struct zoid_work work;
    bool filled, ran;
};

/* For measurements: runs from whatever the data hold, also a job that ran before. */
enum zoid_status zoid_job_again(struct zoid_job *job, bool progress, struct zoid_report *report);

#endif
