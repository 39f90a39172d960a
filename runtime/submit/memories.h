/* SPDX-License-Identifier: BSD-3-Clause */
/* The GPU memories that data stream through: StarPU carries out the requests of the ledger.
 *
 * Only the thread that submits blocks calls the ledger; other threads leave messages for it. It
 * also makes all calls of these functions, except zoid_memories_ended and zoid_memories_keep. */
#ifndef ZOID_RUNTIME_SUBMIT_MEMORIES_H
#define ZOID_RUNTIME_SUBMIT_MEMORIES_H

#include "runtime/submit/placement.h"

struct zoid_memories;
struct zoid_stay; /* the claims of a block, from its admission to its end */

/* Allocate the state of the plan's GPU memories, all empty. The placement must outlive it.
 * ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_memories_create(const struct zoid_placement *placement,
                                      struct zoid_memories **memories);
/* Wait until fewer than `most` blocks are in flight and the memory of the block's lane has room for
 * its data, and prefetch those that it reads. The block is to be submitted next. NULL: out of
 * memory. */
struct zoid_stay *zoid_memories_admit(struct zoid_memories *memories,
                                      const struct zoid_block *block, long most);
/* Free the stay of a block that has ended, or was not submitted after all. Thread-safe. No block
 * that depends on it may have begun, so that the ledger learns of both ends in this order. */
void zoid_memories_ended(struct zoid_memories *memories, struct zoid_stay *stay);
/* Cancel the write-back of a datum to the disk: a task is about to access it. Thread-safe. */
void zoid_memories_keep(struct zoid_memories *memories, starpu_data_handle_t handle);
/* Wait until all blocks have ended and all data are back at their home. */
void zoid_memories_finish(struct zoid_memories *memories);
/* Free them, after zoid_memories_finish; accepts NULL in *memories. */
void zoid_memories_destroy(struct zoid_memories **memories);

#endif
