/* SPDX-License-Identifier: BSD-3-Clause */
/* Emission for methods that cut only the chain axis: a diagonal wavefront over passes and
 * positions, so that several passes advance together.
 *
 *   position  0   1   2   3   4   5        number = order in which the block is emitted
 *   pass 0    0   1   2   3   4   5        (two lanes, lead 1)
 *   pass 1            2   3   4   5 ...
 *
 * If the domain is cut into cells, a pass runs over the positions of one cell after the other. Each
 * such run is a *lap* [time block of one subdomain], and passes above then stands for laps. */
#ifndef ZOID_GRAPHS_COMMON_CHAIN_H
#define ZOID_GRAPHS_COMMON_CHAIN_H

#include "graphs/common/passes.h"

/* Emit loads, blocks and stores. Returns 0, ZOID_GRAPH_NO_MEMORY or a callback's non-zero value.
 * Lowers chain->passes if the sink ends the graph. */
int zoid_chain_emit(struct zoid_chain *chain, struct zoid_sink *sink);

#endif
