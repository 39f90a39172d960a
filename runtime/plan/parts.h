/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of a plan's data. */
#ifndef ZOID_RUNTIME_PLAN_PARTS_H
#define ZOID_RUNTIME_PLAN_PARTS_H

#include "codelets/block.h"
#include "runtime/zoid_advanced.h"

/* Return the memory layout of a cell's planes. */
struct zoid_layout zoid_plan_layout(const struct zoid_plan *plan, long cell);
/* Return the elements per plane of a halo (0: no halos), of an end (a boundary slab of a cell), and
 * of a message. */
size_t zoid_plan_halo(const struct zoid_plan *plan);
size_t zoid_plan_end(const struct zoid_plan *plan);
size_t zoid_plan_message(const struct zoid_plan *plan, const struct zoid_datum *message);
/* Return the memory of layers that a halo or an end has, by its kind, and a message. */
struct zoid_tail zoid_plan_tail(const struct zoid_plan *plan, int kind);
struct zoid_tail zoid_plan_message_tail(const struct zoid_plan *plan,
                                        const struct zoid_datum *message);
/* Return the most rows of a strip; 0: planes are not cut into strips. */
long zoid_plan_strip(const struct zoid_plan *plan);

#endif
