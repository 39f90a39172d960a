/* SPDX-License-Identifier: BSD-3-Clause */
/* The memories of GPUs that data come and go through: what the ledger asks for, done by StarPU.
 *
 * The thread that submits blocks calls all of these but zoid_memories_ended, and only it speaks to
 * the ledger: others leave it word. */
#ifndef ZOID_RUNTIME_SUBMIT_MEMORIES_H
#define ZOID_RUNTIME_SUBMIT_MEMORIES_H

#include "runtime/submit/placement.h"

struct zoid_memories;
struct zoid_stay; /* of a block's data, from its admission to its end */

/* The placement must outlive it. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_memories_create(const struct zoid_placement *placement,
                                      struct zoid_memories **memories);
/* Waits until fewer than `most` blocks are on their way and the memory of the block's lane has room
 * for its data, and asks for those that it reads. The block is to be submitted next. NULL: out of
 * memory. */
struct zoid_stay *zoid_memories_admit(struct zoid_memories *memories,
                                      const struct zoid_block *block, long most);
/* By any thread: the block has ended, or was not submitted after all. Takes the stay. None that
 * waits for the block may have begun, so that the ledger hears of both in this order. */
void zoid_memories_ended(struct zoid_memories *memories, struct zoid_stay *stay);
/* What is about to be accessed need not go to the disk any more. */
void zoid_memories_keep(struct zoid_memories *memories, starpu_data_handle_t handle);
/* Waits until all blocks have ended and everything has gone home. */
void zoid_memories_finish(struct zoid_memories *memories);
/* After that. Accepts NULL in *memories. */
void zoid_memories_destroy(struct zoid_memories **memories);

#endif
