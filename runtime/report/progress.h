/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_REPORT_PROGRESS_H
#define ZOID_RUNTIME_REPORT_PROGRESS_H

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
    double points; /* that will be computed; 0: nobody knows */
    double passes;
};

struct zoid_progress;

/* A thread that prints a line a second, or a minute where stderr is no terminal: share done,
 * passes, the rate over the last pass, time left. NULL when no thread can be had: progress is not
 * worth failing a run. */
struct zoid_progress *zoid_progress_start(const struct zoid_clock *clock,
                                          const struct zoid_progress_goal *goal);
/* Prints a last line and ends the thread; accepts NULL. */
void zoid_progress_stop(struct zoid_progress **progress);

#endif
