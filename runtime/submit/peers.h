/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between GPUs that keep all data. If a block reads data that a block of another GPU
 * accesses before it, they are sent when that one has ended: earlier they would be sent again. */
#ifndef ZOID_RUNTIME_SUBMIT_PEERS_H
#define ZOID_RUNTIME_SUBMIT_PEERS_H

#include "runtime/submit/placement.h"

struct zoid_peers {
    const struct zoid_placement *placement;
    /* For each datum, the GPU of the last block of the stream so far that accesses it; or NONE. */
    int *taker;
};

/* Start with an empty stream. False: out of memory. Free it after that, too. */
bool zoid_peers_init(struct zoid_peers *peers, const struct zoid_placement *placement);
void zoid_peers_free(struct zoid_peers *peers);
/* True if the last GPU to access a datum is another one than a lane's. */
bool zoid_peers_elsewhere(const struct zoid_peers *peers, const struct zoid_datum *datum, int lane);
/* Call for a block that is about to be submitted: requests the transfers of its data from other
 * GPUs. False: out of memory. */
bool zoid_peers_take(struct zoid_peers *peers, const struct zoid_block *b);

#endif
