/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs without overlap, for comparisons. Blocks come in rounds: data with a home that a round reads
 * come to the memory of its blocks; then these run; then data that are not needed for a while go
 * home. One of the three happens at a time, so nothing moves while a block runs.
 *
 * A round is the blocks that run at the same time. If one GPU keeps all slabs and the home of all
 * is main memory, only upload and download have to be kept apart from the blocks, and a round is
 * longer. Between GPUs, and in a round of several blocks, edges, halos and reuse data still move
 * when a block requests them. Messages of ranks are sent when the round that left them has run, and
 * travel while the next ones run. */
#ifndef ZOID_RUNTIME_SUBMIT_SERIAL_H
#define ZOID_RUNTIME_SUBMIT_SERIAL_H

#include "runtime/submit/placement.h"

struct zoid_serial;

/* Wrap `around`, a sink that submits blocks immediately; it and the placement must outlive the
 * result. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_serial_create(const struct zoid_placement *placement,
                                    struct zoid_sink *around, struct zoid_serial **serial);
struct zoid_sink *zoid_serial_sink(struct zoid_serial *serial);
/* Call after the emission, whatever it returned: runs an incomplete round, unless one has failed,
 * and frees everything. Returns the status of the rounds. Accepts NULL in *serial. */
enum zoid_status zoid_serial_finish(struct zoid_serial **serial);

#endif
