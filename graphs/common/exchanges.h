/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedule of the messages between ranks: when they are awaited and sent. Functions return 0 or a
 * callback's non-zero value. */
#ifndef ZOID_GRAPHS_COMMON_EXCHANGES_H
#define ZOID_GRAPHS_COMMON_EXCHANGES_H

#include "graphs/common/messages.h"

/* Await the messages of the first exchange, before the first block. */
int zoid_chain_await_first(const struct zoid_chain *chain, struct zoid_sink *sink);
/* Number of rounds of zoid_chain_exchange after a block: one for each axis if ranks exchange axis
 * by axis, else one. */
int zoid_chain_rounds(const struct zoid_chain *chain);
/* Await and send the messages that are due after a block, in one round. A round starts when all
 * ranks have finished the one before; the second one when all of their cells have. */
int zoid_chain_exchange(const struct zoid_chain *chain, const struct zoid_block *block, int round,
                        struct zoid_sink *sink);
/* After the last block, send the messages that are awaited but were never left, since a sink has
 * ended the graph. */
int zoid_chain_send_rest(const struct zoid_chain *chain, struct zoid_sink *sink);

#endif
