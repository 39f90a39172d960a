/* SPDX-License-Identifier: BSD-3-Clause */
/* What GPUs that keep all data take of one another. A block that reads what a block of another GPU
 * takes before it has it sent when that one has ended: not before, or it would be sent again. */
#ifndef ZOID_RUNTIME_SUBMIT_PEERS_H
#define ZOID_RUNTIME_SUBMIT_PEERS_H

#include "runtime/submit/placement.h"

struct zoid_peers {
    const struct zoid_placement *placement;
    int *taker; /* of each datum, the GPU of the last block so far in the stream; or NONE */
};

/* False: out of memory. Free it after that as well. */
bool zoid_peers_init(struct zoid_peers *peers, const struct zoid_placement *placement);
void zoid_peers_free(struct zoid_peers *peers);
/* Whether another GPU than a lane's was the last to take a datum. */
bool zoid_peers_elsewhere(const struct zoid_peers *peers, const struct zoid_datum *datum, int lane);
/* A block is about to be submitted. False: out of memory. */
bool zoid_peers_take(struct zoid_peers *peers, const struct zoid_block *b);

#endif
