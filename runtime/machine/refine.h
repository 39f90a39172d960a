/* SPDX-License-Identifier: BSD-3-Clause */
/* Correction of an operator's rates by measured runs.
 *
 * Rates are calibrated apart from runs, in a second, and a machine changes. So an operator has
 * correction factors besides, for cores and for GPUs. Two scale the predicted time of its blocks:
 * on cores `near` for computation from a private cache, `far` for the additional time of data from
 * farther away; on GPUs `near` for kernels, `far` for the time between them. `waits` scales the
 * time of a run as predicted from its measured blocks and from the model of their dependencies and
 * data transfers: a slow block delays those that depend on it. All that depends on sizes stays in
 * the model. */
#ifndef ZOID_RUNTIME_MACHINE_REFINE_H
#define ZOID_RUNTIME_MACHINE_REFINE_H

#include "runtime/machine/rates.h"

struct zoid_observed {
    enum zoid_place_kind place;
    /* Seconds of all cores, or GPUs, in the blocks of a run: predicted with factors of 1, and
     * measured. */
    double near, far, measured;
    /* Seconds of the run: predicted from its measured blocks with a factor `waits` of 1, or 0 if no
     * worker waits for another or for a disk; and measured. */
    double expected, seconds;
};

/* Latency of a message in the halo exchanges of a run, in seconds: predicted with factors of 1, as
 * the sum of ways and of bytes on the wire, and measured. Terms without a factor are subtracted. */
struct zoid_observed_messages {
    double way, wire, measured;
};

/* Bound of a factor, and of its inverse. */
static const double ZOID_FACTOR_MOST = 4;
/* Most by which one run changes a factor of cores, however slow it was; after four runs it is the
 * square root of this, 6 %. */
static const double ZOID_FACTOR_STEP = 1.12;
/* The same for GPUs, whose times are stable: factors are a mean of runs. The first run changes a
 * factor by at most about the square of this, the second by half of its logarithm, and so on to an
 * eighth. */
static const double ZOID_FACTOR_STEP_GPUS = 1.6;

/* Returns a factor; 1 before the first run. */
static inline double zoid_factor(double factor)
{
    return factor > 0 ? factor : 1;
}
/* Returns the rates with `near` and `far` applied, and those factors reset to 1. On GPUs `far`
 * stays: the time between kernels is no rate of an operator. */
struct zoid_op_rates zoid_rates_refined(const struct zoid_op_rates *op);
/* Returns true if a run is long enough to refine the rates, and these are measured. */
bool zoid_rates_teaches(const struct zoid_op_rates *op, const struct zoid_observed *run);
/* Updates the factors by such a run. */
void zoid_rates_refine(struct zoid_op_rates *op, const struct zoid_observed *run);
/* Updates the factors of a network; no-op if the numbers are not positive and finite. */
void zoid_network_refine(struct zoid_network *network, const struct zoid_observed_messages *run);

#endif
