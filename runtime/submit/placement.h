/* SPDX-License-Identifier: BSD-3-Clause */
/* Where blocks run and where their data go, as the blocks' `next` and `lane` say. */
#ifndef ZOID_RUNTIME_SUBMIT_PLACEMENT_H
#define ZOID_RUNTIME_SUBMIT_PLACEMENT_H

#include "runtime/memory/store.h"

struct zoid_placement {
    const struct zoid_plan *plan;
    const struct zoid_store *store;
    /* The workers that lanes run on, if the plan computes on GPUs. */
    int gpu[STARPU_MAXCUDADEVS], gpus;
};

struct zoid_placement zoid_placement_of(const struct zoid_plan *plan,
                                        const struct zoid_store *store);
/* True if there is more than one memory to place data in. */
bool zoid_placement_needed(const struct zoid_placement *p);
/* Index of the GPU that runs a lane, its worker, and the memory node in which the lane's blocks
 * run, there or on cores. */
int zoid_placement_memory(const struct zoid_placement *p, int lane);
unsigned zoid_placement_worker(const struct zoid_placement *p, int lane);
unsigned zoid_placement_node(const struct zoid_placement *p, int lane);
/* True if a block's slabs can stay on the GPUs; after the last time everything goes home. */
bool zoid_placement_stays(const struct zoid_placement *p, const struct zoid_block *b);
/* Memory node that a datum should move to when the block has ended; its present one if it does not
 * matter. A datum at home on a disk starts on its way there; for one at home in main memory see
 * zoid_placement_data. */
unsigned zoid_placement_next(const struct zoid_placement *p, const struct zoid_block *b,
                             const struct zoid_access *a);
/* Call after the block was submitted: tells StarPU which of its data are dead, and which go to main
 * memory. */
void zoid_placement_data(const struct zoid_placement *p, const struct zoid_block *b);

#endif
