/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of a run: dump, record, report, snapshots, checkpoints. Files are opened before the run,
 * so that one that cannot be written is found early. */
#ifndef ZOID_APPS_DRIVER_RESULTS_H
#define ZOID_APPS_DRIVER_RESULTS_H

#include "apps/driver/session.h"
#include "runtime/error.h"

/* Open the files; rank 0 writes them. Collective. ZOID_BAD_ARGUMENT: two have the same name.
 * ZOID_RESOURCE: one cannot be written. */
enum zoid_status zoid_results_open(struct zoid_session *session);
/* Return the bytes of the staging buffer from which checkpoints are written asynchronously. 0: the
 * run waits for each, since plan and snapshots leave no memory, or the only one is the last. */
uint64_t zoid_results_staging(const struct zoid_session *session);
/* Write dump and record, and print the report. Collective. Returns `checked` if it is a failure,
 * even if an output fails after it. ZOID_CHECK_FAILED: so does a dump or record that has non-finite
 * values; it is complete, and the other results follow. */
enum zoid_status zoid_results_leave(struct zoid_session *session,
                                    const struct zoid_failure *checked);
/* Write the report, but no results, of a run that ended early with `failed`. Returns that status,
 * or that of the report if it cannot be written. Collective. */
enum zoid_status zoid_results_leave_early(struct zoid_session *session, enum zoid_status failed);
/* Return whether stdout is a terminal that a person reads. */
bool zoid_results_for_people(const struct zoid_options *options);
/* Discard files that are not complete. */
void zoid_results_discard(struct zoid_session *session);

#endif
