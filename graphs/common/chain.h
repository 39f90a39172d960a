/* SPDX-License-Identifier: BSD-3-Clause */
/* The emission that methods that cut only the chain axis share: diagonally over passes and
 * positions, so that several passes advance together.
 *
 *   position  0   1   2   3   4   5        number = turn in which the block is emitted
 *   pass 0    0   1   2   3   4   5        (two lanes, lead 1)
 *   pass 1            2   3   4   5 ...
 *
 * Where planes are cut into cells, a pass goes up the positions for one cell after the other. Each
 * time is a *lap*; what is said of passes above then goes for laps.
 */
#ifndef ZOID_GRAPHS_COMMON_CHAIN_H
#define ZOID_GRAPHS_COMMON_CHAIN_H

#include "graphs/common/passes.h"

/* Loads, blocks, stores. The chain has fewer passes afterwards where the sink has said so. */
int zoid_chain_emit(struct zoid_chain *chain, struct zoid_sink *sink);

#endif
