/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of halo exchanges between ranks, by a replay of some epochs of one rank. All ranks are taken
 * to be alike, so that a rank receives messages when its own ones arrive. The messages of each
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
enum { EPOCHS = 6, PARTS = 24, PIECES = 4, ROUNDS = 3, MOST = (PARTS + 1) * PIECES };

/* When messages come to the thread, in the order of their parts, exchange by exchange. */
struct queue {
    double at[(EPOCHS - 1) * MOST];
    int came, served;
};

struct replay {
    int parts, pieces, rounds, first, late;
    bool ends;                          /* there is a part for ranks above and below */
    bool chain;                         /* blocks run one at a time */
    double visit, laps;                 /* seconds of blocks on a part, and visits in an epoch */
    double down, thread, wire, way, up; /* seconds of all messages; of a round, but for links */
    double size[2];                     /* share of a message of a slab, and of the last part */
    struct {
        double blocks, down, thread, wire, up;
    } free; /* when each resource is */
    /* Queue 2 i has messages to be sent in round i, and the one after it those that are received.
     */
    struct queue queue[2 * ROUNDS];
    double came[PARTS + 1]; /* the parts of the last exchange that has come */
    int arrived;            /* parts of all exchanges */
};

/* ---- the way of the messages ---------------------------------------------------------------- */

static double use(double *free, double at, double seconds)
{
    *free = fmax(*free, at) + seconds;
    return *free;
}

static double size_of(const struct replay *r, int part)
{
    return r->size[part == r->parts];
}

static void put(struct queue *q, double at)
{
    q->at[q->came++] = at;
}

/* A block leaves the messages of a part. */
static void leave(struct replay *r, int part, double at)
{
    for (int n = 0; n < r->pieces; n++)
        put(&r->queue[0], use(&r->free.down, at, size_of(r, part) * r->down));
}

/* The queue whose next message came first; NULL if all are empty. */
static struct queue *next_of(struct replay *r)
{
    struct queue *next = NULL;

    for (struct queue *q = r->queue; q < r->queue + 2 * r->rounds; q++)
        if (q->served < q->came && (!next || q->at[q->served] < next->at[next->served]))
            next = q;
    return next;
}

/* The thread comes to the next message, which goes on, while the one after it waits. Returns false
 * if there is no message. */
static bool serve(struct replay *r)
{
    struct queue *q = next_of(r);
    double at, size;
    int i, part;

    if (!q)
        return false;
    i = (int)(q - r->queue);
    part = q->served / r->pieces % (r->parts + r->ends);
    at = fmax(r->free.thread, q->at[q->served++]);
    size = size_of(r, part);
    r->free.thread = at + size * r->thread;
    if (i % 2 == 0) {
        put(&q[1], use(&r->free.wire, at, size * r->wire) + r->way);
    } else if (q->served % r->pieces == 0) { /* a round awaits all messages of the one before */
        r->came[part] = at;
        r->arrived += i + 1 == 2 * r->rounds;
        for (int n = 0; n < r->pieces && i + 1 < 2 * r->rounds; n++)
            put(&q[1], at);
    }
    return true;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Return when the blocks of a part have their data: the first one awaits some parts, and the others
 * one more each. They go up together as soon as all are there, and in a chain not before the block
 * before has ended. */
static double ready(struct replay *r, int epoch, int part)
{
    const int from = part ? part + r->first - 1 : 0;
    const int to = part + r->first < r->parts ? part + r->first : r->parts;
    const bool ends = !part && r->ends;
    double at = r->chain ? r->free.blocks : 0, size = ends ? r->size[1] : 0;

    /* The last part comes after all others. */
    while (r->arrived < (epoch - 1) * (r->parts + r->ends) + (ends ? r->parts + 1 : to) && serve(r))
        ;
    if (ends)
        at = fmax(at, r->came[r->parts]);
    for (int p = from; p < to; p++) {
        at = fmax(at, r->came[p]);
        size += r->size[0];
    }
    return size > 0 ? use(&r->free.up, at, size * r->pieces * r->up) : 0;
}

/* A part is left by its block of the last lap, or by a later one; the blocks of other laps are one
 * activity, between the first lap and the last. */
static void epoch(struct replay *r, int number, bool leaves)
{
    const double between = fmax(r->laps - 2, 0) * r->parts * r->visit;
    const bool once = r->laps < 2;

    for (int p = 0; p < r->parts; p++) {
        use(&r->free.blocks, number ? ready(r, number, p) : 0, r->visit);
        if (once && leaves && p >= r->late)
            leave(r, p - r->late, r->free.blocks);
    }
    r->free.blocks += between;
    for (int p = 0; p < r->parts && !once; p++) {
        r->free.blocks += r->visit;
        if (leaves && p >= r->late)
            leave(r, p - r->late, r->free.blocks);
    }
    for (int p = r->parts > r->late ? r->parts - r->late : 0; leaves && p < r->parts; p++)
        leave(r, p, r->free.blocks);
    if (leaves && r->ends)
        leave(r, r->parts, r->free.blocks);
}

/* ---- the run -------------------------------------------------------------------------------- */

static int limited(double n, int most)
{
    return n < 1 ? 1 : n < most ? (int)ceil(n) : most;
}

static void describe(struct replay *r, const struct zoid_exchange_cost *c)
{
    const int parts = limited(c->parts, PARTS), rounds = limited(c->rounds, ROUNDS);
    const double together = c->parts / parts;
    const double sides = 1 - c->ends, largest = fmin(c->largest, sides / c->parts);
    const int pieces =
        limited(round(sides > 0 ? sides / (largest * c->parts * rounds) : 1), PIECES);

    r->parts = parts;
    r->pieces = pieces;
    r->rounds = rounds;
    r->first = (int)ceil(c->first / together);
    r->late = (int)ceil(c->late / together);
    r->ends = c->ends > 0;
    r->chain = c->chain;
    r->laps = fmax(c->laps, 1);
    r->visit = c->base * c->steady / (c->exchanges + 1) / (r->laps * parts);
    r->down = c->down;
    r->thread = c->thread / 2 / rounds;
    r->wire = c->wire / rounds;
    r->way = c->ways / rounds;
    r->up = c->up;
    r->size[0] = sides / (parts * pieces);
    r->size[1] = c->ends / pieces;
    for (int i = 0; i < 2 * rounds; i++)
        r->queue[i].came = r->queue[i].served = 0;
    r->free.blocks = r->free.down = r->free.thread = r->free.wire = r->free.up = 0;
    r->arrived = 0;
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
    struct replay r;
    double before = 0, last;

    describe(&r, c);
    for (int e = 0; e < some; e++) {
        before = r.free.blocks;
        epoch(&r, e, e + 1 < some);
    }
    last = fmax(r.free.blocks - before, busiest(c)) - alone;
    return fmax(r.free.blocks - some * alone + (epochs - some) * last, 0);
}

double zoid_exchange_seconds(const struct zoid_exchange_cost *c)
{
    return c->base + c->share * c->exchanges * c->thread + zoid_exchange_waits(c);
}
