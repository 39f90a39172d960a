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

/* Seconds, of two ranks of one worker each on 2 EPYC cores (docs/design/planner.md): latency from
 * the end of a block that leaves a message to the start of the block that waits for it; and time of
 * the communication thread at either end of a message. */
static const double way = 0.22e-3, end = 14e-6;

/* Seconds per byte of that thread's copies from one memory to another: beside cores that all
 * compute, or alone if GPUs do. */
static double copying(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_copy_cost *far = &m->rates->cost[m->rates->costs - 1];

    return zoid_place_of(p)->memory == ZOID_RAM ? far->seconds : zoid_rates_memory(m->rates, 1);
}

/* Returns the seconds of that thread for an exchange. This rank sends as many messages as it gets,
 * and each byte is copied. */
static double exchange(const struct zoid_model *m, const struct zoid_plan *p)
{
    const double names = 1 + ZOID_MESSAGE_EPOCHS;
    const double sent = (double)zoid_budget_data(p, ZOID_MESSAGE) / names;
    const double bytes = (double)p->messages.all / names;

    return 2 * (sent * end + 2 * bytes * copying(m, p));
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

    if (g->leaf || zoid_ranks_along(g, zoid_chain(&g->shape)) > 1)
        return 0;
    return seconds / (double)zoid_epochs(g) / fmax(laps, 1) * fmax(1 - 2 / slabs, 0);
}

/* Seconds from leaving the first message until the messages arrive, if an exchange takes the thread
 * `exchange` seconds: those of the first slab, or of all if ends are sent as well. If joined, a
 * round of messages waits for the one before. */
static double arrival(const struct zoid_plan *p, double exchange)
{
    const struct zoid_graph *g = &p->graph;
    const bool ends = zoid_ranks_along(g, zoid_chain(&g->shape)) > 1;
    const double slabs = ends ? 1 : (double)p->census.kind[ZOID_SLAB].cols;

    return (g->joined ? zoid_ranks_axes(g) : 1) * way + exchange / slabs;
}

/* Seconds that a second of the thread adds. On cores it takes its time from one of the workers; the
 * threads that drive GPUs have time to spare. */
static double thread_share(const struct zoid_plan *p)
{
    return zoid_place_of(p)->memory == ZOID_RAM ? 1.0 / p->place.workers : 0;
}

/* Latency from the end of a block that leaves `bytes` bytes to the start of the one that waits for
 * them; on GPUs, with the transfers out of one memory and into the other. */
static double way_of(const struct zoid_plan *p, double bytes)
{
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];

    return way + (zoid_plan_streams(p) ? bytes * (gpu->down + gpu->up) : 0);
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
    const double message = (double)p->messages.all / (1 + ZOID_MESSAGE_EPOCHS);
    const double late =
        pass * (2 * (drift + (double)g->block) / height - 1 / lanes) + way_of(p, message);
    const double bytes = relay * passes + message * epochs;
    const double thread = 2 * ((passes + epochs) * end + 2 * bytes * far->seconds);
    const double waits = (ranks - 1) * (pass + way_of(p, relay)) + (epochs - 1) * fmax(late, 0);

    cost->part[ZOID_COST_MESSAGE] = thread + waits;
    cost->seconds = fmax(cost->seconds + thread_share(p) * thread, thread) + waits;
}

void zoid_estimate_messages(const struct zoid_model *m, const struct zoid_plan *p,
                            struct zoid_cost *cost)
{
    const double exchanges = (double)zoid_epochs(&p->graph) - 1;
    double one, thread, waits;

    /* Parts of a process hand messages to each other in place. */
    if (zoid_ranks_processes(&p->graph) == 1)
        return;
    if (zoid_grid_relays(&p->graph) && p->graph.steps) {
        add_turns(m, p, cost);
        return;
    }
    if (exchanges < 1)
        return;
    one = exchange(m, p);
    thread = exchanges * one;
    waits = exchanges * fmax(arrival(p, one) - meanwhile(p, cost->seconds), 0);
    cost->part[ZOID_COST_MESSAGE] = thread + waits;
    cost->seconds = fmax(cost->seconds + thread_share(p) * thread, thread) + waits;
}
