/* SPDX-License-Identifier: BSD-3-Clause */
/* When messages of ranks are awaited and sent. */
#ifndef ZOID_GRAPHS_COMMON_EXCHANGES_H
#define ZOID_GRAPHS_COMMON_EXCHANGES_H

#include "graphs/common/messages.h"

/* What ranks do with messages: before the first block, after each block, and after the last one.
 * After a block that is in rounds, one an axis where ranks exchange axis by axis: a round begins
 * when all ranks have done with the one before, and the second when all of their cells have. */
int zoid_chain_await_first(const struct zoid_chain *chain, struct zoid_sink *sink);
int zoid_chain_rounds(const struct zoid_chain *chain);
int zoid_chain_exchange(const struct zoid_chain *chain, const struct zoid_block *block, int round,
                        struct zoid_sink *sink);
int zoid_chain_send_rest(const struct zoid_chain *chain, struct zoid_sink *sink);

#endif
