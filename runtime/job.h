/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_JOB_H
#define ZOID_RUNTIME_JOB_H

#include "runtime/memory/disk.h"
#include "runtime/memory/fill.h"
#include "runtime/report/progress.h"
#include "runtime/submit/work.h"

struct zoid_job {
    struct zoid_context *context;
    struct zoid_plan plan;    /* of the leg that is next, or ran last, */
    struct zoid_plan planned; /* and of the whole run, as it was made */
    struct zoid_store *store;
    struct zoid_work work;
    struct zoid_rank_report *each; /* of the last run; NULL: there is one rank */
    struct zoid_state state;       /* as it can be read */
    struct zoid_progress_way way;  /* that its runs are parts of */
    long from;                     /* the step that it was filled at */
    bool filled, ran;              /* it has run since */
    bool follows;                  /* the next leg follows the one before it */
    bool pieces;                   /* coefficients that come in such are there */
    bool settled;                  /* and where GPUs keep them, for it ran since they changed */
};

/* As zoid_job_read; `look` sees all values of the box where they are then, part by part, from
 * several threads at once. */
enum zoid_status zoid_job_look(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to, zoid_box_fn *look, void *user);

/* A run of the plan's graph has ended with a step. */
void zoid_job_ended(struct zoid_job *job, long end);

/* For measurements: runs from whatever the data hold, also a job that ran before. */
enum zoid_status zoid_job_again(struct zoid_job *job, bool progress, struct zoid_report *report);

#endif
