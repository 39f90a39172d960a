/* SPDX-License-Identifier: BSD-3-Clause */
/* A run with stations: it is a list of legs, each of which ends where a file is due, or where the
 * run stops before its end. */
#ifndef ZOID_APPS_DRIVER_MARCH_H
#define ZOID_APPS_DRIVER_MARCH_H

#include "apps/driver/options.h"
#include "apps/driver/record.h"
#include "apps/files/checkpoint.h"
#include "apps/files/snapshot.h"

struct zoid_march {
    const char *name; /* the program's */
    const struct zoid_keep_options *keep;
    const struct zoid_plan *plan;
    struct zoid_initial *initial;
    struct zoid_checkpoint *about;    /* what checkpoints say; the step is set here */
    struct zoid_snapshots *snapshots; /* NULL: none */
    struct zoid_record *record;       /* checkpoints have what it has so far */
    long total;                       /* steps from time 0 to the end */
    double until;                     /* when the time is up, on CLOCK_MONOTONIC; 0: never */
    double write_seconds;             /* that a checkpoint is expected to take */
    bool progress;
    /* Where signals are somebody else's: whether to stop; NULL: signals say so. */
    const volatile bool *stop;
    /* On the way. */
    double minutes_by; /* when a checkpoint is due */
    long last;         /* the step of the last one, or where the run began */
};

/* Whether a run has stations, so that its job has to be planned to run again. */
bool zoid_march_wanted(const struct zoid_keep_options *keep);
/* The steps of its longest leg, where it goes from `start` to `total`. */
long zoid_march_longest(const struct zoid_keep_options *keep, long start, long total);
/* Runs a job that was filled. ZOID_STOPPED: a signal came, or the time was up, and a checkpoint has
 * been left; or it was to stop; the report is that of what was done. */
enum zoid_status zoid_march_run(struct zoid_march *march, struct zoid_job *job,
                                struct zoid_report *report);

#endif
