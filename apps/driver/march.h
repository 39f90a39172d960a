/* SPDX-License-Identifier: BSD-3-Clause */
/* Run loop of a program: divides a run into legs. A leg (one zoid_job_run_steps) ends at a
 * *station*, where a snapshot or a checkpoint is due, where the program looks at the state, or
 * where the run stops early. */
#ifndef ZOID_APPS_DRIVER_MARCH_H
#define ZOID_APPS_DRIVER_MARCH_H

#include "apps/driver/options.h"
#include "apps/driver/record.h"
#include "runtime/session/output/checkpoint.h"
#include "runtime/session/output/snapshot.h"

/* Numbers, kept up to date by a program between legs, that it needs besides the state to continue
 * from a checkpoint. */
struct zoid_march_numbers {
    long n;
    const double *value;
};

struct zoid_march {
    const char *name; /* of the program */
    const struct zoid_keep_options *keep;
    const struct zoid_plan *plan;
    struct zoid_initial *initial;
    /* Reads field 0 in the layout of `initial`; NULL: zoid_job_each. */
    enum zoid_status (*each)(const struct zoid_job *job, zoid_part_fn *part, void *user);
    struct zoid_checkpoint *about;        /* metadata of checkpoints; the run loop sets its step */
    struct zoid_checkpoints *checkpoints; /* or NULL */
    struct zoid_snapshots *snapshots;     /* or NULL */
    struct zoid_record *record;           /* stored in checkpoints, up to the current step, */
    struct zoid_march_numbers own;        /* or if any, these */
    struct zoid_march_numbers before;     /* `own` of the checkpoint that the run restarts from */
    long start, total;                    /* first and last step, counted from time 0 */
    double until;                         /* deadline on CLOCK_MONOTONIC; 0: unlimited */
    double write_seconds;                 /* expected time to write a checkpoint */
    bool progress;
    /* Stop request, if signals belong to the caller of the library; NULL: signals request it. */
    const volatile bool *stop;
    /* State of the run loop. */
    struct zoid_job *job;
    long legs; /* completed */
    struct zoid_kept_report checkpoints_kept, snapshots_kept;
    double minutes_by; /* when the next checkpoint is due; 0: never */
    long last;         /* step of the last checkpoint, or of the start */
};

/* Return whether a run has stations, so that its job must be planned to run again
 * (zoid_request.again). */
bool zoid_march_wanted(const struct zoid_keep_options *keep);
/* Return whether checkpoints are due before the end of the run. */
bool zoid_march_repeats(const struct zoid_keep_options *keep);
/* Return the number of steps of the longest leg of a run from step `start` to step `total`. */
long zoid_march_longest(const struct zoid_keep_options *keep, long start, long total);
/* Run a filled job to `total`. ZOID_STOPPED: a signal, march->stop or the deadline ended the run
 * early; the report covers the completed part, and a checkpoint was written if a folder is set for
 * them. ZOID_CHECK_FAILED: a snapshot or checkpoint had non-finite values. Collective. */
enum zoid_status zoid_march_run(struct zoid_march *march, struct zoid_job *job,
                                struct zoid_report *report);

/* The same in parts, for programs that look at the state in between: begin, then any number of
 * zoid_march_to, then end, also after a failure. Outputs that are due at a step are written before
 * the program looks. Collective. */
void zoid_march_begin(struct zoid_march *march, struct zoid_job *job);
/* Run to `step`, counted from time 0. The report sums up all legs so far. Fails as zoid_march_run
 * does. */
enum zoid_status zoid_march_to(struct zoid_march *march, long step, struct zoid_report *report);
/* Complete pending outputs unless `before` is a failure, and restore signal handlers. The report
 * then counts steps from time 0. Returns `before`, or if that is ZOID_OK, its own status.
 * ZOID_RESOURCE: the last snapshot or checkpoint could not be written. */
enum zoid_status zoid_march_end(struct zoid_march *march, enum zoid_status before,
                                struct zoid_report *report);

#endif
