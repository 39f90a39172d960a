/* SPDX-License-Identifier: BSD-3-Clause */
/* Observations of receivers: the taps (injection and sampling points) of a plan, and their record
 * (shot gather). */
#ifndef ZOID_RUNTIME_MEMORY_RECORD_H
#define ZOID_RUNTIME_MEMORY_RECORD_H

#include "codelets/block/taps.h"
#include "runtime/memory/fill.h"

/* Create the taps of a plan, with a record for the steps of its problem. *taps must be NULL, and
 * stays NULL if the problem has no points. The plan must outlive them and not move. Destroy them
 * after a failure, too. */
enum zoid_status zoid_record_create(const struct zoid_plan *plan, struct zoid_taps **taps);
void zoid_record_destroy(const struct zoid_plan *plan, struct zoid_taps **taps);
/* These do nothing if taps is NULL. Extend the record to step `end`, for a run longer than planned.
 * ZOID_DOES_NOT_FIT: out of memory; ZOID_RESOURCE: GPUs cannot map the memory. */
enum zoid_status zoid_record_extend(const struct zoid_plan *plan, struct zoid_taps *taps, long end);
/* Clear the record, and let it begin with step `start`. */
void zoid_record_begin(struct zoid_taps *taps, long start);
/* Fill a state as zoid_fill_state does and, if taps is not NULL, record its values for the
 * receivers. */
void zoid_record_fill(const struct zoid_state *state, const struct zoid_taps *taps,
                      zoid_box_fn *box, void *user);

#endif
