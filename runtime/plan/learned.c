/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/learned.h"

#include <math.h>
#include <stdbool.h>

/* Simulated with the border between two parts, whose samples are epochs (docs/design/balance.md).
 */
static const struct {
    double bound;  /* a sample moves the rate by this factor at most, */
    double alarm;  /* unless it is off by more than that, or two in a row are off the same way */
    double weight; /* of a new sample, at least; the n-th has 1/n */
} constants = {.bound = 1.25, .alarm = 4, .weight = 1.0 / 8};

double zoid_learned_weight(int n)
{
    return fmax(1.0 / n, constants.weight);
}

/* Count the samples in a row that are off the same way by more than the bound. */
static int odd_after(int odd, double off)
{
    if (fabs(off) <= log(constants.bound))
        return 0;
    if (off > 0)
        return odd > 0 ? odd + 1 : 1;
    return odd < 0 ? odd - 1 : -1;
}

double zoid_learned_add(struct zoid_learned *l, double sample)
{
    const double off = l->samples ? log(sample / l->rate) : 0;
    const double within = fmin(fmax(off, -log(constants.bound)), log(constants.bound));

    l->odd = odd_after(l->odd, off);
    if (!l->samples || fabs(off) > log(constants.alarm) || l->odd >= 2 || l->odd <= -2) {
        *l = (struct zoid_learned){.rate = sample, .samples = 1};
        return -1;
    }
    l->samples++;
    l->rate *= exp(zoid_learned_weight(l->samples) * within);
    return fabs(within);
}
