/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the rates that the planner predicts from. Samples are few and short, and medians of them
 * count, so that a single slow one does no harm. */
#ifndef ZOID_APPS_CALIBRATE_CALIBRATE_H
#define ZOID_APPS_CALIBRATE_CALIBRATE_H

#include "runtime/context.h"

enum { ZOID_SAMPLES = 5 };

/* Measures all of the machine and leaves the rates where zoid_rates_path says. `disk` is a folder, or
 * NULL. A line for every part goes to stderr. */
enum zoid_status zoid_calibrate(const char *disk);

/* The parts of it. */
enum zoid_status zoid_calibrate_memory(const struct zoid_machine *machine,
                                       struct zoid_rates *rates);
enum zoid_status zoid_calibrate_cores(const struct zoid_machine *machine, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_gpu(struct zoid_context *context, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_tasks(struct zoid_context *context, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_disk(struct zoid_context *context, struct zoid_rates *rates);

#endif
