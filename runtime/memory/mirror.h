/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MEMORY_MIRROR_H
#define ZOID_RUNTIME_MEMORY_MIRROR_H

#include "runtime/memory/fill.h"

/* Mirror the state and the coefficients in place, along all axes, with one cell per rank and
 * coefficients that are values. Returns when it is done and the state is at home. With several
 * ranks, each then holds its owned planes as in the plan's graph with `turned` inverted. */
enum zoid_status zoid_mirror(const struct zoid_state *state);
/* Then, with that graph as the plan's: exchange the ghost planes that ranks hold besides their
 * owned ones, as a load does. Collective. */
enum zoid_status zoid_mirror_ghosts(const struct zoid_state *state);
/* Messages and bytes that all ranks together send in zoid_mirror_ghosts. */
struct zoid_mirror_sends {
    long messages;
    double bytes;
};
struct zoid_mirror_sends zoid_mirror_sends(const struct zoid_plan *plan);

#endif
