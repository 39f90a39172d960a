/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_REPORT_PROGRESS_H
#define ZOID_RUNTIME_REPORT_PROGRESS_H

#include <stdatomic.h>
#include <time.h>

#include "runtime/submit/clock.h"

/* How much was done when: as much of the past as tells the rate of late. */
enum { ZOID_RECENT_SAMPLES = 64 };

struct zoid_recent {
    double window; /* points that are looked back upon */
    int n;
    struct {
        double seconds, points;
    } at[ZOID_RECENT_SAMPLES]; /* the oldest first */
};

/* Begins where nothing is done. */
struct zoid_recent zoid_recent_begin(double window);
/* Points a second over the window, or as much more of it as was noted; before there is one, since
 * the beginning. Notes what is done now. 0 where no time has passed. */
double zoid_recent_rate(struct zoid_recent *pace, double seconds, double points);

/* What a run comes to. */
struct zoid_progress_goal {
    double points; /* that will be computed, about; 0: nobody knows */
    double passes;
    long from, to; /* steps */
};

/* A way that is gone in several runs: lines speak of all of it, and come as if it were one. */
struct zoid_progress_way {
    long from, to;       /* steps; equal: there is none */
    atomic_long kept;    /* the step of the last checkpoint; 0: there is none */
    struct timespec due; /* when the next line is; zeros: the first run says when */
};

struct zoid_progress;

/* A thread that prints a line a second, or a minute where stderr is no terminal: share done,
 * passes, or steps of a way, the rate over the last pass, time left, the last checkpoint. NULL when
 * no thread can be had: progress is not worth failing a run. */
struct zoid_progress *zoid_progress_start(const struct zoid_clock *clock,
                                          const struct zoid_progress_goal *goal,
                                          struct zoid_progress_way *way);
/* Prints a last line, but on the way, and ends the thread; accepts NULL. `whole`: all is done. */
void zoid_progress_stop(struct zoid_progress **progress, bool whole);

#endif
