/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance.h"

#include <limits.h>
#include <math.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/leg.h"
#include "runtime/boundary.h"
#include "runtime/machine/clock.h"
#include "runtime/memory/carry.h"
#include "runtime/memory/layers.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/schedule.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/due.h"

enum { PARTS = 2, MOST_OPEN = 2 };

/* ---- the controller ------------------------------------------------------------------------ */

/* Return the ghost planes that a subdomain computes in an epoch, on average: each step computes
 * fewer.
 */
static double ghost_planes(const struct zoid_graph *g)
{
    const struct zoid_range beside = zoid_grid_most_beside(g, zoid_chain(&g->shape));

    return (double)(beside.lo + beside.hi) / 4;
}

/* Return the planes that a subdomain may own: its buffers have room for so long a line. */
static long room_of(const struct zoid_graph *g)
{
    const struct zoid_range beside = zoid_grid_most_beside(g, zoid_chain(&g->shape));
    const long n = g->shape.n[zoid_chain(&g->shape)], line = zoid_cell_line(g);
    const bool round = zoid_axis_periodic(&g->shape, zoid_chain(&g->shape));

    if (line >= n && !round)
        return n;
    return line - beside.hi - (round ? beside.lo : 0);
}

/* Return the seconds of an epoch in a leg of a subdomain by a schedule of its graph, where all its
 * workers take 1 for it. */
static double epoch_of(const struct zoid_plan *plan, long epochs)
{
    struct zoid_plan p = *plan;
    bool clamped;

    p.graph.start = 0;
    p.graph.steps = epochs * p.graph.epoch;
    if (zoid_graph_init(&p.graph, &clamped))
        return 1;
    zoid_graph_census(&p.graph, &p.census);
    return zoid_turns(&p, 0) * p.place.workers;
}

/* Workers of a GPU have a queue, and one worker no pipeline. */
static double leg(void *balance, int part, long epochs)
{
    struct zoid_balancer *b = balance;
    const struct zoid_plan *p = &b->part[part].plan;
    const int longest = ZOID_LEGS_KNOWN - 1;
    double *known = b->leg[part];
    int i = 0;

    if (b->part[part].work.epochs.together || p->place.workers == 1)
        return 1;
    while (i < longest && 2L << i <= epochs)
        i++;
    if (!known[i])
        known[i] = epoch_of(p, 1L << i);
    if (!known[longest])
        known[longest] = epoch_of(p, 1L << longest);
    return fmax(known[i] / known[longest], 1);
}

void zoid_balancer_init(struct zoid_balancer *b, struct zoid_job_part *part, long border[])
{
    const struct zoid_graph *g = &part[0].plan.graph;
    const double epochs = (double)zoid_max(zoid_epochs(g), 1);
    const bool together = zoid_ranks_processes(g) > 1;
    const struct zoid_border_case of = {.planes = g->shape.n[zoid_chain(&g->shape)],
                                        .least = zoid_grid_least_planes(g),
                                        .ghost = ghost_planes(g),
                                        .cost = 0.02 * part[1].plan.cost.seconds / epochs,
                                        .leave = INFINITY,
                                        .leg = together ? NULL : leg,
                                        .of = b};

    *b = (struct zoid_balancer){.part = part,
                                .border = border,
                                .control = zoid_border_begin(&of),
                                .wish = border[1],
                                .together = together,
                                .leaves = -1,
                                .most = room_of(g)};
}

void zoid_balancer_report_begin(struct zoid_balancer *b)
{
    b->report = (struct zoid_border_report){.first = b->border[1], .last = b->border[1]};
}

void zoid_balancer_run(struct zoid_balancer *b, long end)
{
    b->end = end;
    b->moving = false;
    b->leaves = -1;
    b->learned = b->told = 0;
    for (int i = 0; i < PARTS; i++)
        zoid_epoch_clock_begin(&b->part[i].work.epochs);
}

