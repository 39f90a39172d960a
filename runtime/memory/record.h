/* SPDX-License-Identifier: BSD-3-Clause */
/* What the receivers of a run see: the taps of a plan, and their record. */
#ifndef ZOID_RUNTIME_MEMORY_RECORD_H
#define ZOID_RUNTIME_MEMORY_RECORD_H

#include "codelets/taps.h"
#include "runtime/memory/fill.h"

/* The taps of a plan, which must stay where it is, with room in the record for the steps of its
 * problem; NULL where that has no points. Free them after a failure as well. */
enum zoid_status zoid_record_create(const struct zoid_plan *plan, struct zoid_taps **taps);
void zoid_record_destroy(const struct zoid_plan *plan, struct zoid_taps **taps);
/* All of these do nothing where there are no taps. Makes room in the record up to a step, for a run
 * that may be longer than planned. */
enum zoid_status zoid_record_extend(const struct zoid_plan *plan, struct zoid_taps *taps, long end);
/* Begins it anew. */
void zoid_record_begin(struct zoid_taps *taps, long start);
/* Fills a state, and keeps of it what is to be seen. */
void zoid_record_fill(const struct zoid_state *state, const struct zoid_taps *taps,
                      zoid_box_fn *box, void *user);

#endif
