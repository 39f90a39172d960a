/* SPDX-License-Identifier: BSD-3-Clause */
/* Scratch memory of each core, allocated before the core's first block needs it. */
#ifndef ZOID_RUNTIME_MEMORY_SCRATCH_H
#define ZOID_RUNTIME_MEMORY_SCRATCH_H

#include <stdatomic.h>
#include <stddef.h>

#include <starpu.h>

#include "runtime/zoid.h"

struct zoid_core_scratch {
    char *memory;                  /* of all cores; NULL: blocks need no scratch */
    size_t bytes;                  /* per core, whole pages */
    unsigned cores;                /* cores that have some */
    char *own[STARPU_NMAXWORKERS]; /* by worker; NULL: not assigned yet */
    _Atomic unsigned given;        /* parts assigned on demand */
};

/* Allocate `bytes` bytes for every core that StarPU has, or for the first one of each `team` of
 * them, and touch those of the first `used`: if
 * all cores get some, each from a thread bound to its core; otherwise from any, since it is not
 * known yet which cores will take them. ZOID_RESOURCE: the system refuses. */
enum zoid_status zoid_core_scratch_take(struct zoid_core_scratch *scratch, size_t bytes, long used,
                                        int team);
/* Bind the calling thread to a worker's core; it stays where it is if the system refuses. */
void zoid_core_bind(int worker);
/* Free all; accepts a struct of zeros, and leaves one. */
void zoid_core_scratch_give(struct zoid_core_scratch *scratch);
/* Scratch of the calling StarPU worker; NULL: there is no scratch. */
void *zoid_core_scratch_own(struct zoid_core_scratch *scratch);

#endif
