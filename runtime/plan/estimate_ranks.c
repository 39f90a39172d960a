/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of messages between ranks: the time of the thread that sends and receives them, and the wait
 * of blocks between two epochs for the first messages, less the computation that overlaps it. */
#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/common/messages.h"
#include "graphs/message.h"
#include "runtime/machine/card.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"
#include "runtime/ranks/share.h"

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
    const double copy = m->network.copy;

    return n * m->network.message + bytes * (copy > 0 ? copy : 2 * copying(m, p));
}

/* Messages of this rank in a halo exchange: it sends and receives the same number. */
struct exchange {
    double messages, bytes; /* sent */
    double thread;          /* seconds of that thread: each byte is copied */
    double wire;            /* seconds of these bytes at the bandwidth of the network */
};

static struct exchange exchange_of(const struct zoid_model *m, const struct zoid_plan *p)
{
    const double names = 1 + ZOID_MESSAGE_EPOCHS;
    const double sent = (double)p->remote_messages.data / names;
    const double bytes = (double)p->remote_messages.all / names;

    return (struct exchange){.messages = sent,
                             .bytes = bytes,
                             .thread = 2 * zoid_estimate_thread(m, p, sent, bytes),
                             .wire = bytes * m->network.wire};
}

/* Laps of an epoch over all slabs. Lanes of one worker that wait for messages go one after another,
 * and those of several workers together. */
static double laps(const struct zoid_plan *p)
{
    const double visits = (double)p->graph.epoch / (double)p->graph.depth;
    const double lanes = fmin(zoid_estimate_lanes(p), p->place.workers);

    return fmax(ceil(visits / lanes), 1);
}

/* Slabs whose messages the first block of an epoch awaits: blocks that read edges read those of the
 * next slab, too. */
static double first_slabs(const struct zoid_plan *p)
{
    return p->census.kind[ZOID_EDGE].rows ? 2 : 1;
}

/* Blocks that follow that of a slab until it is complete: the next one, if blocks hand on reuse
 * data. */
static double late_slabs(const struct zoid_plan *p)
{
    return p->census.kind[ZOID_REUSE].rows ? 1 : 0;
}

/* Return whether a GPU has one chain of blocks. StarPU brings their messages when one may run. */
static bool is_chain(const struct zoid_plan *p)
{
    return zoid_plan_streams(p) && p->census.kind[ZOID_REUSE].rows && p->graph.method->pipelined &&
           zoid_estimate_lanes(p) <= p->place.workers;
}

/* Seconds that `bytes` bytes take from the memory of a GPU to that of another rank's GPU, over the
 * link of each. */
static double links(const struct zoid_plan *p, double bytes)
{
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];

    return zoid_plan_streams(p) ? bytes * (gpu->down + gpu->up) : 0;
}

/* Number of parts of an exchange that blocks await one after another: one for each slab, or for as
 * many as workers compute at once; one if a recursion goes back and forth. */
static double parts_of(const struct zoid_plan *p)
{
    const double abreast = fmin(p->census.about.abreast, p->place.workers);

    return p->graph.leaf ? 1 : ceil((double)p->census.kind[ZOID_SLAB].cols / fmax(abreast, 1));
}

/* Rounds of an exchange: if joined, a round of messages waits for the one before. */
static double rounds(const struct zoid_plan *p)
{
    return p->graph.joined ? zoid_ranks_axes(&p->graph) : 1;
}

/* Where all cores have workers the thread takes its time from one of these; ranks with more cores
 * leave it one, as the threads that drive GPUs do. */
bool zoid_estimate_steals(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_machine *machine = m->machine;
    const int ranks = machine->spread || machine->ranks < 1 ? 1 : machine->ranks;
    const bool spare = machine->cpu_workers >= zoid_share_workers(ZOID_CORES_TO_SPARE) &&
                       machine->cpu_workers * ranks < machine->cores;

    return zoid_place_of(p)->memory == ZOID_RAM && !spare;
}

/* Seconds that a second of the thread adds. */
static double thread_share(const struct zoid_model *m, const struct zoid_plan *p)
{
    return zoid_estimate_steals(m, p) ? 1.0 / p->place.workers : 0;
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
    const double thread = 2 * zoid_estimate_thread(m, p, passes + epochs, bytes);
    const double waits = (ranks - 1) * (pass + way_of(m, p, relay)) + (epochs - 1) * fmax(late, 0);

    cost->part[ZOID_COST_MESSAGE] = thread + waits;
    cost->seconds = fmax(cost->seconds + thread_share(m, p) * thread, thread) + waits;
}

/* Part of the seconds without messages in which blocks run, epoch by epoch. */
static double steady(const struct zoid_plan *p, const struct zoid_cost *cost)
{
    const double blocks = cost->part[ZOID_COST_COMPUTE] + cost->part[ZOID_COST_TASK];

    return zoid_plan_streams(p) && zoid_plan_stays(p) && cost->alone > 0
               ? fmin(blocks / cost->alone, 1)
               : 1;
}

bool zoid_estimate_exchange(const struct zoid_model *m, const struct zoid_plan *p,
                            const struct zoid_cost *cost, struct zoid_exchange_cost *exchange)
{
    const struct exchange one = exchange_of(m, p);
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];
    const double onto = zoid_plan_streams(p) ? one.bytes : 0;
    const double moves =
        zoid_plan_streams(p) ? one.messages * zoid_card_of(m->machine->gpu)->move : 0;

    *exchange = (struct zoid_exchange_cost){
        .base = cost->alone,
        .steady = steady(p, cost),
        .exchanges = (double)zoid_epochs(&p->graph) - 1,
        .ways = rounds(p) * m->network.way,
        .wire = one.wire,
        .thread = one.thread,
        .down = onto * gpu->down + moves,
        .up = onto * gpu->up + moves,
        .parts = parts_of(p),
        .laps = laps(p),
        .rounds = rounds(p),
        .first = first_slabs(p),
        .chain = is_chain(p),
        .late = late_slabs(p),
        .largest = one.bytes > 0 ? (double)p->remote_messages.most / one.bytes : 1,
        .ends = 1 - (double)p->remote_beside.all / fmax((double)p->remote_messages.all, 1),
        .share = thread_share(m, p)};
    return exchange->exchanges >= 1 && zoid_ranks_processes(&p->graph) > 1 &&
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
    if (!zoid_estimate_exchange(m, p, cost, &one))
        return;
    cost->seconds = zoid_exchange_seconds(&one);
    cost->part[ZOID_COST_MESSAGE] = one.exchanges * fmax(one.thread, one.wire) + cost->seconds -
                                    one.base - one.share * one.exchanges * one.thread;
}
