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
        b->scatter += (off - b->scatter) / 8;
}

void zoid_border_learn(struct zoid_border *b, long planes, const double seconds[2])
{
    for (int part = 0; part < 2; part++)
        if (seconds[part] > 0)
            learn(b, part, seconds[part] / fmax(computed(b, part, planes), 1));
}

/* ---- the border ---------------------------------------------------------------------------- */

/* Seconds of a subdomain's epoch without waiting for the other one. */
static double part_seconds(const struct zoid_border *b, int part, long planes)
{
    const double idle = b->of.idle ? b->of.idle(b->of.of, part, planes) : 1;

    return b->rate[part].rate * computed(b, part, planes) * idle;
}

/* Seconds of an epoch, by the slower subdomain; less by a part of the upper one's. */
static double slower(const struct zoid_border *b, long planes, double ahead)
{
    return fmax(part_seconds(b, 0, planes), part_seconds(b, 1, planes) * (1 - ahead));
}

static double epoch_seconds(const struct zoid_border *b, long planes)
{
    return slower(b, planes, 0);
}

/* Return the border from lo to hi that makes the slower subdomain fastest: Equation 8 of the B+2R
 * paper, over the planes that are computed rather than owned, if workers never idle. */
static long balanced(const struct zoid_border *b, long lo, long hi)
{
    long best = lo;
    double least = INFINITY;

    for (long x = lo; x <= hi; x++) {
        const double seconds = slower(b, x, constants.ahead);

        if (seconds < least) {
            least = seconds;
            best = x;
        }
    }
    return best;
}

long zoid_border_wish(const struct zoid_border *b, long planes, long epochs_left)
{
    const long least = b->of.least, most = b->of.planes - least;
    const double left = fmin((double)epochs_left, constants.horizon);
    double now, then, weight;
    long wish;

    if (!b->rate[0].samples || !b->rate[1].samples)
        return planes;
    wish =
        balanced(b, zoid_min(zoid_max((long)((double)planes / constants.step + 0.5), least), most),
                 zoid_max(zoid_min((long)((double)planes * constants.step), most), least));
    now = epoch_seconds(b, planes);
    then = epoch_seconds(b, wish);
    weight = zoid_learned_weight((int)zoid_min(b->rate[0].samples, b->rate[1].samples));
    if (then > (1 - fmax(constants.gain, constants.sure * b->scatter * sqrt(weight / 2))) * now ||
        (now - then) * left < b->of.cost)
        return planes;
    return wish;
}

/* A rate is believed that two epochs have shown. */
static bool is_known(const struct zoid_border *b)
{
    return b->rate[0].samples >= 2 && b->rate[1].samples >= 2;
}

int zoid_border_leaves(const struct zoid_border *b, long epochs_left)
{
    const long n = b->of.planes;
    const int slow = part_seconds(b, 0, n / 2) > part_seconds(b, 1, n / 2) ? 0 : 1;
    const long least = slow ? n - b->of.least : b->of.least;
    double shared, alone;

    if (!is_known(b) || part_seconds(b, slow, least) <= part_seconds(b, !slow, least))
        return -1;
    shared = epoch_seconds(b, least);
    alone = part_seconds(b, !slow, least) / computed(b, !slow, least) * (double)n;
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
