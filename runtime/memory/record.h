/* SPDX-License-Identifier: BSD-3-Clause */
/* Observations of receivers: the sample points (injection and sampling points) of a plan, and their
 * record (shot gather). */
#ifndef ZOID_RUNTIME_MEMORY_RECORD_H
#define ZOID_RUNTIME_MEMORY_RECORD_H

#include "codelets/block/sample_points.h"
#include "runtime/memory/fill.h"

/* Create the sample points of a plan, with a record for the steps of its problem. *sample_points
 * must be NULL, and stays NULL if the problem has no points. The plan must outlive them and not
 * move. Destroy them after a failure, too. */
enum zoid_status zoid_record_create(const struct zoid_plan *plan,
                                    struct zoid_sample_points **sample_points);
void zoid_record_destroy(const struct zoid_plan *plan, struct zoid_sample_points **sample_points);
/* These do nothing if sample points is NULL. Extend the record to step `end`, for a run longer than
 * planned. ZOID_DOES_NOT_FIT: out of memory; ZOID_RESOURCE: GPUs cannot map the memory. */
enum zoid_status zoid_record_extend(const struct zoid_plan *plan,
                                    struct zoid_sample_points *sample_points, long end);
/* Clear the record, and let it begin with step `start`. */
void zoid_record_begin(struct zoid_sample_points *sample_points, long start);
/* Fill a state as zoid_fill_state does and, if sample points is not NULL, record its values for the
 * receivers. */
void zoid_record_fill(const struct zoid_state *state,
                      const struct zoid_sample_points *sample_points, zoid_box_fn *box, void *user);

#endif
