/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/border.h"

#include <math.h>

#include "graphs/zoid.h"

/* Simulated over machines whose epochs scatter by 1 to 5 %, with spikes, and with a place that
 * becomes ten times slower (docs/design/balance.md). */
static const struct {
    double gain;    /* by which the slower subdomain is to get faster, at least, */
    double sure;    /* and so many times what rates scatter */
    double horizon; /* epochs over which a move pays, at most */
    double ahead;   /* the lower subdomain gets so much less time: the upper one waits for it */
    double step;    /* a move changes a subdomain by this factor at most */
} constants = {.gain = 0.01, .sure = 2, .horizon = 16, .ahead = 0.01, .step = 4};

struct zoid_border zoid_border_begin(const struct zoid_border_case *of)
{
    return (struct zoid_border){.of = *of};
}

/* ---- rates --------------------------------------------------------------------------------- */

/* Planes that a subdomain computes in an epoch: its own, and the mean of those beside the border.
 */
static double computed(const struct zoid_border *b, int part, long planes)
{
    return (double)(part ? b->of.planes - planes : planes) + b->of.ghost;
}

static void learn(struct zoid_border *b, int part, double rate)
{
    const double off = zoid_learned_add(&b->rate[part], rate);

    if (off >= 0)
        b->scatter += zoid_learned_weight(++b->deviations) * (off - b->scatter);
}

/* The first epoch of all also maps pages of memory. It places the border, and is forgotten when the
 * second one has ended. */
void zoid_border_learn(struct zoid_border *b, long planes, const double seconds[2])
{
    const bool forgets = b->epochs++ == 1;

    for (int part = 0; part < 2; part++) {
        if (seconds[part] <= 0)
            continue;
        if (forgets)
            b->rate[part].samples = 0;
        learn(b, part, seconds[part] / fmax(computed(b, part, planes), 1));
    }
}

/* ---- the border ---------------------------------------------------------------------------- */

static double part_seconds(const struct zoid_border *b, int part, long planes, long epochs)
{
    const double leg = b->of.leg && epochs ? b->of.leg(b->of.of, part, epochs) : 1;

    return b->rate[part].rate * computed(b, part, planes) * leg;
}

/* Seconds of an epoch, by the slower subdomain: of a leg with that number of them, or with 0, in
 * the middle of a leg. */
static double epoch_seconds(const struct zoid_border *b, long planes, long epochs)
{
    return fmax(part_seconds(b, 0, planes, epochs), part_seconds(b, 1, planes, epochs));
}

/* Equation 8 of the B+2R paper, over the planes that are computed rather than owned. */
static double balanced(const struct zoid_border *b)
{
    const double upper = b->rate[1].rate * (1 - constants.ahead), ghost = b->of.ghost;

    return (upper * ((double)b->of.planes + ghost) - b->rate[0].rate * ghost) /
           (b->rate[0].rate + upper);
}

long zoid_border_wish(const struct zoid_border *b, long planes, long epochs_left)
{
    const double farthest = (double)planes * constants.step;
    const double left = fmin((double)epochs_left, constants.horizon);
    double now, then, weight;
    long wish;

    if (!b->rate[0].samples || !b->rate[1].samples)
        return planes;
    wish = (long)floor(fmin(fmax(balanced(b), (double)planes / constants.step), farthest) + 0.5);
    wish = zoid_max(zoid_min(wish, b->of.planes - b->of.least), b->of.least);
    now = epoch_seconds(b, planes, 0);
    then = epoch_seconds(b, wish, epochs_left);
    weight = zoid_learned_weight((int)zoid_min(b->rate[0].samples, b->rate[1].samples));
    if (then > (1 - fmax(constants.gain, constants.sure * b->scatter * sqrt(weight / 2))) * now ||
        (now - then) * left < b->of.cost)
        return planes;
    return wish;
}

bool zoid_border_is_known(const struct zoid_border *b)
{
    return b->rate[0].samples >= 2 && b->rate[1].samples >= 2;
}

int zoid_border_leaves(const struct zoid_border *b, long epochs_left)
{
    const double should = zoid_border_is_known(b) ? balanced(b) : 0, n = (double)b->of.planes;
    const int slow = b->rate[0].rate > b->rate[1].rate ? 0 : 1;
    const long least = slow ? b->of.planes - b->of.least : b->of.least;
    double shared, alone;

    if (!zoid_border_is_known(b) || !((slow ? n - should : should) < (double)b->of.least))
        return -1;
    shared = epoch_seconds(b, least, 0);
    alone = b->rate[!slow].rate * n;
    if (alone > (1 - constants.gain) * shared ||
        (shared - alone) * (double)epochs_left < b->of.leave)
        return -1;
    return slow;
}

void zoid_border_moved(struct zoid_border *b, double seconds)
{
    b->moves++;
    b->of.cost = b->moves == 1 ? seconds : (b->of.cost + seconds) / 2;
}
