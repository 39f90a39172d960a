/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of messages between ranks: the time of the thread that sends and receives them, and the wait
 * of blocks between two epochs for the first messages, less the computation that overlaps it. */
#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/common/messages.h"
#include "graphs/message.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"

/* Seconds per byte of that thread's copies from one memory to another: beside cores that all
 * compute, or alone if GPUs do. */
static double copying(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_copy_cost *far = &m->rates->cost[m->rates->costs - 1];

    return zoid_place_of(p)->memory == ZOID_RAM ? far->seconds : zoid_rates_memory(m->rates, 1);
}

double zoid_estimate_thread(const struct zoid_model *m, const struct zoid_plan *p, double n,
                            double bytes)
{
    return n * m->network.message + 2 * bytes * copying(m, p);
}

/* Messages of this rank in a halo exchange: it sends and receives the same number. */
struct exchange {
    double bytes;  /* sent */
    double thread; /* seconds of that thread: each byte is copied */
    double wire;   /* seconds of these bytes at the bandwidth of the network */
};

static struct exchange exchange_of(const struct zoid_model *m, const struct zoid_plan *p)
{
    const double names = 1 + ZOID_MESSAGE_EPOCHS;
    const double sent = (double)p->remote_messages.data / names;
    const double bytes = (double)p->remote_messages.all / names;

    return (struct exchange){.bytes = bytes,
                             .thread = 2 * zoid_estimate_thread(m, p, sent, bytes),
                             .wire = bytes * m->network.wire};
}

/* Return whether ends (boundary slabs) go to other processes. */
static bool ends_travel(const struct zoid_graph *g)
{
    return zoid_ranks_along(g, zoid_chain(&g->shape)) > 1 && !g->apart;
}

/* Seconds that a rank computes between leaving its first message of an exchange and needing the
 * first one: the rest of the epoch's last lap after its first two slabs, since the first is
 * complete when its neighbour's block has run. An end (boundary slab) needs all of the lap, and a
 * recursion goes back and forth. */
static double meanwhile(const struct zoid_plan *p, double seconds)
{
    const struct zoid_graph *g = &p->graph;
    const double laps = ceil((double)g->epoch / (double)g->depth / zoid_estimate_lanes(p));
    const double slabs = (double)p->census.kind[ZOID_SLAB].cols * (double)zoid_rank_cells(g);

    if (g->leaf || ends_travel(g))
        return 0;
    return seconds / (double)zoid_epochs(g) / fmax(laps, 1) * fmax(1 - 2 / slabs, 0);
}

/* Seconds that `bytes` bytes take from the memory of a GPU to that of another rank's GPU, over the
 * link of each. */
static double links(const struct zoid_plan *p, double bytes)
{
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];

    return zoid_plan_streams(p) ? bytes * (gpu->down + gpu->up) : 0;
}

/* Number of parts of an exchange that blocks await one after another: one for each slab, or one if
 * ends (boundary slabs) are sent as well. */
static double shares(const struct zoid_plan *p)
{
    return ends_travel(&p->graph) ? 1 : (double)p->census.kind[ZOID_SLAB].cols;
}

/* Rounds of an exchange: if joined, a round of messages waits for the one before. */
static double rounds(const struct zoid_plan *p)
{
    return p->graph.joined ? zoid_ranks_axes(&p->graph) : 1;
}

/* Seconds that a second of the thread adds. On cores it takes its time from one of the workers; the
 * threads that drive GPUs have time to spare. */
static double thread_share(const struct zoid_plan *p)
{
    return zoid_place_of(p)->memory == ZOID_RAM ? 1.0 / p->place.workers : 0;
}

/* Seconds from the end of a block that leaves a message of `bytes` bytes to the start of the one
 * that waits for it. */
static double way_of(const struct zoid_model *m, const struct zoid_plan *p, double bytes)
{
    return m->network.way + bytes * m->network.wire + links(p, bytes);
}

