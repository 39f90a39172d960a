/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MEMORY_TURN_H
#define ZOID_RUNTIME_MEMORY_TURN_H

#include "runtime/memory/fill.h"

/* Mirrors the state and the coefficients along all axes, where they lie, of a domain in one cell
 * whose coefficients are values. Returns when it is done, and the state is at home. */
enum zoid_status zoid_turn(const struct zoid_state *state);

#endif
