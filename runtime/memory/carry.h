/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MEMORY_CARRY_H
#define ZOID_RUNTIME_MEMORY_CARRY_H

#include "runtime/memory/fill.h"

/* Copy planes of fields, of the state or coefficients that are values, into a store from those of
 * the `owners` that own them, through a buffer for some of them. Planes beyond a periodic face are
 * those of the domain again. All are of one problem, at home in main memory, and no task runs. With
 * several processes, all of them call it for the same planes, and exchange the points between them.
 * ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_carry(const struct zoid_state owner[], int owners,
                            const struct zoid_state *to, struct zoid_range fields,
                            struct zoid_range planes);

#endif
