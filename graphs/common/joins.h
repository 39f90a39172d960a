/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins [aggregated halo exchange]: if ranks exchange axis by axis, a cell adds to the message for
 * the next cell along an axis the points that it has received along earlier axes. */
#ifndef ZOID_GRAPHS_COMMON_JOINS_H
#define ZOID_GRAPHS_COMMON_JOINS_H

#include "graphs/common/messages.h"

/* Emit the joins that complete a message of a lap, after the block that left it. `col`: column of
 * the slab that the message goes with, or 0 if it is of all slabs. No-op if ranks do not exchange
 * axis by axis or the sink has no `join`. Returns 0 or the callback's non-zero value. */
struct zoid_joining {
    const struct zoid_block *after;
    struct zoid_cell_index from, to;
    long epoch, col;
};
int zoid_chain_join(const struct zoid_chain *chain, const struct zoid_joining *joining,
                    struct zoid_sink *sink);

#endif
