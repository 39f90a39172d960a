/* SPDX-License-Identifier: BSD-3-Clause */
/* A run with stations: it is a list of legs, each of which ends where a file is due, where the
 * program looks at the state, or where the run stops before its end. */
#ifndef ZOID_APPS_DRIVER_MARCH_H
#define ZOID_APPS_DRIVER_MARCH_H

#include "apps/driver/options.h"
#include "apps/driver/record.h"
#include "runtime/session/output/checkpoint.h"
#include "runtime/session/output/snapshot.h"

/* What a program has to know to go on, beside the state. */
struct zoid_march_numbers {
    long n;
    const double *value;
};

struct zoid_march {
    const char *name; /* the program's */
    const struct zoid_keep_options *keep;
    const struct zoid_plan *plan;
    struct zoid_initial *initial;
    /* Reads field 0 as `initial` has it; NULL: zoid_job_each. */
    enum zoid_status (*each)(const struct zoid_job *job, zoid_part_fn *part, void *user);
    struct zoid_checkpoint *about;        /* what checkpoints say; the step is set here */
    struct zoid_checkpoints *checkpoints; /* NULL: none, */
    struct zoid_snapshots *snapshots;     /* of these, too */
    struct zoid_record *record;           /* checkpoints have what it has so far, */
    struct zoid_march_numbers own; /* or these, which the program keeps up to date between legs */
    struct zoid_march_numbers before; /* those of the checkpoint that the run goes on from */
    long start, total;                /* steps from time 0 to the beginning, and to the end */
    double until;                     /* when the time is up, on CLOCK_MONOTONIC; 0: never */
    double write_seconds;             /* that a checkpoint is expected to take */
    bool progress;
    /* Where signals are somebody else's: whether to stop; NULL: signals say so. */
    const volatile bool *stop;
    /* On the way. */
    struct zoid_job *job;
    long legs; /* that have run */
    struct zoid_kept_report checkpoints_kept, snapshots_kept;
    double minutes_by; /* when a checkpoint is due */
    long last;         /* the step of the last one, or where the run began */
};

/* Whether a run has stations, so that its job has to be planned to run again. */
bool zoid_march_wanted(const struct zoid_keep_options *keep);
/* Whether there are checkpoints before it ends. */
bool zoid_march_repeats(const struct zoid_keep_options *keep);
/* The steps of its longest leg, where it goes from `start` to `total`. */
long zoid_march_longest(const struct zoid_keep_options *keep, long start, long total);
/* Runs a job that was filled. ZOID_STOPPED: a signal came, or the time was up, and a checkpoint has
 * been left; or it was to stop; the report is that of what was done. */
enum zoid_status zoid_march_run(struct zoid_march *march, struct zoid_job *job,
                                struct zoid_report *report);

/* The same for programs that look at the state on the way: begins, goes to one step after another,
 * and ends, whatever became of it. What is left at a step is left before the program looks. */
void zoid_march_begin(struct zoid_march *march, struct zoid_job *job);
/* To a step from time 0. The report is that of all legs up to now. */
enum zoid_status zoid_march_to(struct zoid_march *march, long step, struct zoid_report *report);
/* The report is then that of all that the state has been through. Returns the status that came
 * before, or else its own: ZOID_RESOURCE, the last checkpoint could not be written. */
enum zoid_status zoid_march_end(struct zoid_march *march, enum zoid_status before,
                                struct zoid_report *report);

#endif
