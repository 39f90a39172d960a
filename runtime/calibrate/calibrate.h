/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration: measures the rates that the planner predicts from, as medians of few short samples,
 * so that one slow sample has no effect. */
#ifndef ZOID_RUNTIME_CALIBRATE_CALIBRATE_H
#define ZOID_RUNTIME_CALIBRATE_CALIBRATE_H

#include <stdio.h>

#include "runtime/context.h"

enum { ZOID_SAMPLES = 5 };

struct zoid_calibration {
    struct zoid_context *context; /* without limits; with a disk if that part is measured */
    unsigned parts;               /* of enum zoid_rates_part; those without hardware are skipped */
    size_t ops;
    const struct zoid_op *const *op; /* to measure */
    bool brief; /* before a run: about a second, with fewer samples and less data on disk */
    bool tells; /* logs a line per part */
};

/* Measures the parts of `calibration` into `rates`, which were defaults or read before: rates that
 * a part depends on and that are not measured come from there. On success `rates->op` has the
 * operators of the calibration only, in its order, and `measured` the parts that were measured. The
 * caller frees the rates, also after a failure. */
enum zoid_status zoid_calibrate(const struct zoid_calibration *calibration,
                                struct zoid_rates *rates);
/* Measures all rates of the machine, with a line per part in the log, and writes them to the file
 * of zoid_rates_path; or, if there are several ranks, the network between them alone, since they
 * would disturb each other. The options name a folder for the disk's part, or none. On failure the
 * file is unchanged. Collective. */
enum zoid_status zoid_calibrate_all(const struct zoid_context_options *options);
/* Changes *kept, the rates of the file, or the defaults if that cannot be used; sets *changed if
 * the file has to be written. */
typedef enum zoid_status zoid_change_fn(void *user, struct zoid_rates *kept, bool *changed);
/* Applies `change` to the file, under a lock among programs, so that no update is lost. The file is
 * replaced when it is complete; on failure it is unchanged. */
enum zoid_status zoid_calibrate_change(const struct zoid_machine *machine, zoid_change_fn *change,
                                       void *user);
/* Merges `rates` into the file. */
enum zoid_status zoid_calibrate_keep(const struct zoid_machine *machine, struct zoid_rates *rates);

/* Each measures one part. */
enum zoid_status zoid_calibrate_memory(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_cores(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_gpu(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_tasks(const struct zoid_calibration *c, struct zoid_rates *rates);
enum zoid_status zoid_calibrate_gpu_tasks(const struct zoid_calibration *c,
                                          struct zoid_rates *rates);
enum zoid_status zoid_calibrate_links(const struct zoid_calibration *c, struct zoid_rates *rates);
/* Measures messages between the first rank and one on its host, and one on another host, if there
 * are such ranks. Sets `measured` to the networks that there are. Collective. */
enum zoid_status zoid_calibrate_network(const struct zoid_calibration *c, struct zoid_rates *rates);
/* The seconds of a message of so many bytes, from one task to another. */
struct zoid_way {
    double bytes, seconds;
};
/* Sets `way` and `wire` to the least squares of relative errors, of two ways at least, the one with
 * the fewest bytes first. */
void zoid_calibrate_fit_ways(const struct zoid_way *ways, int n, struct zoid_network *network);
enum zoid_status zoid_calibrate_disk(const struct zoid_calibration *c, struct zoid_rates *rates);

#endif
