/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of halo exchanges between ranks, by a replay of some epochs of one rank. All ranks are taken
 * to be alike, so that what a rank receives arrives when its own messages do. The messages of each
 * slab, a part of the exchange, go one after another through
 *
 *   block -> link down -> thread (sends) -> network -> thread (receives) -> link up -> block
 *
 * of which the thread serves both directions in the order in which messages come to it. Messages to
 * ranks above and below are another part, which the last block of an epoch leaves and the first one
 * of the next epoch awaits. */
#include <math.h>

#include "runtime/plan/estimate.h"

/* Limits of the replay: later epochs take the same time, and many parts as long as fewer larger
 * ones; a part is a few messages of equal size. */
enum { EPOCHS = 6, PARTS = 48, PIECES = 4, ROUNDS = 3, MOST = (PARTS + 1) * PIECES };

struct replay {
    int parts, pieces, rounds, first, late;
    bool ends;                          /* there is a part for ranks above and below */
    bool chain;                         /* no block runs beside another one */
    double visit, laps;                 /* seconds of blocks on a part, and visits in an epoch */
    double down, thread, wire, way, up; /* seconds of all messages; of a round, but for links */
    double size[2];                     /* share of a message of a slab, and of the last part */
    struct {
        double blocks, down, thread, wire, up;
    } free; /* when each resource is */
    double left[PARTS + 1], came[PARTS + 1];
};

/* ---- the way of the messages ---------------------------------------------------------------- */

/* When messages come to the thread, those of a part after those of the one before. */
struct queue {
    double at[MOST];
    int came, served;
};

static double size_of(const struct replay *r, int part)
{
    return r->size[part == r->parts];
}

static double use(double *free, double at, double seconds)
{
    *free = fmax(*free, at) + seconds;
    return *free;
}

/* The queue whose next message came first; NULL if there is none. */
static struct queue *next_of(struct queue queues[], int n)
{
    struct queue *next = NULL;

    for (struct queue *q = queues; q < queues + n; q++)
        if (q->served < q->came && (!next || q->at[q->served] < next->at[next->served]))
            next = q;
    return next;
}

/* Take the messages that the last epoch has left to the rank that reads them. Queue 2 i has those
 * to be sent in round i, and the one after it those that are received. */
static void exchange(struct replay *r)
{
    struct queue queues[2 * ROUNDS], *q;

    for (int i = 0; i < 2 * r->rounds; i++)
        queues[i].came = queues[i].served = 0;
    for (int i = 0; i < (r->parts + r->ends) * r->pieces; i++)
        queues->at[queues->came++] =
            use(&r->free.down, r->left[i / r->pieces], size_of(r, i / r->pieces) * r->down);
    while ((q = next_of(queues, 2 * r->rounds))) {
        /* A message goes on when the thread comes to it, and the next one waits. */
        const double at = fmax(r->free.thread, q->at[q->served]);
        const int i = (int)(q - queues), part = q->served++ / r->pieces;
        const double size = size_of(r, part);

        r->free.thread = at + size * r->thread;
        if (i % 2 == 0)
            q[1].at[q[1].came++] = use(&r->free.wire, at, size * r->wire) + r->way;
        else if (i + 1 == 2 * r->rounds)
            r->came[part] = at;
        else if (q->served % r->pieces == 0) /* messages of a round need all of the one before */
            for (int n = 0; n < r->pieces; n++)
                q[1].at[q[1].came++] = at;
    }
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Return when the blocks of a part have their data: the first one awaits some parts, and the others
 * one more each. They go up together as soon as all are there, and in a chain not before the block
 * before has ended. */
static double ready(struct replay *r, int part)
{
    const int from = part ? part + r->first - 1 : 0;
    const int to = part + r->first < r->parts ? part + r->first : r->parts;
    const bool ends = !part && r->ends;
    double at = r->chain ? r->free.blocks : 0, size = ends ? r->size[1] : 0;

    if (ends)
        at = fmax(at, r->came[r->parts]);

    for (int p = from; p < to; p++) {
        at = fmax(at, r->came[p]);
        size += r->size[0];
    }
    return size > 0 ? use(&r->free.up, at, size * r->pieces * r->up) : 0;
}

static void epoch(struct replay *r, bool reads)
{
    const double rest = (r->laps - 1) * r->parts * r->visit;

    for (int p = 0; p < r->parts; p++)
        r->left[p] = use(&r->free.blocks, reads ? ready(r, p) : 0, r->visit);
    r->free.blocks += rest;
    r->left[r->parts] = r->free.blocks;
    for (int p = 0; p < r->parts; p++) {
        const int by = p + r->late < r->parts ? p + r->late : r->parts - 1;

        r->left[p] = rest > 0 ? r->free.blocks - (r->parts - 1 - by) * r->visit : r->left[by];
    }
}

/* ---- the run -------------------------------------------------------------------------------- */

static int limited(double n, int most)
{
    return n < 1 ? 1 : n < most ? (int)ceil(n) : most;
}

static struct replay replay_of(const struct zoid_exchange_cost *c)
{
    const int parts = limited(c->parts, PARTS), rounds = limited(c->rounds, ROUNDS);
    const double together = c->parts / parts;
    const double beside = 1 - c->ends, largest = fmin(c->largest, beside / c->parts);
    const int pieces =
        limited(round(beside > 0 ? beside / (largest * c->parts * rounds) : 1), PIECES);
    const double seconds = c->base * c->steady / (c->exchanges + 1);

    return (struct replay){.parts = parts,
                           .pieces = pieces,
                           .rounds = rounds,
                           .first = (int)ceil(c->first / together),
                           .late = (int)ceil(c->late / together),
                           .ends = c->ends > 0,
                           .chain = c->chain,
                           .visit = seconds / (c->laps * parts),
                           .laps = c->laps,
                           .down = c->down,
                           .thread = c->thread / 2 / rounds,
                           .wire = c->wire / rounds,
                           .way = c->ways / rounds,
                           .up = c->up,
                           .size = {beside / (parts * pieces), c->ends / pieces}};
}

/* Seconds that the busiest resource takes for an exchange: no epoch of many is shorter. */
static double busiest(const struct zoid_exchange_cost *c)
{
    return fmax(fmax(c->thread, c->wire), fmax(c->down, c->up));
}

double zoid_exchange_waits(const struct zoid_exchange_cost *c)
{
    const double epochs = c->exchanges + 1, alone = c->base * c->steady / epochs;
    const int some = limited(epochs, EPOCHS);
    struct replay r = replay_of(c);
    double before = 0, last;

    for (int e = 0; e < some; e++) {
        before = r.free.blocks;
        if (e)
            exchange(&r);
        epoch(&r, e > 0);
    }
    last = fmax(r.free.blocks - before, busiest(c)) - alone;
    return fmax(r.free.blocks - some * alone + (epochs - some) * last, 0);
}

double zoid_exchange_seconds(const struct zoid_exchange_cost *c)
{
    return c->base + c->share * c->exchanges * c->thread + zoid_exchange_waits(c);
}
