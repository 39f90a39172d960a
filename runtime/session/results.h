/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of a run: dump, record, report, snapshots, checkpoints. Files are opened before the run,
 * so that one that cannot be written is found early. */
#ifndef ZOID_RUNTIME_SESSION_RESULTS_H
#define ZOID_RUNTIME_SESSION_RESULTS_H

#include "runtime/error.h"
#include "runtime/session/session.h"

/* Open the files; rank 0 writes them. Collective. ZOID_BAD_ARGUMENT: two have the same name.
 * ZOID_RESOURCE: one cannot be written. */
enum zoid_status zoid_results_open(struct zoid_session *session);
/* Return the bytes of the staging buffer from which checkpoints are written asynchronously. 0: the
 * run waits for each, since plan and snapshots leave no memory, or the only one is the last. */
uint64_t zoid_results_staging(const struct zoid_session *session);
/* Write dump and record, and add derived values to the report. Collective. Files that have
 * non-finite values are complete; *found keeps ZOID_CHECK_FAILED then, unless it has a failure. */
enum zoid_status zoid_results_write(struct zoid_session *session, struct zoid_failure *found);
/* Write the report to its file, if there is one, on the rank that has it. */
enum zoid_status zoid_results_report(struct zoid_session *session);
/* Write the state to a file, as the setting `dump` does. Collective. */
enum zoid_status zoid_results_dump(struct zoid_session *session, const char *path);
/* Write a checkpoint to a folder, and wait until it is complete. Collective. */
enum zoid_status zoid_results_checkpoint(struct zoid_session *session, const char *folder);
/* Discard files that are not complete. */
void zoid_results_discard(struct zoid_session *session);

#endif
