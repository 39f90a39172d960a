/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs without overlap, for comparisons: blocks come in rounds. What a round reads and has a home is
 * brought to where its blocks run; then these run; then what is not wanted for a while goes home. One of
 * the three at a time, so nothing moves while a block runs.
 *
 * A round is as many blocks as run at the same time. Where one GPU keeps all slabs and none is at home
 * on a disk, only the way in and out is left to be kept apart from the blocks, and a round is longer.
 * Between GPUs, and where a round has several blocks, edges, sides and reuse data still move when a block
 * asks for them. */
#ifndef ZOID_RUNTIME_SUBMIT_SERIAL_H
#define ZOID_RUNTIME_SUBMIT_SERIAL_H

#include "runtime/zoid.h"

struct zoid_starpu_sink;

/* Blocks that wait for their round, with accesses of their own. */
struct zoid_serial {
    struct zoid_block *block;
    long n, most;
};

/* Blocks a round. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_serial_init(struct zoid_serial *serial, long most);
/* Takes a block; runs the round that it completes. */
enum zoid_status zoid_serial_add(struct zoid_starpu_sink *sink, const struct zoid_block *block);
/* Runs a round that is not complete. */
enum zoid_status zoid_serial_flush(struct zoid_starpu_sink *sink);
/* Forgets what is waiting. */
void zoid_serial_free(struct zoid_serial *serial);

#endif
