/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MEMORY_GHOSTS_H
#define ZOID_RUNTIME_MEMORY_GHOSTS_H

#include "runtime/zoid_advanced.h"

/* Complete planes of the domain, or a part of each, packed: their points that this process owns are
 * set, and those that its cells hold beside them, in its part of these planes, come from the
 * processes that own them. Planes may be of anything that has a value a point. Collective, with the
 * same planes. No-op with one process. ZOID_RESOURCE: out of memory, on all of them. */
enum zoid_status zoid_ghosts_exchange(const struct zoid_graph *graph, const struct zoid_box *planes,
                                      size_t point_bytes, void *values);

#endif
