/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a host tell each other; as in ranks.h, all of them call these. */
#ifndef ZOID_RUNTIME_RANKS_HOST_H
#define ZOID_RUNTIME_RANKS_HOST_H

#include "runtime/zoid.h"

/* `n` bytes of each, in the order of their numbers there, on all of them. */
void zoid_host_gather(const void *mine, size_t n, void *all);
/* The least of them all. */
uint64_t zoid_host_least(uint64_t value);

#endif