/* Wait for epochs that are whole in both subdomains, since the blocks of one wait for messages of
 * the other: a subdomain with more lanes has fewer of them. */
static long whole_epochs(const struct zoid_balancer *b, long steps)
{
    long whole = LONG_MAX;

    for (int i = 0; i < PARTS; i++)
        whole = zoid_min(whole, zoid_due_whole_epochs(&b->part[i].plan.graph, steps));
    return whole;
}

/* Return the epochs that have ended when the last pass of an epoch opens: all but the last of those
 * that are whole. Until rates are known, or where they have changed, all of them, so that a leg of
 * two epochs teaches one; not with more than two epochs open, nor with stages in order, where
 * blocks of an epoch that is not whole wait for relays of the same epoch, which the other subdomain
 * submits after its question. */
static long ended_epochs(const struct zoid_balancer *b, long steps)
{
    const struct zoid_graph *g = &b->part->plan.graph;
    const long whole = whole_epochs(b, steps);
    const bool few = zoid_ceil_div(steps - g->start, g->epoch) - whole <= MOST_OPEN;

    return few && !zoid_grid_relays(g) && !b->known ? whole : whole - 1;
}

static void close_up(void *balance, long steps)
{
    const struct zoid_balancer *b = balance;
    const long ended = ended_epochs(b, steps);

    for (int i = 0; i < PARTS; i++)
        zoid_epoch_clock_wait(&b->part[i].work.epochs, ended);
}

static void seconds_of(const struct zoid_balancer *b, long epoch, double seconds[])
{
    for (int i = 0; i < PARTS; i++)
        seconds[i] = zoid_epoch_clock_seconds(&b->part[i].work.epochs, epoch);
}

/* The same epoch in all processes. */
static void tell(void *balance, long steps, double seconds[])
{
    struct zoid_balancer *b = balance;
    const long done = ended_epochs(b, steps);

    if (done <= b->told)
        return;
    seconds_of(b, done - 1, seconds);
    b->told = done;
}

static void hear(void *balance, const double seconds[])
{
    struct zoid_balancer *b = balance;

    if (seconds[0] > 0 && seconds[1] > 0)
        zoid_border_learn(&b->control, b->border[1], seconds);
    b->learned = b->told;
}

/* Learn from the epochs of the leg before `epochs` that have not taught yet. `agreed`: all
 * processes call it, and the one that took longest counts. */
static void learn(struct zoid_balancer *b, long epochs, bool agreed)
{
    for (; b->learned < epochs; b->learned++) {
        double seconds[PARTS];

        seconds_of(b, b->learned, seconds);
        for (int i = 0; agreed && i < PARTS; i++)
            seconds[i] = zoid_ranks_longest(seconds[i]);
        zoid_border_learn(&b->control, b->border[1], seconds);
    }
    b->known = zoid_border_is_known(&b->control);
}

/* Return the planes that the lower subdomain should have from a step on. */
static long wish_at(const struct zoid_balancer *b, long steps)
{
    const struct zoid_graph *upper = &b->part[1].plan.graph;
    const long wish = zoid_border_wish(&b->control, b->border[1], (b->end - steps) / upper->epoch);

    return zoid_min(zoid_max(wish, b->control.of.planes - room_of(upper)), b->most);
}

static bool moves(void *balance, long steps)
{
    struct zoid_balancer *b = balance;
    const long done = zoid_min(zoid_epoch_clock_done(&b->part[0].work.epochs),
                               zoid_epoch_clock_done(&b->part[1].work.epochs));

    /* Several processes have heard of the same epochs. */
    learn(b, b->together ? 0 : done, false);
    b->wish = wish_at(b, steps);
    b->leaves = zoid_border_leaves(&b->control, (b->end - steps) / b->part[0].plan.graph.epoch);
    b->moving = b->wish != b->border[1] && b->leaves < 0;
    return b->moving || b->leaves >= 0;
}

