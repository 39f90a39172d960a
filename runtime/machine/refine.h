/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs teach about an operator's rates.
 *
 * Rates are measured apart from runs, in a second, and a machine is not always as it was then. So
 * an operator has factors beside them, for cores and for GPUs. Two say how much longer its blocks
 * take than by the rates: on cores `near` for what is computed as if it lay in a core's own cache,
 * `far` for what more it takes since it comes from farther off; on GPUs `near` for kernels, `far`
 * for what comes between them. `waits` is how much longer a run takes than by its blocks, as they
 * were measured, and by the model of which of them wait for others, or for their data: a slow block
 * keeps those behind it waiting. Whatever depends on sizes stays in the model. */
#ifndef ZOID_RUNTIME_MACHINE_REFINE_H
#define ZOID_RUNTIME_MACHINE_REFINE_H

#include "runtime/machine/rates.h"

struct zoid_observed {
    enum zoid_place_kind place;
    /* Seconds of all cores, or GPUs, in the blocks of a run: by the rates with factors of 1, and
     * measured. */
    double near, far, measured;
    /* Seconds of the run: by its blocks as measured, waits with a factor of 1; 0 where no worker
     * waits for another, or for a disk. And measured. */
    double expected, seconds;
};

/* No factor is farther from 1. */
static const double ZOID_FACTOR_MOST = 4;
/* No run moves a factor of cores farther than by this, however slow it was; after four runs none
 * moves it farther than by its square root, which is 6 %. */
static const double ZOID_FACTOR_STEP = 1.12;
/* GPUs keep time themselves. There the first run moves one by twice the logarithm of this at most,
 * the second by half of that, and so on to an eighth: factors are at a mean of runs. */
static const double ZOID_FACTOR_STEP_GPUS = 1.6;

/* A factor of an operator; 1 before the first run. */
static inline double zoid_factor(double factor)
{
    return factor > 0 ? factor : 1;
}
/* Its rates by the first two, which are 1 afterwards; but what comes between kernels is no rate of
 * an operator, and its factor stays. */
struct zoid_op_rates zoid_rates_refined(const struct zoid_op_rates *op);
/* Whether a run teaches anything: it does not where it was too short, or not predicted from
 * measured rates. */
bool zoid_rates_teaches(const struct zoid_op_rates *op, const struct zoid_observed *run);
/* Moves the factors towards what such a run has measured. */
void zoid_rates_refine(struct zoid_op_rates *op, const struct zoid_observed *run);

#endif
