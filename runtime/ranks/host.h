/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication among the ranks of a host; collective, as in ranks.h. */
#ifndef ZOID_RUNTIME_RANKS_HOST_H
#define ZOID_RUNTIME_RANKS_HOST_H

#include "runtime/zoid.h"

/* Gather `n` bytes of each rank on all of them, by their index on the host. */
void zoid_host_gather(const void *mine, size_t n, void *all);
/* Return the least value of all ranks of the host. */
uint64_t zoid_host_least(uint64_t value);

#endif
