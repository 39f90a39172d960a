/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_REPORT_PROGRESS_H
#define ZOID_RUNTIME_REPORT_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "runtime/part.h"

/* Samples of the past, enough of them for the recent rate. */
enum { ZOID_RECENT_SAMPLES = 64 };

struct zoid_recent {
    double window; /* number of points to look back */
    int n;
    struct {
        double seconds, points;
    } at[ZOID_RECENT_SAMPLES]; /* the oldest first */
};

/* Start of a run: time 0, with nothing done. */
struct zoid_recent zoid_recent_begin(double window);
/* Points per second over the window, or over the next longer time with a sample; since the
 * beginning if less was done. Adds the present as a sample. 0 if no time has passed. */
double zoid_recent_rate(struct zoid_recent *pace, double seconds, double points);

/* Size of a run. */
struct zoid_progress_goal {
    double points; /* about the number to compute; 0: unknown */
    double passes;
    long from, to; /* steps */
};

/* Steps that are covered by several runs: lines of progress refer to all of them, as if it were one
 * run. */
struct zoid_progress_way {
    long from, to;       /* steps; equal: no way is set */
    atomic_long kept;    /* the step of the last checkpoint; 0: no checkpoint */
    struct timespec due; /* time of the next line; zeros: the first run sets it */
};

struct zoid_progress;

/* Start a thread that logs a line per second, or per minute if stderr is no terminal: share done,
 * passes (or steps, with a way), the rate over the last pass, time left, the last checkpoint. NULL:
 * no thread can be started; progress is not worth failing a run. */
struct zoid_progress *zoid_progress_start(const struct zoid_job_part *part, int parts,
                                          const struct zoid_progress_goal *goal,
                                          struct zoid_progress_way *way);
/* Print a last line, unless the way goes on, and end the thread; accepts NULL. `whole`: all is
 * done. */
void zoid_progress_stop(struct zoid_progress **progress, bool whole);

#endif
