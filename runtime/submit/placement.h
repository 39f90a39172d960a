/* SPDX-License-Identifier: BSD-3-Clause */
/* Where blocks run and where their data go: what the blocks' `next` and `lane` ask for. */
#ifndef ZOID_RUNTIME_SUBMIT_PLACEMENT_H
#define ZOID_RUNTIME_SUBMIT_PLACEMENT_H

#include "runtime/memory/store.h"

struct zoid_placement {
    const struct zoid_plan *plan;
    const struct zoid_store *store;
    int gpu[STARPU_MAXCUDADEVS], gpus; /* the workers that lanes run on, where the plan says so */
};

struct zoid_placement zoid_placement_of(const struct zoid_plan *plan,
                                        const struct zoid_store *store);
/* Whether there is more than one memory to place data in. */
bool zoid_placement_needed(const struct zoid_placement *p);
/* Which of the GPUs runs a lane, its worker, and the memory in which its blocks run, there or on
 * cores. */
int zoid_placement_memory(const struct zoid_placement *p, int lane);
unsigned zoid_placement_worker(const struct zoid_placement *p, int lane);
unsigned zoid_placement_node(const struct zoid_placement *p, int lane);
/* Whether a block's slabs can stay on the GPUs: after the last time everything goes home. */
bool zoid_placement_stays(const struct zoid_placement *p, const struct zoid_block *b);
/* The memory where the datum should go when the block has ended; where it is, if nobody cares. A
 * datum that is at home on a disk starts on its way there; for one that is at home in main memory
 * see zoid_placement_data. */
unsigned zoid_placement_next(const struct zoid_placement *p, const struct zoid_block *b,
                             const struct zoid_access *a);
/* Tells StarPU, after the block was submitted, what of its data is dead and what goes to main
 * memory. */
void zoid_placement_data(const struct zoid_placement *p, const struct zoid_block *b);

#endif
