/* SPDX-License-Identifier: BSD-3-Clause */
/* Scratch of a simulation, in place of runtime/memory/scratch.c: blocks compute nothing. */
#include "runtime/memory/scratch.h"

void zoid_core_bind(int worker)
{
    (void)worker;
}

enum zoid_status zoid_core_scratch_take(struct zoid_core_scratch *s, size_t bytes, long used,
                                        int team)
{
    (void)bytes;
    (void)used;
    (void)team;
    *s = (struct zoid_core_scratch){.memory = NULL};
    return ZOID_OK;
}

void zoid_core_scratch_give(struct zoid_core_scratch *s)
{
    *s = (struct zoid_core_scratch){.memory = NULL};
}

void *zoid_core_scratch_own(struct zoid_core_scratch *s)
{
    (void)s;
    return NULL;
}
