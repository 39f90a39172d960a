/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run leaves: a dump, a record, a report, snapshots, checkpoints. Files are opened before it
 * begins, so that one that cannot be written costs no run. */
#ifndef ZOID_APPS_DRIVER_RESULTS_H
#define ZOID_APPS_DRIVER_RESULTS_H

#include "apps/driver/session.h"
#include "runtime/error.h"

/* Of several ranks the first writes. */
enum zoid_status zoid_results_open(struct zoid_session *session);
/* Bytes of memory that checkpoints take to be written while the run goes on; 0: it waits for each,
 * since there is no room beside what the plan and snapshots take, or none before the end. */
uint64_t zoid_results_staging(const struct zoid_session *session);
/* Writes them, and prints the report. A failed check is what the user must hear of, even if an
 * output fails after it. ZOID_CHECK_FAILED also where a state or a record that is written has
 * values that are no numbers. */
enum zoid_status zoid_results_leave(struct zoid_session *session,
                                    const struct zoid_failure *checked);
/* Of a run that has ended early, as a failure says, there is a report and no result. Returns that
 * failure. */
enum zoid_status zoid_results_leave_early(struct zoid_session *session, enum zoid_status failed);
/* Whether a person reads standard output. */
bool zoid_results_for_people(const struct zoid_options *options);
/* Forgets files that have not been written. */
void zoid_results_discard(struct zoid_session *session);

#endif