struct zoid_control zoid_balancer_control(struct zoid_balancer *b)
{
    return (struct zoid_control){
        .close_up = close_up, .tell = tell, .hear = hear, .moves = moves, .self = b};
}

/* ---- a move -------------------------------------------------------------------------------- */

/* The subdomains as they were before the border moved. */
struct before {
    long border[PARTS + 1];
    struct zoid_plan plan[PARTS];
    struct zoid_state state[PARTS];
};

static void remember(const struct zoid_balancer *b, struct before *old)
{
    const int chain = zoid_chain(&b->part[0].plan.graph.shape);

    for (int i = 0; i <= PARTS; i++)
        old->border[i] = b->border[i];
    for (int i = 0; i < PARTS; i++) {
        old->plan[i] = b->part[i].plan;
        old->plan[i].graph.cut[chain].border = old->border;
        old->state[i] = b->part[i].state;
        old->state[i].plan = &old->plan[i];
    }
}

/* Bring planes of the state to a subdomain from their owners. */
static enum zoid_status carry(const struct zoid_balancer *b, int i, const struct before *old,
                              struct zoid_range planes)
{
    const struct zoid_range state = {0, b->part[i].plan.problem.op->nstate};

    return zoid_carry(old->state, PARTS, &b->part[i].state, state, planes);
}

/* Bring a subdomain the planes that it holds from now on, and did not own. */
static enum zoid_status fetch_planes(const struct zoid_balancer *b, int i, const struct before *old)
{
    const struct zoid_gain gain = zoid_graph_gain(&old->plan[i].graph, &b->part[i].plan.graph);
    const enum zoid_status status = carry(b, i, old, gain.below);

    return status ? status : carry(b, i, old, gain.above);
}

/* Bring all subdomains the memory of all points that they hold from now on: theirs is that of the
 * points that they owned. */
static enum zoid_status fetch_memory(const struct zoid_balancer *b, const struct before *old)
{
    struct zoid_state state[PARTS];

    for (int i = 0; i < PARTS; i++)
        state[i] = b->part[i].state;
    return zoid_remembers(&old->plan->graph.shape)
               ? zoid_memory_carry(old->state, PARTS, state, PARTS)
               : ZOID_OK;
}

static void note_move(struct zoid_balancer *b, long steps, double seconds)
{
    struct zoid_border_report *r = &b->report;

    r->last = b->border[1];
    r->seconds += seconds;
    if (r->moves < ZOID_BORDERS_MOST) {
        r->way[r->moves].step = steps;
        r->way[r->moves].planes = b->border[1];
    }
    r->moves++;
}

enum zoid_status zoid_balancer_move(struct zoid_balancer *b, long steps)
{
    const struct zoid_graph *g = &b->part->plan.graph;
    const double start = zoid_machine_clock();
    enum zoid_status status = ZOID_OK;
    struct before old;
    double seconds;

    /* The last epochs teach, too: they have ended by now in all processes, which have heard of the
     * same ones. */
    learn(b, zoid_ceil_div(steps - g->start, g->epoch), true);
    b->wish = wish_at(b, steps);
    remember(b, &old);
    b->border[1] = b->wish;
    for (int i = 0; i < PARTS && !status; i++)
        status = zoid_part_begin(&b->part[i], steps, b->end);
    status = zoid_ranks_agree(status);
    for (int i = 0; i < PARTS && !status; i++)
        status = fetch_planes(b, i, &old);
    status = zoid_ranks_agree(status);
    if (!status)
        status = fetch_memory(b, &old);
    if (status)
        return status;
    zoid_channels_reset(b->part[0].work.channels);
    zoid_parts_share(b->part, PARTS);
    seconds = zoid_ranks_longest(zoid_machine_clock() - start);
    zoid_border_moved(&b->control, seconds);
    if (b->wish != old.border[1])
        note_move(b, steps, seconds);
    return ZOID_OK;
}
