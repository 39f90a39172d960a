/* SPDX-License-Identifier: BSD-3-Clause */
/* Run loop of a session: divides a run into legs. A leg (one zoid_job_run_steps) ends at an *output
 * step*, where a snapshot or a checkpoint is due, where the engine looks at the state, or where the
 * run stops early. */
#ifndef ZOID_RUNTIME_SESSION_RUN_LOOP_H
#define ZOID_RUNTIME_SESSION_RUN_LOOP_H

#include "runtime/session/output/checkpoint.h"
#include "runtime/session/output/snapshot.h"
#include "runtime/session/record.h"
#include "runtime/session/settings.h"

/* Numbers, kept up to date by an engine between legs, that it needs besides the state to continue
 * from a checkpoint. */
struct zoid_engine_state {
    long n;
    const double *value;
};

struct zoid_run_loop {
    const struct zoid_settings *settings;
    const struct zoid_plan *plan;
    struct zoid_initial *initial;
    struct zoid_reader reader;             /* reads field 0 in the layout of `initial` */
    struct zoid_checkpoint *about;         /* metadata of checkpoints; the run loop sets its step */
    struct zoid_checkpoints *checkpoints;  /* or NULL */
    struct zoid_snapshots *snapshots;      /* or NULL */
    struct zoid_record *record;            /* stored in checkpoints, up to the current step, */
    struct zoid_engine_state engine_state; /* or if any, these */
    struct zoid_engine_state before; /* engine_state of the checkpoint that the run restarts from */
    long every;                      /* steps between checkpoints; 0: not counted in steps */
    long start, total;               /* first and last step, counted from time 0 */
    double until;                    /* deadline on CLOCK_MONOTONIC; 0: unlimited */
    double write_seconds;            /* expected time to write a checkpoint */
    bool progress;
    const volatile bool *stop; /* a stop is requested */
    /* Called between two legs when a place of the job is to be left (zoid_job_leaves). */
    enum zoid_status (*leave)(void *leaver, int place);
    void *leaver;
    /* State of the run loop. */
    struct zoid_job *job;
    long legs; /* completed */
    struct zoid_kept_report checkpointed, snapshots_written;
    double minutes_by; /* when the next checkpoint is due; 0: never */
    long last;         /* step of the last checkpoint, or of the start */
};

/* Return whether a run has output steps, so that its job must be planned to run again
 * (zoid_request.again). */
bool zoid_run_loop_wanted(const struct zoid_settings *settings);
/* Return whether checkpoints are due before the end of the run. */
bool zoid_run_loop_repeats(const struct zoid_settings *settings);
/* Return the number of steps of the longest leg of the loop. */
long zoid_run_loop_longest(const struct zoid_run_loop *loop);

/* Prepare to run a filled job. */
void zoid_run_loop_open(struct zoid_run_loop *loop, struct zoid_job *job);
/* Write the snapshot of the initial state if one is due. Collective. */
enum zoid_status zoid_run_loop_first(struct zoid_run_loop *loop);
/* Run to `step`, counted from time 0, and write the outputs that are due. The report sums up all
 * legs so far, and counts steps from time 0. Collective. ZOID_STOPPED: a stop was requested, or the
 * deadline ended the run early; a checkpoint was written if a folder is set for them, and all
 * outputs are complete. ZOID_CHECK_FAILED: a snapshot or checkpoint had non-finite values. */
enum zoid_status zoid_run_loop_until(struct zoid_run_loop *loop, long step,
                                     struct zoid_report *report);
/* Write a checkpoint of the current step, and wait until it is complete. Collective. Fails as
 * zoid_checkpoints_write does. */
enum zoid_status zoid_run_loop_checkpoint(struct zoid_run_loop *loop);
/* Complete pending outputs unless `before` is a failure; the report gets their counts. Returns
 * `before`, or if that is ZOID_OK, its own status. The loop may go on. Collective. ZOID_RESOURCE:
 * the last snapshot or checkpoint could not be written. */
enum zoid_status zoid_run_loop_finish(struct zoid_run_loop *loop, enum zoid_status before,
                                      struct zoid_report *report);

#endif
