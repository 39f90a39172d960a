/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs without overlap, for comparisons. Blocks come in rounds: data that a round reads and that
 * have a home come to where its blocks run; then these run; then data that are not wanted for a
 * while go home. One of the three happens at a time, so nothing moves while a block runs.
 *
 * A round is as many blocks as run at the same time. Where one GPU keeps all slabs and none is at
 * home on a disk, only the way in and out is to be kept apart from the blocks, and a round is
 * longer. Between GPUs, and where a round has several blocks, edges, halos and reuse data still
 * move when a block asks for them. Messages of ranks are sent when the round that left them has
 * run, and travel while the next ones run. */
#ifndef ZOID_RUNTIME_SUBMIT_SERIAL_H
#define ZOID_RUNTIME_SUBMIT_SERIAL_H

#include "runtime/submit/placement.h"

struct zoid_serial;

/* Around a sink that submits blocks at once. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_serial_create(const struct zoid_placement *placement,
                                    struct zoid_sink *around, struct zoid_serial **serial);
struct zoid_sink *zoid_serial_sink(struct zoid_serial *serial);
/* After the emission, whatever it returned: runs a round that is not complete, unless one has
 * failed; nothing is left. Accepts NULL in *serial. */
enum zoid_status zoid_serial_finish(struct zoid_serial **serial);

#endif
