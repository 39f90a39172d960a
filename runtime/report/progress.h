/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_REPORT_PROGRESS_H
#define ZOID_RUNTIME_REPORT_PROGRESS_H

#include "runtime/submit/clock.h"

struct zoid_progress;

/* A thread that prints a line a second: share done, rate, time left. `total` is the points that
 * will be computed. NULL when no thread can be had: progress is not worth failing a run. */
struct zoid_progress *zoid_progress_start(const struct zoid_clock *clock, double total);
/* Prints a last line and ends the thread; accepts NULL. */
void zoid_progress_stop(struct zoid_progress **progress);

#endif
