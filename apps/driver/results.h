/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run leaves: a dump, a record, a report, snapshots, checkpoints. Files are opened before it
 * begins, so that one that cannot be written costs no run. */
#ifndef ZOID_APPS_DRIVER_RESULTS_H
#define ZOID_APPS_DRIVER_RESULTS_H

#include "apps/driver/session.h"

/* Of several ranks the first writes. */
enum zoid_status zoid_results_open(struct zoid_session *session);
/* Writes them, and prints the report. A failed check is what the user must hear of, even if an
 * output fails after it. */
enum zoid_status zoid_results_leave(struct zoid_session *session,
                                    const struct zoid_failure *checked);
/* Of a run that goes on later there is no result yet, but a report. Returns the failure that says
 * so. */
enum zoid_status zoid_results_leave_stopped(struct zoid_session *session);
/* Whether a person reads standard output. */
bool zoid_results_for_people(const struct zoid_options *options);
/* Forgets files that have not been written. */
void zoid_results_discard(struct zoid_session *session);

#endif
