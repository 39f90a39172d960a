/* SPDX-License-Identifier: BSD-3-Clause */
/* What the receivers of a job see. */
#ifndef ZOID_RUNTIME_RECORD_H
#define ZOID_RUNTIME_RECORD_H

#include "runtime/job.h"

/* Makes the taps of a job whose plan is there, with room in the record for the steps that were
 * planned; and frees them. */
enum zoid_status zoid_record_create(struct zoid_job *job);
void zoid_record_destroy(struct zoid_job *job);
/* Has room in the record up to a step, for a run that may be longer than planned. */
enum zoid_status zoid_record_extend(struct zoid_job *job, long end);
/* Begins it anew. */
void zoid_record_begin(struct zoid_job *job, long start);
/* Fills the state, and keeps of it what is to be seen. */
void zoid_record_fill(struct zoid_job *job, zoid_box_fn *box, void *user);

#endif
