/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/peers.h"

#include <stdlib.h>

#include "graphs/kinds.h"
#include "graphs/residence.h"

enum { NONE = -1 };

struct trip {
    starpu_data_handle_t handle;
    int node;
};

bool zoid_peers_init(struct zoid_peers *peers, const struct zoid_placement *placement)
{
    const size_t data = zoid_store_data(placement->store);

    *peers = (struct zoid_peers){.placement = placement, .taker = malloc((data + 1) * sizeof(int))};
    for (size_t d = 0; d < data && peers->taker; d++)
        peers->taker[d] = NONE;
    return peers->taker != NULL;
}

void zoid_peers_free(struct zoid_peers *peers)
{
    free(peers->taker);
    peers->taker = NULL;
}

bool zoid_peers_elsewhere(const struct zoid_peers *peers, const struct zoid_datum *datum, int lane)
{
    const int taker = peers->taker[zoid_store_number(peers->placement->store, datum)];

    return taker != NONE && taker != zoid_placement_memory(peers->placement, lane);
}

static void arrived(void *arg)
{
    struct trip *trip = arg;

    starpu_data_release_on_node(trip->handle, trip->node);
    free(trip);
}

/* Unlike a prefetch, this waits for the earlier blocks that write the datum. */
static bool have_sent(const struct zoid_peers *peers, const struct zoid_datum *datum, int lane)
{
    struct trip *trip = malloc(sizeof *trip);

    if (!trip)
        return false;
    *trip = (struct trip){zoid_store_handle(peers->placement->store, datum),
                          (int)zoid_placement_node(peers->placement, lane)};
    starpu_data_acquire_on_node_cb(trip->handle, trip->node, STARPU_R, arrived, trip);
    return true;
}

bool zoid_peers_take(struct zoid_peers *peers, const struct zoid_block *b)
{
    const int memory = zoid_placement_memory(peers->placement, b->lane);

    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (zoid_kinds[a->datum.kind].constant)
            continue;
        if (zoid_access_reads(a) && zoid_peers_elsewhere(peers, &a->datum, b->lane) &&
            !have_sent(peers, &a->datum, b->lane))
            return false;
        peers->taker[zoid_store_number(peers->placement->store, &a->datum)] = memory;
    }
    return true;
}