/* Add the cost of ranks that take turns, since stages take points in order. The last rank begins
 * when a pass has gone through all others, and a rank comes to its highest planes of an epoch when
 * the rank above has finished its lowest ones of the epoch before: a way up and a way down after
 * its last pass arrived there. */
static void add_turns(const struct zoid_model *m, const struct zoid_plan *p, struct zoid_cost *cost)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_copy_cost *far = &m->rates->cost[m->rates->costs - 1];
    const double ranks = (double)zoid_ranks(g), epochs = (double)zoid_epochs(g);
    const double passes = ceil((double)g->steps / (double)g->depth);
    const double lanes = fmin(zoid_estimate_lanes(p), passes);
    const double pass = cost->seconds * lanes / passes; /* of one pass, through a rank */
    const double height = (double)g->shape.n[zoid_chain(&g->shape)] / ranks;
    const double drift = (double)zoid_grid_most_beside(g, zoid_chain(&g->shape)).hi;
    const double relay = (double)zoid_budget_datum_bytes(p, ZOID_RELAY);
    const double message = (double)p->remote_messages.all / (1 + ZOID_MESSAGE_EPOCHS);
    const double late =
        pass * (2 * (drift + (double)g->block) / height - 1 / lanes) + way_of(m, p, message);
    const double bytes = relay * passes + message * epochs;
    const double thread = 2 * ((passes + epochs) * m->network.message + 2 * bytes * far->seconds);
    const double waits = (ranks - 1) * (pass + way_of(m, p, relay)) + (epochs - 1) * fmax(late, 0);

    cost->part[ZOID_COST_MESSAGE] = thread + waits;
    cost->seconds = fmax(cost->seconds + thread_share(p) * thread, thread) + waits;
}

/* Seconds from leaving the first messages until they arrive: through the thread and the network,
 * whichever takes longer, and over the links of GPUs. */
static double arrival(const struct zoid_exchange_cost *c)
{
    return c->ways + (fmax(c->thread, c->wire) + c->links) / c->parts;
}

double zoid_exchange_waits(const struct zoid_exchange_cost *c)
{
    return c->exchanges * fmax(arrival(c) - c->hidden * c->base, 0);
}

double zoid_exchange_seconds(const struct zoid_exchange_cost *c)
{
    const double thread = c->exchanges * c->thread;

    return fmax(fmax(c->base + c->share * thread, thread), c->exchanges * c->wire) +
           zoid_exchange_waits(c);
}

bool zoid_estimate_exchange(const struct zoid_model *m, const struct zoid_plan *p, double base,
                            struct zoid_exchange_cost *cost)
{
    const struct exchange one = exchange_of(m, p);

    *cost = (struct zoid_exchange_cost){.base = base,
                                        .exchanges = (double)zoid_epochs(&p->graph) - 1,
                                        .ways = rounds(p) * m->network.way,
                                        .wire = one.wire,
                                        .thread = one.thread,
                                        .links = links(p, one.bytes),
                                        .parts = shares(p),
                                        .share = thread_share(p),
                                        .hidden = base > 0 ? meanwhile(p, base) / base : 0};
    return cost->exchanges >= 1 && zoid_ranks_processes(&p->graph) > 1 &&
           !zoid_grid_relays(&p->graph);
}

void zoid_estimate_messages(const struct zoid_model *m, const struct zoid_plan *p,
                            struct zoid_cost *cost)
{
    struct zoid_exchange_cost one;

    cost->alone = cost->seconds;
    /* Parts of a process hand messages to each other in place. */
    if (zoid_ranks_processes(&p->graph) == 1)
        return;
    if (zoid_grid_relays(&p->graph) && p->graph.steps) {
        add_turns(m, p, cost);
        return;
    }
    if (!zoid_estimate_exchange(m, p, cost->seconds, &one))
        return;
    cost->part[ZOID_COST_MESSAGE] =
        one.exchanges * fmax(one.thread, one.wire) + zoid_exchange_waits(&one);
    cost->seconds = zoid_exchange_seconds(&one);
}
