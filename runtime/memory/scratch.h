/* SPDX-License-Identifier: BSD-3-Clause */
/* The scratch of cores: each has its own, which is there before its first block wants it. */
#ifndef ZOID_RUNTIME_MEMORY_SCRATCH_H
#define ZOID_RUNTIME_MEMORY_SCRATCH_H

#include <stdatomic.h>
#include <stddef.h>

#include <starpu.h>

#include "runtime/zoid.h"

struct zoid_core_scratch {
    char *memory;                  /* of all cores; NULL: blocks need none */
    size_t bytes;                  /* of a core, whole pages */
    unsigned cores;                /* that have some */
    char *own[STARPU_NMAXWORKERS]; /* by worker; NULL: none yet */
    _Atomic unsigned given;        /* to cores, of those that had none at first */
};

/* So many bytes for every core that StarPU has, of which the first `used` are touched: each by a
 * thread on its core where every core gets one, else before it is known which cores come for them.
 * ZOID_RESOURCE: the system refuses them. */
enum zoid_status zoid_core_scratch_take(struct zoid_core_scratch *scratch, size_t bytes, long used);
/* Accepts one of zeros, and leaves it so. */
void zoid_core_scratch_give(struct zoid_core_scratch *scratch);
/* That of the core that calls, a StarPU worker; NULL: there is none. */
void *zoid_core_scratch_own(struct zoid_core_scratch *scratch);

#endif
