/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MEMORY_TURN_H
#define ZOID_RUNTIME_MEMORY_TURN_H

#include "runtime/memory/fill.h"

/* Mirrors the state and the coefficients along all axes, where they lie, of one cell a rank whose
 * coefficients are values. Returns when it is done, and the state is at home; of several ranks each
 * then has its own planes as the graph has them that is turned when the plan's is not. */
enum zoid_status zoid_turn(const struct zoid_state *state);
/* With that graph: brings what ranks look at beside their own, as a load does. All ranks call. */
enum zoid_status zoid_turn_beside(const struct zoid_state *state);
/* What all ranks together send one another for that. */
struct zoid_turn_sends {
    long messages;
    double bytes;
};
struct zoid_turn_sends zoid_turn_sends(const struct zoid_plan *plan);

#endif
