/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs without overlap, for comparisons: blocks come in rounds. What a round reads and has a home
 * is brought to where its blocks run; then these run; then what is not wanted for a while goes
 * home. One of the three at a time, so nothing moves while a block runs.
 *
 * A round is as many blocks as run at the same time. Where one GPU keeps all slabs and none is at
 * home on a disk, only the way in and out is left to be kept apart from the blocks, and a round is
 * longer. Between GPUs, and where a round has several blocks, edges, sides and reuse data still
 * move when a block asks for them. */
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
