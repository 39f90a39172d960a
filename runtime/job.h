/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_JOB_H
#define ZOID_RUNTIME_JOB_H

#include "runtime/jobs.h"
#include "runtime/memory/disk.h"
#include "runtime/memory/fill.h"
#include "runtime/report/progress.h"

struct zoid_job {
    struct zoid_context *context;
    struct zoid_plan plan;    /* of the leg that is next, or ran last */
    struct zoid_plan planned; /* of the whole run, as it was made */
    struct zoid_store *store;
    struct zoid_work work;
    struct zoid_job_memory *memory; /* these three, as its context knows them */
    struct zoid_rank_report *each;  /* per rank, of the last run; NULL: one rank */
    struct zoid_state state;        /* that can be read */
    struct zoid_progress_way way;   /* the range of steps that its runs are parts of */
    long from;                      /* step at which it was filled */
    bool filled, ran;               /* ran: since it was filled */
    bool follows;                   /* the next leg continues the one before it */
    bool pieces;                    /* coefficients in pieces are filled */
    bool settled;                   /* GPUs hold their coefficients: it ran since these changed */
};

/* Record where the plan's graph puts the initial state, and with `coefficients` these, too. */
enum zoid_status zoid_job_note_loads(struct zoid_job *job, bool coefficients);
/* Return the plan of the whole run with the main memory that other jobs leave now. */
struct zoid_plan zoid_job_offered(const struct zoid_job *job);
/* Return whether coefficients come in pieces, and whether the plan was made to run again. */
bool zoid_job_in_pieces(const struct zoid_job *job);
bool zoid_job_can_go_on(const struct zoid_job *job);
/* Return ZOID_RESOURCE, with a message, if a transfer to or from its disk has failed. */
enum zoid_status zoid_job_disk_status(const struct zoid_job *job);

/* As zoid_job_read, and call `look` with all values of the box once they are there, part by part,
 * from several threads at once. */
enum zoid_status zoid_job_look(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to, zoid_box_fn *look, void *user);

/* Record that a run of the plan's graph ended with step `end`. */
void zoid_job_ended(struct zoid_job *job, long end);

/* For measurements: run from whatever the data hold, even if the job ran before. */
enum zoid_status zoid_job_again(struct zoid_job *job, bool progress, struct zoid_report *report);

/* Set a deadline for the runs to come, in seconds of CLOCK_MONOTONIC: each ends as by
 * zoid_job_stop, early enough to be over by then at its own pace, or at the plan's before it has
 * one. 0: no deadline. */
void zoid_job_end_by(struct zoid_job *job, double seconds);
/* Set the range of steps, counted from time 0, that the runs to come are parts of, and the step of
 * the last checkpoint (0: none). Lines of progress then report on the whole range and on that
 * checkpoint. zoid_job_kept is thread-safe and may be called at any time. */
void zoid_job_way(struct zoid_job *job, long from, long to);
void zoid_job_kept(struct zoid_job *job, long step);

#endif
