/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_JOB_H
#define ZOID_RUNTIME_JOB_H

#include "runtime/balance.h"
#include "runtime/jobs.h"
#include "runtime/memory/layers.h"
#include "runtime/report/progress.h"

struct zoid_job {
    struct zoid_context *context;
    struct zoid_job_part *part; /* that compute it, the lower planes first */
    int parts;
    int places; /* that it was planned among: its parts have these numbers; 1: there is one */
    struct zoid_place seat[ZOID_PARTS_MOST]; /* kinds and workers of these */
    long *border;                            /* planes at which parts begin and end; owned */
    struct zoid_balancer *balance;           /* of a moving border; NULL: it is fixed */
    struct zoid_channels *channels;          /* between these; NULL: there is one */
    struct zoid_job_memory *memory;          /* of the parts, as the context knows it */
    struct zoid_rank_report *each;           /* per rank, of the last run; NULL: one rank */
    struct zoid_progress_way way;            /* the range of steps that its runs are parts of */
    long from;                               /* step at which it was filled */
    bool filled, ran;                        /* ran: since it was filled */
    bool follows;                            /* the next leg continues the one before it */
    bool pieces;                             /* coefficients in pieces are filled */
    double before;                           /* points computed before it changed places */
};

/* Copy the states of a job's parts to `state`; return how many there are. */
int zoid_job_states(const struct zoid_job *job, struct zoid_state state[]);
/* Record where the plans' graphs put the initial state, and with `coefficients` these, too. */
enum zoid_status zoid_job_note_loads(struct zoid_job *job, bool coefficients);
/* Return whether coefficients come in pieces, and whether the plan was made to run again. */
bool zoid_job_in_pieces(const struct zoid_job *job);
bool zoid_job_can_go_on(const struct zoid_job *job);
/* Return ZOID_RESOURCE, with a message, if a transfer to or from its disk has failed. */
enum zoid_status zoid_job_disk_status(const struct zoid_job *job);

/* As zoid_job_read, and call `look` with all values of the box once they are there, part by part,
 * from several threads at once. */
enum zoid_status zoid_job_look(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to, zoid_box_fn *look, void *user);

/* Set the shift of layers that match, before the state is filled again. */
void zoid_job_set_shift(struct zoid_job *job, double shift);
/* Set the memory of layers that match, which filling a state has set to 0; and read that of the
 * layer at a face, plane by plane. See runtime/memory/layers.h. */
enum zoid_status zoid_job_fill_memory(struct zoid_job *job, zoid_memory_fn *memory, void *user);
enum zoid_status zoid_job_read_memory(const struct zoid_job *job, int axis, int side,
                                      zoid_memory_plane_fn *plane, void *user);

/* Return the points that workers have computed since it was created. Thread-safe. */
double zoid_job_points(const struct zoid_job *job);
/* Record that a run of the plans' graphs ended with step `end`. */
void zoid_job_ended(struct zoid_job *job, long end);

/* Make the row of a record that this process's parts have of a step: see runtime/memory/record.h.
 */
void zoid_job_seen(const struct zoid_job *job, long step, void *row);

/* Let runs end early, at the end of an epoch, if one of two parts is so slow that the other one
 * would be faster by itself, and by more than `seconds` until the end: for zoid_job_change. Several
 * processes go on together. */
void zoid_job_may_leave(struct zoid_job *job, double seconds);
/* Return the number of the place that the last run ended early for, and is to be left; -1: none. */
int zoid_job_leaves(const struct zoid_job *job);
/* Let other places compute what is left: the job takes the form of these plans, which are for all
 * its steps, from the same step on. It copies the state, coefficients that are values and what
 * receivers saw; coefficients in pieces are to be filled anew. Both forms need memory meanwhile.
 * After a failure the job goes on as before. Not for several ranks, or a job that was planned to
 * run once. */
enum zoid_status zoid_job_change(struct zoid_job *job, const struct zoid_plans *plans);

/* For measurements: run from whatever the data hold, even if the job ran before. */
enum zoid_status zoid_job_again(struct zoid_job *job, bool progress, struct zoid_report *report);

/* Set a deadline for the runs to come, in seconds of CLOCK_MONOTONIC: each ends as by
 * zoid_job_stop, early enough to be over by then at its own pace, or at the plan's before it has
 * one. 0: no deadline. */
void zoid_job_set_deadline(struct zoid_job *job, double seconds);
/* Set the range of steps, counted from time 0, that the runs to come are parts of, and the step of
 * the last checkpoint (0: none). Lines of progress then report on the whole range and on that
 * checkpoint. zoid_job_note_checkpoint is thread-safe and may be called at any time. */
void zoid_job_set_progress_range(struct zoid_job *job, long from, long to);
void zoid_job_note_checkpoint(struct zoid_job *job, long step);

#endif
