/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins: where ranks exchange axis by axis, a cell adds to what it has left for the next cell along
 * an axis what has come to it along the axes before. */
#ifndef ZOID_GRAPHS_COMMON_JOINS_H
#define ZOID_GRAPHS_COMMON_JOINS_H

#include "graphs/common/messages.h"

/* Emits the joins that complete a message which a lap has left, after its block. `col`: of the slab
 * beside which it was left, or 0 where it is of all slabs. */
struct zoid_joining {
    const struct zoid_block *after;
    struct zoid_cell_index from, to;
    long epoch, col;
};
int zoid_chain_join(const struct zoid_chain *chain, const struct zoid_joining *joining,
                    struct zoid_sink *sink);

#endif
