/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the rates that the planner predicts from. Samples are few and short, and medians of them
 * count, so that a single slow one does no harm. */
#ifndef ZOID_RUNTIME_CALIBRATE_CALIBRATE_H
#define ZOID_RUNTIME_CALIBRATE_CALIBRATE_H

#include <stdio.h>

#include "runtime/context.h"

enum { ZOID_SAMPLES = 5 };

struct zoid_calibration {
    struct zoid_context *context; /* without limits; with a disk where that is measured */
    unsigned parts; /* of enum zoid_rates_part; those the machine lacks are left out */
    size_t ops;
    const struct zoid_op *const *op; /* the operators to measure */
    bool
        brief; /* before a run: in about a second, with fewer samples and a smaller state on disk */
    FILE *log; /* a line for every part goes there; NULL: none */
};

/* Measures, into rates that are defaults or were read: what is needed for a part and is not
 * measured is taken from them. Afterwards they have the operators of the calibration and no others,
 * in its order, and `measured` are the parts of this calibration. The caller frees them after a
 * failure as well. */
enum zoid_status zoid_calibrate(const struct zoid_calibration *calibration,
                                struct zoid_rates *rates);
/* Measures all of the machine, tells stderr of every part, and leaves the rates where
 * zoid_rates_path says. `disk` is a folder, or NULL. */
enum zoid_status zoid_calibrate_all(const char *disk);
/* Makes of the rates that are in the file now, or of the defaults where it cannot be used, those
 * that are to be kept; sets *changed where the file is to be written. */
typedef enum zoid_status zoid_change_fn(void *user, struct zoid_rates *kept, bool *changed);
/* Changes the file, which appears under its name when it is complete. Programs that do so wait for
 * one another, so nothing is lost. */
enum zoid_status zoid_calibrate_change(const struct zoid_machine *machine, zoid_change_fn *change,
                                       void *user);
/* Adds rates to those that are in the file. */
enum zoid_status zoid_calibrate_keep(const struct zoid_machine *machine, struct zoid_rates *rates);

/* The parts. */
enum zoid_status zoid_calibrate_memory(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_cores(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_gpu(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_tasks(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_gpu_tasks(const struct zoid_calibration *c,
                                          struct zoid_rates *rates);
enum zoid_status zoid_calibrate_links(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_disk(const struct zoid_calibration *c, struct zoid_rates *rates);

#endif
